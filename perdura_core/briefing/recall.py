"""What a worker saw, long after it left: a briefing rebuilt from the journal."""

from perdura_core.briefing.filling import as_shown, fitted_to
from perdura_core.config import BriefingSettings
from perdura_core.errors import UnknownNodeError
from perdura_core.graph import Graph, Link
from perdura_core.store import Store
from perdura_core.vocabulary import Boarding, Briefing, BriefingEdge, BriefingNode, EdgeRetracted, NodeId

__all__ = ["recall"]


async def recall(store: Store, graph: Graph, boarding: Boarding, settings: BriefingSettings) -> Briefing:
    """The briefing of a boarding: its nodes in its order with the confidences it printed, and the edges of that time.

    Texts are the stored ones, cut as the settings say today, and redacted if they are by now. Pairs of an audit were
    never written down and are missing. Raises UnknownNodeError, StoreError.
    """
    found = await store.nodes([boarding.question, *(shown.node for shown in boarding.shown)])
    if boarding.question not in found:
        raise UnknownNodeError(boarding.question)
    question = as_shown(found[boarding.question], boarding.masked)
    share = round(settings.max_tokens * settings.node_share)
    nodes: list[BriefingNode] = []
    for shown in boarding.shown:
        if shown.node in found:
            stored = as_shown(found[shown.node], boarding.masked).model_copy(update={"confidence": shown.confidence})
            nodes.append(fitted_to(stored, share, question.domains)[0])
    there = {question.id, *(node.id for node in nodes)}
    return Briefing(
        question=question,
        nodes=tuple(node.model_copy(update={"facts": tuple(f for f in node.facts if f in there)}) for node in nodes),
        edges=tuple(await _edges(store, graph, boarding.id, there)),
        mode=boarding.mode,
        masked=boarding.masked,
        tokens=boarding.briefing_tokens,
    )


async def _edges(store: Store, graph: Graph, boarding: str, there: set[NodeId]) -> list[BriefingEdge]:
    """Edges among these nodes when the boarding opened: edge numbers only grow, and what was retracted is told."""
    [opened] = await store.events(boarding=boarding, kinds={"boarding_opened"}, limit=1)
    later = await store.events(opened.seq, kinds={"edge_added"}, limit=1)
    since = getattr(later[0].what, "edge", None) if later else None
    drawn: dict[str, tuple[int, BriefingEdge]] = {}

    def draw(link: Link) -> None:
        if {link.src, link.dst} <= there and (since is None or int(link.id[1:]) < int(since.id[1:])):
            drawn[link.id] = int(link.id[1:]), BriefingEdge(type=link.type, src=link.src, dst=link.dst)

    for node in there:
        for link in graph.links(node):
            draw(link)
    for event in await store.events(opened.seq, kinds={"edge_retracted"}):
        if isinstance(event.what, EdgeRetracted) and event.what.was is not None:
            draw(Link.of(event.what.was))
    return [edge for _, edge in sorted(drawn.values(), key=lambda entry: entry[0])]
