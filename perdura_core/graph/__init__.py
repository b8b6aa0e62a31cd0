"""The graph in memory: pure, built from the store, kept by events."""

from perdura_core.graph.graph import Graph, Link, Vertex, digest_of

__all__ = ["Graph", "Link", "Vertex", "digest_of"]
