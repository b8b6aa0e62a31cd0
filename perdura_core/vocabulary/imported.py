"""The journal's entry for a mind that was taken in from another format."""

from typing import Any, Literal

from perdura_core.vocabulary.boardings import Mode
from perdura_core.vocabulary.nodes import NodeId
from perdura_core.vocabulary.value import Text, Value

__all__ = ["MindImported"]


class MindImported(Value):
    """The nodes and edges of a foreign file were added; they stand in the events right before.

    Keeps what the state has no column for, so that an export can give it back: the file's own ids, names of authors
    and way of writing times, the mode of each boarding that was not organic, and the log.
    """

    kind: Literal["mind_imported"] = "mind_imported"
    path: Text
    sha256: str
    nodes: dict[str, NodeId]
    """The file's id -> the node here. Two ids may lead to one fact."""
    edges: dict[str, str]
    authors: dict[str, str]
    """The name here -> the file's name, where they differ."""
    modes: dict[str, Mode]
    """Node or edge here -> the mode of the boarding it came from; organic ones are left out."""
    times: Literal["epoch", "iso"]
    log: tuple[dict[str, Any], ...] = ()
    not_kept: tuple[Text, ...] = ()
    """What the file said and this mind has no place for, one sentence each."""
