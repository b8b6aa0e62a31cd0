"""One node, edge or boarding in full."""

import asyncio
import re
from contextlib import suppress
from typing import Any

from perdura_core.errors import InputError, UnknownNodeError
from perdura_core.mind import Mind
from perdura_core.vocabulary import BoardingRecord, Edge, Fact, Interpretation, Node, NodeId, Question
from perdura_tui.command import UsageError
from perdura_tui.command.documents import boarding_document, edge_document, event_document, node_document
from perdura_tui.command.output import Column, heading, line, moment, print_json, print_table, prose
from perdura_tui.command.standing import print_standing
from perdura_tui.phrases import dollars, sentence
from perdura_tui.placements import given_way, placed_by, placement_document, placement_words
from perdura_tui.states.boarding import drawn

__all__ = ["check_id", "inspect"]

_PATIENCE_S = 5.0
"""How long to wait for a mind's claims to be compared."""
_MOST_COMPARED = 2_000
"""In a larger mind that would take too long for one command; the desk does it in the background."""


def check_id(identifier: str) -> None:
    """Raise UsageError unless it reads as the id of a node, an edge or a boarding."""
    if not re.fullmatch(r"[qfieb][1-9][0-9]*", identifier):
        raise UsageError(f"{identifier!r} is no id: ids are short and typed, like q7, f1042, i311, e12 or b3")


async def inspect(mind: Mind, identifier: str, *, as_json: bool) -> None:
    """Print the node, edge or boarding of this id. Raises InputError when there is none."""
    match identifier[0]:
        case "b":
            await _boarding(mind, identifier, as_json)
        case "e":
            await _edge(mind, identifier, as_json)
        case _:
            await _node(mind, identifier, as_json)


async def _edges_of(mind: Mind, node: NodeId) -> list[Edge]:
    return [edge for edge in await mind.store.edges() if node in (edge.src, edge.dst)]


async def _record(mind: Mind, boarding: str | None) -> BoardingRecord | None:
    if boarding is None:
        return None
    return next(iter(await mind.store.boardings(ids=[boarding])), None)


async def _node(mind: Mind, identifier: NodeId, as_json: bool) -> None:
    node = (await mind.store.nodes([identifier])).get(identifier)
    if node is None:
        raise UnknownNodeError(identifier)
    edges = await _edges_of(mind, identifier)
    history = await mind.store.events(node=identifier)
    record = await _record(mind, node.boarding)
    cited = node.facts if isinstance(node, Interpretation) else ()
    citing = tuple(mind.graph.cited_by(identifier)) if isinstance(node, Fact) else ()
    standing = await mind.memory.standing(identifier) if isinstance(node, Interpretation) else None
    code, alike = await _wording(mind, node)
    placed, gone = placed_by(node, history), given_way(node, mind.graph)
    near = await mind.store.nodes({*cited, *citing, *(end for edge in edges for end in (edge.src, edge.dst))})
    if as_json:
        document: dict[str, Any] = node_document(node) | {
            "edges": [edge_document(edge) for edge in edges],
            "cited_facts": [node_document(near[fact]) for fact in cited if fact in near],
            "cited_by": list(citing),
            "history": [event_document(event) for event in history],
            "boarding_record": None if record is None else boarding_document(record),
        }
        if not isinstance(node, Question):
            document["placed"] = placement_document(placed)
        if isinstance(node, Interpretation):
            document["revalidate"] = [{"fact": fact, "superseded_by": heir} for fact, heir in gone]
            document["memoric_code"] = code
            document["near_duplicates"] = [{"id": other, "bits": bits} for other, bits in alike]
            document["standing"] = None if standing is None else standing.model_dump(mode="json")
        print_json(document)
        return
    prose(node.text)
    line()
    reasons = [("layer", placement_words(placed))] if placed is not None else []
    reasons += [("revalidate", f"{fact}, on which it rests, gave way to {heir}") for fact, heir in gone]
    if code is not None:
        reasons.append(("code", code))
    reasons += [("worded like", f"{other}, {bits} of 48 bits apart") for other, bits in alike]
    for name, value in [*_traits(node), *reasons]:
        line(f"{name:<12} {value}", style="dim")
    if isinstance(node, Fact):
        heading("Seen")
        seen = [(moment(one.recorded_at), one.recorded_by, one.source) for one in node.occurrences]
        print_table([Column("recorded"), Column("by"), Column("source", is_text=True)], seen, empty="never")
    if standing is not None:
        print_standing(standing)
    _print_links(identifier, edges, [*cited, *citing], near)
    if record is not None:
        heading("Boarding")
        _print_record(record)
    heading("History")
    rows = [(event.seq, moment(event.at), sentence(event)) for event in history]
    print_table([Column("seq", is_number=True), Column("at"), Column("what", is_text=True)], rows, empty="none")


async def _wording(mind: Mind, node: Node) -> tuple[str | None, list[tuple[NodeId, int]]]:
    """The memoric code of a claim, and its near duplicates with the bits that differ."""
    if not isinstance(node, Interpretation) or node.kind != "claim":
        return None, []
    if mind.graph.count("interpretation") > _MOST_COMPARED:
        return None, []
    with suppress(TimeoutError):
        await asyncio.wait_for(mind.suspects.caught_up(), _PATIENCE_S)
    near = mind.suspects.near(node.id)
    return mind.suspects.code(node.id), [(one.right if one.left == node.id else one.left, one.bits) for one in near]


def _traits(node: Node) -> list[tuple[str, str]]:
    traits = [("id", node.id)]
    match node:
        case Question():
            traits += [("status", node.status), ("stake", node.stake)]
        case Interpretation():
            asserted = "not said" if node.asserted_confidence is None else f"{node.asserted_confidence:.2f}"
            traits += [("kind", node.kind), ("level", str(node.level)), ("status", node.status)]
            traits += [("confidence", f"{node.confidence:.2f} (asserted: {asserted})")]
        case Fact():
            traits += [("entities", ", ".join(node.entities) or "-")]
    traits += [("domains", ", ".join(node.domains) or "-"), ("by", node.created_by)]
    traits += [("created", moment(node.created_at))]
    if node.superseded_by:
        traits.append(("superseded", f"by {node.superseded_by}"))
    return traits


def _print_links(identifier: NodeId, edges: list[Edge], references: list[NodeId], near: dict[NodeId, Node]) -> None:
    rows = []
    for edge in edges:
        is_source = edge.src == identifier
        other = edge.dst if is_source else edge.src
        words = f"{edge.type} ->" if is_source else f"<- {edge.type}"
        rows.append((edge.id, words, other, edge.created_by, near[other].text if other in near else ""))
    rows += [("", "refers to", other, "", near[other].text if other in near else "") for other in references]
    heading("Links")
    columns = [Column("edge", style="cyan"), Column("how"), Column("node", style="cyan"), Column("by", style="dim")]
    print_table([*columns, Column("text", is_text=True)], rows, empty="None.")


async def _edge(mind: Mind, identifier: str, as_json: bool) -> None:
    edge = next((edge for edge in await mind.store.edges() if edge.id == identifier), None)
    if edge is None:
        raise InputError(f"no edge {identifier!r} in this mind: `perdura show ID` lists the edges of a node")
    ends = await mind.store.nodes([edge.src, edge.dst])
    if as_json:
        print_json(edge_document(edge) | {"nodes": [node_document(node) for node in ends.values()]})
        return
    line(f"{edge.src} {edge.type} {edge.dst}, drawn by {edge.created_by}")
    for node in ends.values():
        heading(node.id)
        prose(node.text)


async def _boarding(mind: Mind, identifier: str, as_json: bool) -> None:
    record = await _record(mind, identifier)
    if record is None:
        raise InputError(f"no boarding {identifier!r} in this mind: `perdura events` lists what happened")
    events = await mind.store.events(boarding=identifier)
    by_lot = drawn(events)
    if as_json:
        print_json(
            boarding_document(record) | {"shown_by_lot": by_lot, "history": [event_document(event) for event in events]}
        )
        return
    _print_record(record)
    if by_lot is not None:
        line(f"{by_lot} had a slot of the briefing by lot: few paths lead to it", style="dim")
    heading("What happened")
    rows = [(event.seq, moment(event.at), sentence(event)) for event in events]
    print_table([Column("seq", is_number=True), Column("at"), Column("what", is_text=True)], rows, empty="none")


def _print_record(record: BoardingRecord) -> None:
    boarding = record.boarding
    ending = record.ending or "still aboard"
    line(f"{boarding.id}: {boarding.model} on {boarding.question}, {boarding.mode}, {ending}")
    line(f"chosen by {boarding.route.policy}: {boarding.route.reason}", style="dim")
    line(f"{record.merged} merged, {record.rejected} rejected, {dollars(record.cost_micro_usd)}", style="dim")
    if record.reason:
        line(record.reason, style="dim")
