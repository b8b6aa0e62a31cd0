"""Replayed models: what they say to what stands, and what they refuse."""

import json
from pathlib import Path
from typing import Any

import pytest

from perdura_core.config import Providers
from perdura_core.errors import RequestError
from perdura_core.vocabulary import Briefing, BriefingNode, Call, Card, Prompt, TextChunk, UsageChunk
from perdura_core.workers.build import build_worker
from perdura_core.workers.replay import Replayed, ReplayWorker

CARD = Card(id="replay:m")


def call(*claims: str) -> Call:
    nodes = [
        BriefingNode(id=f"i{at}", layer="interpretation", kind="claim", text=text) for at, text in enumerate(claims, 1)
    ]
    briefing = Briefing(question=BriefingNode(id="q1", layer="question", text="x-1 which?"), nodes=tuple(nodes))
    prompt = Prompt(system="", user="")
    return Call(briefing=briefing, prompt=prompt, delta_schema={}, max_output_tokens=9, prompt_tokens=9)


async def said(worker: Any, of: Call) -> list[dict[str, Any]]:
    text = "".join([chunk.text async for chunk in worker.stream(of) if isinstance(chunk, TextChunk)])
    elements: list[dict[str, Any]] = json.loads(text)["contributions"]
    return elements


async def test_it_claims_its_answer_and_contradicts_another() -> None:
    worker = ReplayWorker(CARD, {"x-1": {"m": Replayed("B", 0.7)}})
    (claim,) = await said(worker, call("x-1: the answer is A", "y-2: the answer is C"))
    assert (claim["kind"], claim["text"], claim["confidence"]) == ("claim", "x-1: the answer is B", 0.7)
    assert claim["links"] == [{"type": "answers", "to": "q1"}, {"type": "contradicts", "to": "i1"}]


async def test_it_decides_a_dispute_in_which_its_answer_stands() -> None:
    worker = ReplayWorker(CARD, {"x-1": {"m": Replayed("B", 0.7)}})
    (decision,) = await said(worker, call("x-1: the answer is A", "x-1: the answer is B"))
    assert decision["kind"] == "decision"
    assert {"type": "refines", "to": "i2"} in decision["links"]


async def test_nothing_recorded_is_an_empty_delta() -> None:
    assert await said(ReplayWorker(CARD, {}), call()) == []
    assert await said(ReplayWorker(CARD, {"x-1": {"m": Replayed(None)}}), call()) == []


async def test_a_recording_is_named_by_the_environment(tmp_path: Path) -> None:
    path = tmp_path / "recorded.jsonl"
    row = {"id": "x-1", "question": "abcd", "answers": {"m": {"answer": "C", "chars": 8}}}
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    worker = build_worker(CARD, Providers.from_environment({"PERDURA_REPLAY": str(path)}))
    assert (await said(worker, call()))[0]["text"] == "x-1: the answer is C"
    usage = [chunk.usage async for chunk in worker.stream(call()) if isinstance(chunk, UsageChunk)]
    assert [(one.input_tokens, one.output_tokens) for one in usage] == [(1, 2)]
    await worker.close()


@pytest.mark.parametrize("named", [None, "absent.jsonl"])
def test_a_missing_recording_says_what_to_do(named: str | None) -> None:
    with pytest.raises(RequestError, match="PERDURA_REPLAY"):
        build_worker(CARD, Providers(replay_file=named))
