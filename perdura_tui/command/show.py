"""`show`, `questions`, `facts`, `claims` and `contention`: what the mind holds."""

import asyncio
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, get_args

from perdura_core.mind import Mind
from perdura_core.vocabulary import Fact, Interpretation, InterpretationKind, NodeId, Question, Suspicion
from perdura_tui.command import Verb, no_arguments
from perdura_tui.command.documents import edge_document, node_document
from perdura_tui.command.inspect import check_id, inspect
from perdura_tui.command.minds import opened, wants_json
from perdura_tui.command.output import Column, heading, line, print_json, print_table
from perdura_tui.command.values import positive

__all__ = ["VERBS"]

_ID = Column("id", style="cyan")
_TEXT = Column("text", is_text=True)
_FEW = 20
"""Rows per section of the overview."""
_MOST_SUSPECTED = 50
_PATIENCE_S = 10.0


async def _show(given: Namespace) -> int:
    if given.id is not None:
        check_id(given.id)
    async with opened(given, readonly=True) as mind:
        if given.id is not None:
            await inspect(mind, given.id, as_json=wants_json(given))
        elif wants_json(given):
            print_json(await _mind_document(mind))
        else:
            await _overview(mind)
    return 0


async def _mind_document(mind: Mind) -> dict[str, Any]:
    # Edges first: what they join is then in every later snapshot.
    edges = await mind.store.edges()
    return {
        "questions": [node_document(node) for node in await mind.store.questions()],
        "facts": [node_document(node) for node in await mind.store.facts()],
        "interpretations": [node_document(node) for node in await mind.store.interpretations()],
        "edges": [edge_document(edge) for edge in edges],
        "contention": mind.graph.contention_all(),
    }


async def _overview(mind: Mind) -> None:
    graph, store = mind.graph, mind.store
    counts = ", ".join(f"{graph.count(layer)} {layer}s" for layer in ("question", "fact", "interpretation"))
    line(f"{mind.name}: {counts}, contention {graph.contention_all():.2f}, {await store.head()} events")
    heading("Questions")
    await _print_questions(mind, await store.questions())
    live = [judged for judged in await store.interpretations(limit=_FEW * 10, newest=True) if _is_live(judged)]
    heading(f"Latest of {graph.count('interpretation')} interpretations")
    _print_interpretations(live[:_FEW])
    disputes = graph.disputes()
    if disputes:
        heading(f"Hottest of {len(disputes)} disputes")
        await _print_disputes(mind, disputes[:_FEW])


def _is_live(judged: Interpretation) -> bool:
    return judged.superseded_by is None and judged.status == "active" and judged.kind != "rejected"


def _question_standing(mind: Mind, question: Question) -> dict[str, Any]:
    links = mind.graph.links(question.id)
    answers = sum(link.type == "answers" and link.dst == question.id for link in links)
    return {
        "contention": mind.graph.contention(question.id),
        "answers": answers,
        "boardings": mind.graph.boardings_of(question.id),
    }


async def _print_questions(mind: Mind, questions: Sequence[Question]) -> None:
    """Where the scatter of claims counts, what the router goes by stands beside contention by edges."""
    scattered = await mind.with_scatter(one.id for one in questions)
    rows = []
    for question in sorted(questions, key=lambda one: -mind.graph.contention(one.id)):
        standing = _question_standing(mind, question)
        state = "superseded" if question.superseded_by else question.status
        rows.append(
            (
                question.id,
                f"{standing['contention']:.2f}",
                *([f"{scattered[question.id]:.2f}"] if scattered else []),
                standing["answers"],
                standing["boardings"],
                f"{state}, pinned" if question.pinned else state,
                question.stake,
                question.text,
            )
        )
    numbers = ("contention", *(["with scatter"] if scattered else []), "answers", "boardings")
    columns = [_ID, *(Column(title, is_number=True) for title in numbers)]
    columns += [Column("status"), Column("stake"), _TEXT]
    print_table(columns, rows, empty="No question yet: `perdura ask TEXT` adds one.")


def _print_interpretations(judged: Sequence[Interpretation]) -> None:
    rows = (
        (one.id, one.kind, one.level, f"{one.confidence:.2f}", _standing(one), one.created_by, one.text)
        for one in judged
    )
    columns = [_ID, Column("kind"), Column("level", is_number=True), Column("confidence", is_number=True)]
    columns += [Column("status"), Column("by", style="dim"), _TEXT]
    print_table(columns, rows, empty="No claim yet: `perdura run --boardings 6` lets workers board.")


def _standing(judged: Interpretation) -> str:
    return f"-> {judged.superseded_by}" if judged.superseded_by else judged.status


async def _print_disputes(mind: Mind, disputes: Sequence[tuple[NodeId, NodeId]]) -> None:
    nodes = await mind.store.nodes({end for pair in disputes for end in pair})
    rows = []
    for left, right in disputes:
        heat = _heat(mind, left, right)
        rows.append((f"{left} x {right}", f"{heat:.2f}", f"{nodes[left].text} | {nodes[right].text}"))
    columns = [Column("pair", style="cyan"), Column("confidence", is_number=True), Column("both sides", is_text=True)]
    print_table(columns, rows, empty="No live contradiction.")


def _heat(mind: Mind, left: NodeId, right: NodeId) -> float:
    ends = [vertex.confidence for vertex in map(mind.graph.get, (left, right)) if vertex is not None]
    return sum(ends) / len(ends)


async def _questions(given: Namespace) -> int:
    async with opened(given, readonly=True) as mind:
        questions = await mind.store.questions()
        if given.open:
            questions = [one for one in questions if one.status == "open" and one.superseded_by is None]
        if wants_json(given):
            scattered = await mind.with_scatter(one.id for one in questions)
            print_json(
                [
                    node_document(one) | _question_standing(mind, one) | {"with_scatter": scattered.get(one.id)}
                    for one in questions
                ]
            )
        else:
            await _print_questions(mind, questions)
    return 0


async def _facts(given: Namespace) -> int:
    async with opened(given, readonly=True) as mind:
        nodes = await _found(mind, given, "fact")
        facts = [node for node in nodes if isinstance(node, Fact)]
        if wants_json(given):
            print_json([node_document(fact) for fact in facts])
        else:
            rows = ((fact.id, fact.source, len(fact.occurrences), fact.text) for fact in facts)
            columns = [_ID, Column("source", style="dim"), Column("seen", is_number=True), _TEXT]
            print_table(columns, rows, empty="No fact: `perdura read FILES` takes documents apart into facts.")
    return 0


async def _claims(given: Namespace) -> int:
    async with opened(given, readonly=True) as mind:
        nodes = await _found(mind, given, "interpretation")
        judged = [node for node in nodes if isinstance(node, Interpretation)]
        if given.kind:
            judged = [one for one in judged if one.kind == given.kind]
        if wants_json(given):
            print_json([node_document(one) for one in judged])
        else:
            _print_interpretations(judged)
    return 0


async def _found(mind: Mind, given: Namespace, layer: Any) -> Sequence[Fact | Interpretation | Question]:
    """The nodes of a layer that match `--search`, best first, or all of them; of `--domain` only, if given."""
    nodes: Sequence[Fact | Interpretation | Question]
    if given.search is not None:
        hits = await mind.store.search_text(given.search, [layer], given.limit or 200)
        known = await mind.store.nodes([hit.node for hit in hits])
        nodes = [known[hit.node] for hit in hits if hit.node in known]
    elif layer == "fact":
        nodes = await mind.store.facts()
    else:
        nodes = await mind.store.interpretations()
    if given.domain:
        nodes = [node for node in nodes if given.domain in node.domains]
    return nodes[: given.limit] if given.limit else nodes


async def _contention(given: Namespace) -> int:
    async with opened(given, readonly=True) as mind:
        graph = mind.graph
        questions = [one for one in await mind.store.questions() if one.superseded_by is None]
        domains = graph.contention_of_domains()
        disputes = graph.disputes()
        suspected = await _suspected(mind)
        if wants_json(given):
            scattered = await mind.with_scatter(one.id for one in questions)
            print_json(
                {
                    "contention": graph.contention_all(),
                    "questions": [
                        {
                            "id": one.id,
                            "contention": graph.contention(one.id),
                            "with_scatter": scattered.get(one.id),
                            "claims": graph.claims_in(one.id),
                        }
                        for one in questions
                    ],
                    "domains": dict(domains),
                    "disputes": [{"from": a, "to": b, "confidence": _heat(mind, a, b)} for a, b in disputes],
                    "suspected": [
                        {"from": one.left, "to": one.right, "score": round(one.score, 3), "reasons": one.reasons}
                        for one in suspected
                    ],
                    "quiet_boardings": mind.quiet.boardings,
                    "consensus_alarm": mind.quiet.is_alarm,
                }
            )
            return 0
        line(f"{mind.name}: contention {graph.contention_all():.2f}, {len(disputes)} live disputes")
        if mind.quiet.is_alarm:
            line(mind.quiet.sentence, style="yellow")
        heading("Questions")
        await _print_questions(mind, questions)
        heading("Domains")
        hottest = sorted(domains.items(), key=lambda item: -item[1])
        columns = [Column("domain"), Column("contention", is_number=True)]
        print_table(columns, ((name, f"{heat:.2f}") for name, heat in hottest), empty="No claim has a domain.")
        heading("Disputes")
        await _print_disputes(mind, disputes)
        if suspected:
            heading("Suspected, by no edge yet")
            texts = await mind.store.texts([node for one in suspected for node in (one.left, one.right)])
            rows = [
                (f"{one.score:.2f}", one.left, texts[one.left], one.right, texts[one.right], "; ".join(one.reasons[:2]))
                for one in suspected
                if one.left in texts and one.right in texts
            ]
            columns = [Column("score", is_number=True), _ID, Column("text", is_text=True), _ID]
            print_table([*columns, Column("text", is_text=True), Column("why", is_text=True)], rows, empty="")
    return 0


async def _suspected(mind: Mind) -> list[Suspicion]:
    """The most suspicious pairs, as far as they are found within a few seconds."""
    with suppress(TimeoutError):
        await asyncio.wait_for(mind.suspects.caught_up(), _PATIENCE_S)
    return mind.suspects.suspected()[:_MOST_SUSPECTED]


def _show_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", metavar="ID", help="a node (q7, f1042, i311), an edge (e4) or a boarding (b3)")


def _question_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--open", action="store_true", help="only those still open")


def _list_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--search", metavar="WORDS", help="only those whose text matches, best first")
    parser.add_argument("--domain", metavar="D", help="only those of this domain")
    parser.add_argument("--limit", metavar="N", type=positive, help="at most so many")


def _claim_arguments(parser: ArgumentParser) -> None:
    _list_arguments(parser)
    parser.add_argument("--kind", choices=get_args(InterpretationKind), help="only those of this kind")


VERBS = {
    "show": Verb(_show_arguments, _show),
    "questions": Verb(_question_arguments, _questions),
    "facts": Verb(_list_arguments, _facts),
    "claims": Verb(_claim_arguments, _claims),
    "contention": Verb(no_arguments, _contention),
}
