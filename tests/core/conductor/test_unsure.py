"""The third tier: a model is asked about contributions whose layer nothing else decides, between boardings."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from perdura_core.conductor import SessionOrder
from perdura_core.config import RunSettings
from perdura_core.epistemics import read_wording
from perdura_core.vocabulary import Call, CostSettled, FactRecorded, LayerSettled, Usage
from tests.core.conductor.conftest import bench, card
from tests.core.conductor.scripted import Step, delta, said

MODEL = "test:sorter"
USAGE = Usage(input_tokens=10, output_tokens=5)
SENTENCES = (
    "The letters reveal a lonely and suspicious king.",
    "Seven nodes account for half of all betweenness.",
    "The relay team profits from its excellent baton changes.",
    "The dialect distinguishes two kinds of past tense.",
)
"""Of these the wording says too little to decide."""


def sends(call: Call, answer: str | None) -> Sequence[Step]:
    if "You sort sentences" in call.prompt.system:
        return said(
            answer if answer is not None else "I had rather not.", usage=Usage(input_tokens=10, output_tokens=5)
        )
    facts = [{"kind": "fact", "text": text, "links": []} for text in SENTENCES]
    return said(delta(*facts), usage=Usage(input_tokens=10, output_tokens=5))


def test_the_sentences_are_unsure() -> None:
    unsure = [text for text in SENTENCES if not read_wording(text).is_sure]
    assert len(unsure) >= 3


@pytest.mark.parametrize("after", [3, 0, 99])
async def test_a_model_is_asked_once_about_several(place: Path, after: int) -> None:
    answer = json.dumps({"layers": [{"id": "f1", "layer": "interpretation"}, {"id": "f2", "layer": "fact"}, 7]})
    run = RunSettings(ask_layers_after=after)
    priced = (card(MODEL, usd_in=1, usd_out=1),)
    async with bench(place, {MODEL: lambda call: sends(call, answer)}, priced, run=run) as b:
        await b.ask("How did the match end?")
        await b.conductor.run(SessionOrder(boardings=1, seats=1))
        events = await b.store.events()
        unsure = {
            event.what.fact.id
            for event in events
            if isinstance(event.what, FactRecorded) and event.what.placed is not None and not event.what.placed.is_sure
        }
        assert len(unsure) >= 3
        asked = [call for call in b.workers[MODEL].calls if "You sort sentences" in call.prompt.system]
        assert len(asked) == (1 if after == 3 else 0)
        settled = [event.what for event in events if isinstance(event.what, LayerSettled)]
        moved = [event for event in events if event.kind == "node_superseded"]
        assert len(settled) + len(moved) == len(unsure & {"f1", "f2"} if asked else ())
        assert all(one.tier == "model" for one in settled)
        costs = [event.what for event in events if isinstance(event.what, CostSettled)]
        assert len(costs) == 1 + len(asked)


async def test_an_answer_that_is_none_changes_nothing(place: Path) -> None:
    run = RunSettings(ask_layers_after=3)
    async with bench(place, {MODEL: lambda call: sends(call, None)}, run=run) as b:
        await b.ask("How did the match end?")
        await b.conductor.run(SessionOrder(boardings=2, seats=1))
        assert not await b.store.events(kinds=["layer_settled", "node_superseded"])
        asked = [call for call in b.workers[MODEL].calls if "You sort sentences" in call.prompt.system]
        assert len(asked) == 1
