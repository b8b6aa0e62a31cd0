"""Perdura's core: a knowledge graph that outlives the models that work on it. Nothing here knows the terminal."""
