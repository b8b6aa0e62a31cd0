"""Reading what the triage screen shows of one side."""

from perdura_core.errors import UnknownNodeError
from perdura_core.vocabulary import Fact, Interpretation, NodeId, TrackRecord
from perdura_tui.panes.side import Side
from perdura_tui.source import Source

__all__ = ["read_side"]

_MOST_NEIGHBOURS = 100


async def read_side(source: Source, node: NodeId) -> Side:
    """Everything about one side. Raises UnknownNodeError, StoreError."""
    found = (await source.nodes([node])).get(node)
    if not isinstance(found, Interpretation):
        raise UnknownNodeError(node)
    links = list(source.graph.links(node))[:_MOST_NEIGHBOURS]
    others = {link.src for link in links} | {link.dst for link in links}
    around = await source.nodes((others | set(found.facts)) - {node})
    backing = [link.src for link in links if link.type == "supports" and link.src[0] == "f"]
    facts = [around.get(fact) for fact in dict.fromkeys((*found.facts, *backing))]
    boardings = await source.boardings([found.boarding]) if found.boarding is not None else {}
    return Side(
        found,
        [fact for fact in facts if isinstance(fact, Fact)],
        links,
        {other: value.text for other, value in around.items()},
        await _record(source, found),
        boardings.get(found.boarding or ""),
    )


async def _record(source: Source, node: Interpretation) -> TrackRecord | None:
    """The author's record in the node's first domain that it has outcomes in, else overall."""
    for domain in (*node.domains, None):
        for record in await source.tracks(domain):
            if record.model == node.created_by and (record.outcomes or domain is None):
                return record
    return None
