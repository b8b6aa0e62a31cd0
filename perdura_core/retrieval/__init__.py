"""Finding what bears on a question: text search and the graph around it."""

from perdura_core.retrieval.relevance import relevant

__all__ = ["relevant"]
