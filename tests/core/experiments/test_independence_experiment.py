"""Factors of a mind that grew from recorded texts: a small one for its shape, and the whole one for its figures."""

import asyncio
from pathlib import Path

import numpy as np
import pytest

from perdura_core.errors import InputError
from perdura_core.experiments.independence import correlation_between, experiment_independence, measured_mind
from perdura_core.experiments.recorded_mind import Pace, grow
from perdura_core.experiments.recorded_topics import is_tuned_on, load_topics
from perdura_core.vocabulary import OPERATOR

SMALL = Pace(weeks=8, boardings=40, briefing_tokens=900)


def test_topics_are_whole(data: Path) -> None:
    topics = load_topics(data)
    assert len({topic.question for topic in topics}) > 1_800
    for topic in topics:
        told = {fact.key for fact in topic.facts}
        assert all(told.issuperset(said.facts) for said in topic.judgements)
        assert all(0 <= said.confidence <= 1 for said in topic.judgements)
        assert not any(key == said.key for said in topic.judgements for _, key in said.relations)
    assert 0.4 < np.mean([is_tuned_on(topic) for topic in topics]) < 0.6


def test_the_sets_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--data"):
        load_topics(tmp_path)


async def test_a_small_mind_grows_and_is_measured(data: Path, tmp_path: Path) -> None:
    topics = load_topics(data)[:16]
    path = tmp_path / "grown.mind"
    async with grow(path, topics, SMALL, "hashed") as journal:
        opened = await journal.store.events(kinds={"boarding_opened"}, limit=100)
        added = await journal.store.events(kinds={"edge_added", "interpretation_added"}, limit=2_000)
    assert len(opened) == SMALL.boardings
    shown = {event.what.boarding.id: {one.node for one in event.what.boarding.shown} for event in opened}
    made: dict[str, str] = {}
    for event in added:
        if event.what.kind == "interpretation_added":
            made[event.what.interpretation.id] = event.what.interpretation.boarding
    for event in added:
        if event.what.kind == "edge_added" and event.what.edge.dst[0] == "i":
            # A worker links to what it was shown, or to what it has just said itself.
            other, boarding = event.what.edge.dst, event.what.edge.boarding
            assert other in shown[boarding] or made[other] == boarding
    bench = await asyncio.to_thread(measured_mind, path, SMALL)
    assert bench.table.active.sum() == len(made) > 40
    assert OPERATOR not in {bench.table.models[row] for row in bench.table.author}
    for factor in bench.factors:
        known = factor[~np.isnan(factor)]
        assert len(known) > 0.5 * len(factor)
        assert known.std() > 0.01


def test_intervals_by_questions_are_wider_where_questions_repeat_themselves() -> None:
    dice = np.random.default_rng(1)
    x, noise = dice.random(200), dice.random(200)
    y = 0.5 * x + 0.5 * noise
    found = correlation_between(x, y, np.arange(200), 0)
    assert found.value == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert found.low is not None
    assert found.high is not None
    assert found.low < found.value < found.high
    repeated = correlation_between(np.repeat(x, 5), np.repeat(y, 5), np.repeat(np.arange(200), 5), 0)
    assert repeated.low == pytest.approx(found.low, abs=0.02)
    assert np.isnan(correlation_between(x, np.full(200, np.nan), np.arange(200), 0).value)


@pytest.mark.slow
@pytest.mark.timeout(2_700)
def test_the_factors_of_recorded_texts_are_independent(data: Path) -> None:
    figures = experiment_independence(data).figures
    alone = figures["mind"]["left alone"]
    assert alone["active"] == alone["interpretations"] >= 5_000
    assert alone["facts"] >= 5_000
    assert 1_000 < figures["mind"]["tended"]["active"] < alone["active"]
    for name, pairs in figures["pairs"].items():
        for pair, found in pairs.items():
            assert pair == "consistency-structural" or abs(found["r"].value) < 0.15, (name, pair)
    for name, spreads in figures["factors"].items():
        for factor, spread in spreads.items():
            assert spread["missing"] < 0.5, (name, factor)
            assert spread["commonest"] < 0.5, (name, factor)
    shares = [found["share"] for found in figures["keeping"].values() if isinstance(found, dict)]
    assert sum(shares) == pytest.approx(1, abs=0.01)
