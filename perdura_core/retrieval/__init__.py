"""Finding what bears on a question: by words, by meaning, and in the graph around it."""

from perdura_core.retrieval.embedders import Embedder, build_embedder
from perdura_core.retrieval.finder import Coverage, Finder
from perdura_core.retrieval.likeness import says_the_same
from perdura_core.retrieval.query import Query, parse_query
from perdura_core.retrieval.relevance import TextSearch, relevant
from perdura_core.retrieval.scattering import Scattering
from perdura_core.retrieval.search import Found, search
from perdura_core.retrieval.suspects import Suspects

__all__ = [
    "Coverage",
    "Embedder",
    "Finder",
    "Found",
    "Query",
    "Scattering",
    "Suspects",
    "TextSearch",
    "build_embedder",
    "parse_query",
    "relevant",
    "says_the_same",
    "search",
]
