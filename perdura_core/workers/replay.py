"""Replayed models: each answers as a real model was recorded to answer, and says so in the form of a delta."""

import asyncio
import gzip
import json
import re
from collections.abc import AsyncGenerator, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from perdura_core.config import Providers
from perdura_core.errors import RequestError
from perdura_core.vocabulary import (
    Briefing,
    BriefingNode,
    Call,
    Card,
    Chunk,
    ModelId,
    Stop,
    TextChunk,
    Usage,
    UsageChunk,
)

__all__ = [
    "Recording",
    "ReplayWorker",
    "Replayed",
    "answer_of",
    "answering",
    "build",
    "key_of",
    "recording_from",
    "sides",
]

_CHARACTERS_PER_TOKEN = 4
_ANSWER = re.compile(r"^(?P<key>\S+): the answer is (?P<answer>.+)$", re.DOTALL)


class Replayed(NamedTuple):
    """One recorded answer."""

    answer: str | None
    """None: nobody could read one."""
    confidence: float = 0.5
    """What the worker asserts; recordings hold none, so whoever makes one says how it knows."""
    tokens_in: int = 0
    tokens_out: int = 0


Recording = Mapping[str, Mapping[str, Replayed]]
"""Key of a question (see `key_of`) -> name of a model -> what it answered."""


def key_of(text: str) -> str:
    """The key by which a question's text names its recording: its first word."""
    return text.split(maxsplit=1)[0] if text.strip() else ""


def answer_of(text: str) -> str | None:
    """The answer that a replayed claim or decision gives; None for any other text."""
    found = _ANSWER.match(text)
    return None if found is None else found["answer"]


class ReplayWorker:
    """Says what its model was recorded to say on the briefing's question, in one chunk.

    It claims its answer, contradicts the claims that give another one, and where others dispute already and one side
    is its own, it decides for it. An answer that stands already is said again, which is a vote for it. A question
    that was not recorded, or on which it gave no readable answer, gets an empty delta.
    """

    def __init__(self, card: Card, recording: Recording) -> None:
        self._model = card.id
        self._name = card.id.partition(":")[2]
        self._recording = recording

    @property
    def model(self) -> ModelId:
        """The card's id."""
        return self._model

    async def stream(self, call: Call) -> AsyncGenerator[Chunk, None]:
        """See the protocol. Reads `call.briefing` alone; usage is that of the recorded call, by characters / 4."""
        await asyncio.sleep(0)
        said = self._recording.get(key_of(call.briefing.question.text), {}).get(self._name)
        elements = [] if said is None or said.answer is None else self.elements(call.briefing, said)
        yield TextChunk(text=json.dumps({"contributions": elements}, ensure_ascii=False))
        if said is not None:
            usage = Usage(
                input_tokens=said.tokens_in, output_tokens=said.tokens_out, cache_read_tokens=0, cache_write_tokens=0
            )
            yield UsageChunk(usage=usage)
        yield Stop(reason="end")

    async def close(self) -> None:
        """Nothing to let go of."""

    def elements(self, briefing: Briefing, said: Replayed) -> list[dict[str, Any]]:
        """What it contributes: one element, in the wire form."""
        return answering(briefing, said)


def sides(briefing: Briefing, answer: str | None) -> tuple[list[BriefingNode], list[BriefingNode]]:
    """The standing answers to the briefing's question that are the same as this one, and the others."""
    key = key_of(briefing.question.text)
    standing = [node for node in briefing.nodes if _is_answer(node, key)]
    mine = [node for node in standing if answer_of(node.text) == answer]
    return mine, [node for node in standing if answer_of(node.text) != answer]


def answering(briefing: Briefing, said: Replayed) -> list[dict[str, Any]]:
    """The element that gives this answer and says what it contradicts."""
    key = key_of(briefing.question.text)
    mine, others = sides(briefing, said.answer)
    is_dispute = bool(mine) and bool(others)
    element: dict[str, Any] = {
        "kind": "decision" if is_dispute else "claim",
        "ref": "a",
        "text": f"{key}: the answer is {said.answer}",
        "confidence": round(said.confidence, 3),
        "links": [
            {"type": "answers", "to": briefing.question.id},
            *({"type": "refines", "to": node.id} for node in mine if is_dispute),
            *({"type": "contradicts", "to": node.id} for node in others),
        ],
    }
    return [element]


def _is_answer(node: BriefingNode, key: str) -> bool:
    found = _ANSWER.match(node.text) if node.layer == "interpretation" else None
    return found is not None and found["key"] == key and not node.is_context


def recording_from(rows: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Replayed]]:
    """The recording of rows `{id, question?, choices?, answers: {model: {answer, chars}}}`, keyed by id."""
    recording: dict[str, dict[str, Replayed]] = {}
    for row in rows:
        asked = len(row.get("question") or "") + sum(map(len, row.get("choices") or ()))
        recording[key_of(str(row["id"]))] = {
            model: Replayed(
                answer=given.get("answer"),
                tokens_in=asked // _CHARACTERS_PER_TOKEN,
                tokens_out=(given.get("chars") or 0) // _CHARACTERS_PER_TOKEN,
            )
            for model, given in row.get("answers", {}).items()
        }
    return recording


@cache
def _load(path: str) -> Recording:
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as lines:
        return recording_from(json.loads(line) for line in lines if line.strip())


def build(card: Card, providers: Providers, pace: float | None = None) -> ReplayWorker:
    """The replayed model of this card. Raises RequestError when no recording is named or it cannot be read."""
    if providers.replay_file is None:
        raise RequestError(card.id, "no recording is named: set PERDURA_REPLAY to a JSONL file of recorded answers")
    try:
        return ReplayWorker(card, _load(str(Path(providers.replay_file))))
    except (OSError, ValueError, KeyError) as error:
        raise RequestError(
            card.id, f"{providers.replay_file!r} is no recording ({error}): see PERDURA_REPLAY"
        ) from None
