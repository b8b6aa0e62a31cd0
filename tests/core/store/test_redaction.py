"""A redacted text is gone: from rows, from the index, from the journal, and after a purge from the bytes on disk."""

import json
from pathlib import Path

import pytest

from perdura_core.clock import Clock
from perdura_core.store import Journal, open_sqlite
from perdura_core.store.redaction import MARKER, erase
from perdura_core.vocabulary import (
    ConfidenceVoted,
    ElementHeld,
    ElementRejected,
    FactObserved,
    Happening,
    NodeRedacted,
    NodeSuperseded,
    Occurrence,
)
from tests.core.store.making import NOW, boarding, claim, draft, fact, put, question, start

SECRET = 'Zebulon\'s "key" is sk-7781\nand 鍵は秘密です.'
WORDS = ("Zebulon", "zebulon", "7781", "秘密")


def rejected(sent: str, detail: str = "no") -> ElementRejected:
    return ElementRejected(boarding="b1", index=0, fingerprint="x", reason="repeated_node", detail=detail, sent=sent)


def leaks() -> list[Happening]:
    """The secret in every place where somebody may quote it."""
    element = {"kind": "claim", "text": SECRET, "links": [{"type": "answers", "to": "q1"}]}
    return [
        boarding(),
        fact(SECRET),
        fact("Beside it."),
        claim(f"It is said that {SECRET} That is all.", "i1"),
        claim(SECRET, "i2"),
        question(SECRET, "q2"),
        rejected(json.dumps(element)),
        rejected(json.dumps(element, ensure_ascii=False), f"{SECRET[:12]!r}..."),
        rejected(("x" * 1980 + SECRET)[:2000]),
        ElementHeld(proposal="p1", boarding="b1", index=1, fingerprint="y", element=element, why=f"says {SECRET}"),
        ConfidenceVoted(node="i1", confidence=0.2, reason=f"because {SECRET}"),
        FactObserved(node="f1", occurrence=Occurrence(source=SECRET, recorded_at=NOW, recorded_by="ingest")),
    ]


def found_on_disk(folder: Path) -> set[str]:
    raw = b"".join(file.read_bytes() for file in folder.iterdir())
    return {word for word in WORDS if word.encode() in raw or word.encode("utf-16-le") in raw}


@pytest.mark.parametrize("apart", [True, False])
async def test_a_redacted_text_is_nowhere(tmp_path: Path, apart: bool) -> None:
    async with open_sqlite(tmp_path / "a.mind") as store:
        said = [*start(), *(leak for leak in leaks() if leak != fact("Beside it."))]
        for batch in [[each] for each in said] if apart else [said]:
            await put(store, *batch)
        await put(store, *(fact(f"Filler {n} about key rotation.", f"f{n}") for n in range(2, 400)))
        await put(store, NodeSuperseded(node="f3", superseded_by="f4"))
        assert found_on_disk(tmp_path) == set(WORDS)
        kinds = [event.kind for event in await store.events()]
        await put(store, NodeRedacted(node="f1"))
        texts = [event.model_dump_json() for event in await store.events()]
        assert not [text for text in texts if any(word in text for word in WORDS)]
        assert [event.kind for event in await store.events()] == [*kinds, "node_redacted"]
        nodes = await store.nodes(["f1", "i1", "i2", "q2"])
        assert [nodes[id].text for id in ("f1", "i2", "q2")] == [MARKER] * 3
        assert nodes["i1"].text == f"It is said that {MARKER} That is all."
        for query in ("Zebulon", "7781", "秘密", "redacted zebulon"):
            assert {hit.node for hit in await store.search_text(query, ["question", "fact"], 9)} <= {"q2"}
        await store.purge()
        assert found_on_disk(tmp_path) == set()
        await put(store, NodeRedacted(node="f1"), NodeRedacted(node="i2"))
        assert [hit.node for hit in await store.search_text("filler 17", ["fact"], 1)] == ["f17"]
    assert found_on_disk(tmp_path) == set()


async def test_a_purge_waits_for_nobody_of_its_own_house(tmp_path: Path) -> None:
    async with open_sqlite(tmp_path / "a.mind") as store, open_sqlite(tmp_path / "a.mind", readonly=True) as other:
        await put(store, *start(), fact(SECRET))
        await other.facts()
        await put(store, NodeRedacted(node="f1"))
        await store.purge()
        assert found_on_disk(tmp_path) == set()
        assert [node.text for node in await other.facts()] == [MARKER]


async def test_short_and_common_texts_do_not_eat_the_journal(tmp_path: Path) -> None:
    async with open_sqlite(tmp_path / "a.mind") as store:
        texts = ["claim", "q1", "a", "", "text", "active", '"', "fact_recorded"]
        await put(
            store, *start(), *(fact(text, f"f{n}") for n, text in enumerate(texts, 1)), claim("a claim as q1 text")
        )
        await put(store, *(NodeRedacted(node=f"f{n}") for n in range(1, len(texts) + 1)))
        events = await store.events()
        assert [event.kind for event in events[2:10]] == ["fact_recorded"] * len(texts)
        assert {node.text for node in await store.facts()} == {MARKER}
        assert (await store.nodes(["i1"]))["i1"].text == "a claim as q1 text"
        assert (await store.load_graph()).count("fact") == len(texts)


async def test_the_graph_forgets_with_the_store(tmp_path: Path) -> None:
    async with open_sqlite(tmp_path / "a.mind") as store, Journal.open(store, Clock()) as journal:
        await journal.append([draft(each) for each in [*start(), fact(SECRET), claim(SECRET, "i1")]])
        held = journal.graph
        vertex = held.get("i1")
        assert vertex is not None
        await journal.append([draft(NodeRedacted(node="f1"))])
        assert journal.graph is held
        assert held.same_text("interpretation", vertex.digest) is None
        assert held.head == await store.head()
        await journal.append([draft(fact("After.", "f2"))])
        assert held.count("fact") == 2


def test_a_quotation_that_was_cut_is_known_by_its_beginning() -> None:
    text = "A long sentence that somebody wrote about something."
    assert erase("It said: A long sentence that some", text) == f"It said: {MARKER}"
    assert erase("It said: A long walk", text) == "It said: A long walk"
