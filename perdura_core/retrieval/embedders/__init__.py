"""Texts to vectors: one small interface, several ways."""

from perdura_core.retrieval.embedders.build import EMBEDDERS, build_embedder
from perdura_core.retrieval.embedders.protocol import Embedder, Vectors, unit_rows

__all__ = ["EMBEDDERS", "Embedder", "Vectors", "build_embedder", "unit_rows"]
