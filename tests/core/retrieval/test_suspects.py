"""Suspected pairs keep up with the journal; what is dismissed stays dismissed; what is restated weighs nothing."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from perdura_core import acts
from perdura_core.briefing import assemble
from perdura_core.clock import Clock, Ids
from perdura_core.conductor.joining import join
from perdura_core.config import BriefingSettings, Providers
from perdura_core.graph import Graph
from perdura_core.mind import Mind
from perdura_core.retrieval import Finder, Suspects, build_embedder
from perdura_core.retrieval.embedders.wordllama import is_installed
from perdura_core.routing import Records
from perdura_core.store import Journal, open_sqlite
from perdura_core.vocabulary import CONDUCTOR, Draft, Happening, InterpretationAdded
from tests.core.graph.making import asked, judged, linked

pytestmark = pytest.mark.skipif(not is_installed(), reason="wordllama is not installed")

OPPOSED = ("The nightly backup must run before the audit.", "The nightly backup must not run before the audit.")
OTHERS = (
    "Votes of the council decide in December.",
    "The crane stopped because nobody had paid for electricity.",
    "Trains between the two cities are slower in winter.",
)


@asynccontextmanager
async def suspecting(path: Path) -> AsyncIterator[tuple[Journal, Suspects]]:
    async with (
        open_sqlite(path) as store,
        Journal.open(store, Clock()) as journal,
        Finder.open(journal, build_embedder("wordllama", Providers())) as finder,
        Suspects.open(journal, finder) as suspects,
    ):
        yield journal, suspects


async def write(journal: Journal, *happenings: Happening) -> None:
    await journal.append([Draft(what=what, by="reader:support") for what in happenings])


def by(author: str, added: InterpretationAdded) -> InterpretationAdded:
    made = added.interpretation.model_copy(update={"created_by": author})
    return added.model_copy(update={"interpretation": made})


def claims(texts: Sequence[str], first: int = 1) -> list[Happening]:
    return [judged(f"i{number}", text=text) for number, text in enumerate(texts, first)]


def numbered_claims(graph: Graph, ids: Ids) -> list[Draft]:
    """Like a worker's: with ids that nobody else gets."""
    return [Draft(what=judged(ids.next("i"), text=text), by="reader:support") for text in OPPOSED]


async def found(suspects: Suspects) -> list[tuple[str, str]]:
    async with asyncio.timeout(30):
        await suspects.caught_up()
    return [(one.left, one.right) for one in suspects.suspected()]


async def test_pairs_are_found_in_what_is_there_and_in_what_comes(tmp_path: Path) -> None:
    async with suspecting(tmp_path / "a.mind") as (journal, suspects):
        await write(journal, asked("q1"), *claims(OPPOSED), *claims(OTHERS, 3))
        assert await found(suspects) == [("i1", "i2")]
        [one] = suspects.suspected()
        assert one.reasons
        assert suspects.restated() == []
        await write(journal, judged("i6", text="Trains between the two cities are faster in winter."))
        assert ("i5", "i6") in await found(suspects)
        await write(journal, linked("e1", "contradicts", "i2", "i1"))
        assert ("i1", "i2") not in await found(suspects)
        assert suspects.suspected({"i1", "i2", "i3"}) == []
        assert suspects.to_audit(["i5", "i6"]) == [("i5", "i6")]


async def test_what_was_dismissed_stays_dismissed_until_it_is_undone(tmp_path: Path) -> None:
    path = tmp_path / "a.mind"
    async with Mind.open(path) as mind:
        await write(mind.journal, *claims(OPPOSED))
        assert await found(mind.suspects) == [("i1", "i2")]
        await mind.act(acts.dismiss("i2", "i1"))
        assert mind.suspects.suspected() == []
    async with Mind.open(path) as mind:
        assert await found(mind.suspects) == []
        await mind.undo()
        assert await found(mind.suspects) == [("i1", "i2")]
        await mind.act(acts.contradict("i1", "i2", mind.clock.now()))
        assert mind.graph.disputes() == [("i1", "i2")]
        assert mind.suspects.suspected() == []


async def test_both_sides_of_a_suspected_pair_can_stand(tmp_path: Path) -> None:
    async with Mind.open(tmp_path / "a.mind") as mind:
        await mind.journal.write(numbered_claims)
        assert await found(mind.suspects) == [("i1", "i2")]
        scope = "Before the audit of spring, not before that of autumn."
        await mind.act(acts.stand_both("i1", "i2", scope, mind.clock.now(), is_suspected=True))
        assert ("i1", "i2") not in await found(mind.suspects)


async def test_near_duplicates_are_joined_and_their_codes_can_be_read(tmp_path: Path) -> None:
    async with suspecting(tmp_path / "a.mind") as (journal, suspects):
        await write(
            journal, asked("q1"), *claims([OPPOSED[0], OTHERS[0], "The nightly backup has to run before the audit!"])
        )
        await found(suspects)
        assert [(one.left, one.right) for one in suspects.near("i1")] == [("i1", "i3")]
        assert suspects.restated() == [("i3", "i1")]
        code = suspects.code("i1")
        assert code is not None
        assert len(code) == 24
        assert suspects.code("q1") is None
        await journal.write(join(suspects.restated(), journal.clock.now()))
        [link] = journal.graph.links("i3")
        assert (link.type, link.src, link.dst, link.created_by) == ("refines", "i3", "i1", CONDUCTOR)
        assert suspects.restated() == []
        assert await journal.write(join([("i3", "i1")], journal.clock.now())) == ()


async def test_one_model_saying_one_thing_200_times_adds_no_weight(tmp_path: Path) -> None:
    """Neither to contention, nor to its record, nor to a briefing."""
    said, denied = OPPOSED
    async with suspecting(tmp_path / "a.mind") as (journal, suspects):
        await write(
            journal,
            asked("q1", "When must the nightly backup run?"),
            judged("i1", text=said, confidence=0.8),
            by("reader:doubt", judged("i2", text=denied, confidence=0.6)),
            by("reader:gather", judged("i3", text=OTHERS[0])),
            *(linked(f"e90{n}", "answers", f"i{n}", "q1") for n in (1, 2, 3)),
            linked("e904", "contradicts", "i2", "i1", created_by="reader:doubt"),
            linked("e905", "supports", "i3", "i1", created_by="reader:gather"),
        )
        graph = journal.graph
        await found(suspects)
        before = graph.contention("q1"), graph.claims_in("q1"), graph.disputes("q1"), Records(graph).track()

        async def told() -> list[str]:
            shown = await assemble(
                journal.store, graph, "q1", settings=BriefingSettings(), max_tokens=6_000, search=None
            )
            return [node.id for node in shown.nodes]

        briefed = await told()
        again = [said.replace("must", "has to"), said.lower(), said.replace(".", "!"), f"“{said}”", said.upper()]
        for first in range(10, 210, 20):
            more = [
                judged(f"i{n}", text=f"{again[n % 5]}{' ' * (n // 5)}", confidence=0.9)
                for n in range(first, first + 20)
            ]
            await write(
                journal,
                *more,
                *(linked(f"e91{n}", "answers", f"i{n}", "q1") for n in range(first, first + 20)),
                *(
                    linked(f"e92{n}", "contradicts", "i2", f"i{n}", created_by="reader:doubt")
                    for n in range(first, first + 20)
                ),
                *(
                    linked(f"e93{n}", "supports", "i3", f"i{n}", created_by="reader:gather")
                    for n in range(first, first + 20)
                ),
            )
            await found(suspects)
            await journal.write(join(suspects.restated(), journal.clock.now()))
        assert graph.count("interpretation") == 203
        assert graph.contention("q1") == before[0] > 0
        assert graph.claims_in("q1") == before[1]
        assert graph.disputes("q1") == before[2]
        records = {record.model: record for record in Records(graph).track()}
        for record in before[3]:
            assert records[record.model].reliability == pytest.approx(record.reliability)
            assert records[record.model].outcomes == record.outcomes
        assert await told() == briefed
        assert [(one.left, one.right) for one in suspects.suspected()] == []
