"""The graph in memory: pure, built from the store, kept by events."""

from perdura_core.graph.graph import Graph
from perdura_core.graph.vertex import Link, Vertex, digest_of
from perdura_core.graph.work import Stay

__all__ = ["Graph", "Link", "Stay", "Vertex", "digest_of"]
