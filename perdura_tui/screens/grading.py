"""Grading an answer from wherever one is under the cursor."""

from perdura_core import acts
from perdura_core.errors import PerduraError
from perdura_core.vocabulary import AnswerGraded, Grade, NodeId
from perdura_tui.source import Source

__all__ = ["grade"]

_MOST_EVENTS = 200


async def grade(source: Source, node: NodeId | None, wanted: Grade) -> str:
    """Grade the answer, or take the grade back where it is the same; returns what came of it, in words."""
    if node is None or node[0] != "i":
        return "only claims and decisions are graded"
    if source.is_readonly:
        return "this desk is read-only: open the mind without --readonly to grade"
    try:
        told = await source.history_of(node, _MOST_EVENTS)
        grades = [event.what.grade for event in told if isinstance(event.what, AnswerGraded)]
        before = grades[-1] if grades else None
        after = None if before == wanted else wanted
        await source.act(acts.grade(node, after, before))
    except PerduraError as error:
        return str(error)
    return f"{node} is graded {after}; u takes it back" if after else f"the grade of {node} is taken back"
