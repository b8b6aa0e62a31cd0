"""A mind as one HTML page that anybody can look at without Perdura and without a network."""

from perdura_core.ingest.mindmap.page import write_mindmap

__all__ = ["write_mindmap"]
