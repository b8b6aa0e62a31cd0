"""The graph in memory: pure, built from the store, kept by events."""

from perdura_core.graph.graph import Graph
from perdura_core.graph.vertex import Link, LinkRow, Vertex, digest_of
from perdura_core.graph.work import TELLING, Stay

__all__ = ["TELLING", "Graph", "Link", "LinkRow", "Stay", "Vertex", "digest_of"]
