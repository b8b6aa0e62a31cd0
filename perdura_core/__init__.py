"""Perdura's core: a knowledge graph that outlives the models that work on it. Nothing here knows the terminal."""

__all__ = ["__version__"]

__version__ = "0.1.0"
