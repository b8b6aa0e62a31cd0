"""How two processes of a run talk: frames, each one pickled value with its length before it."""

import struct

__all__ = ["LENGTH"]

LENGTH = struct.Struct(">Q")
"""Of the frame that follows, in bytes. Both ends are this program."""
