"""Unedited replies of real small models: read without an exception, and merged only as far as they say something."""

import gzip
import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from perdura_core.delta import DeltaParser, RawElement
from perdura_core.vocabulary import ElementMerged, ElementRejected
from tests.core.delta.world import World, claim, fact, of, question

_FILE = Path(__file__).parents[4] / "shared" / "data" / "raw-replies.jsonl.gz"


@pytest.fixture(scope="module")
def replies() -> list[dict[str, Any]]:
    if not _FILE.exists():
        pytest.skip(f"the recorded replies are not at {_FILE}")
    with gzip.open(_FILE, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def read(*pieces: str) -> list[RawElement]:
    parser = DeltaParser()
    out = [raw for piece in pieces for raw in parser.feed(piece)]
    return out + parser.close()


def chunks(text: str, chance: Random) -> list[str]:
    out, pos = [], 0
    while pos < len(text):
        size = chance.choice([1, 2, 3, 7, 40, 300])
        out.append(text[pos : pos + size])
        pos += size
    return out


def world_of(reply: dict[str, Any]) -> World:
    world = World()
    for node in dict.fromkeys(["q1", *reply["shown"]]):
        made: Any = {"q": question, "f": fact, "i": claim}[node[0]]
        world.add(made(node, f"What the mind held as {node}."))
    return world


def test_chunked_at_random_they_say_the_same(replies: list[dict[str, Any]]) -> None:
    chance = Random(7)
    for reply in replies:
        whole = read(reply["reply"])
        for _ in range(5):
            assert repr(read(*chunks(reply["reply"], chance))) == repr(whole)
        assert repr(read(*reply["reply"])) == repr(whole)


def test_cut_anywhere_they_say_the_beginning_of_it(replies: list[dict[str, Any]]) -> None:
    chance = Random(8)
    for reply in replies:
        whole = [repr(raw) for raw in read(reply["reply"])]
        for _ in range(5):
            cut = [repr(raw) for raw in read(reply["reply"][: chance.randrange(len(reply["reply"]) + 1)])]
            assert cut == whole[: len(cut)]


def test_they_merge_only_what_they_say(replies: list[dict[str, Any]]) -> None:
    seen: Counter[str] = Counter()
    for reply in replies:
        world = world_of(reply)
        aboard = world.board(shown=frozenset(reply["shown"]))
        elements = read(reply["reply"])
        events = world.tell(aboard, elements)
        seen["elements"] += len(elements)
        for rejected in of(events, ElementRejected):
            seen[rejected.reason] += 1
            assert rejected.detail
        for merged in of(events, ElementMerged):
            seen["merged"] += 1
            sent = elements[merged.index].value
            assert sent["kind"] == merged.element
            if merged.note is None and merged.element in {"claim", "fact", "question", "decision", "rejected"}:
                assert world.text_of(merged.node or "") == sent["text"].strip()
                assert sent["text"] in reply["reply"]
        assert world.tell(aboard, elements) == []
    assert seen["elements"] > 200
    assert seen["merged"] > 0
    assert seen.keys() >= {"ref_taken", "template_text", "not_allowed", "malformed", "missing_field"}
