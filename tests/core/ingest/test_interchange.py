"""Minds in other formats: the author's JSON there and back, the journal as lines."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perdura_core.conductor import order_from
from perdura_core.errors import InputError
from perdura_core.ingest.documents import read_documents
from perdura_core.ingest.foreign import Remarks, parse_foreign
from perdura_core.ingest.interchange import export_mind, import_mind
from perdura_core.ingest.lines import export_journal, import_journal
from perdura_core.mind import Mind
from perdura_core.vocabulary import Fact, Interpretation, Question

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def node(identifier: str, type_: str, text: str, **fields: Any) -> dict[str, Any]:
    defaults = {"domain_tags": ["storage"], "created_by": "claude", "confidence": 0.5, "created_at": 1781049600.25}
    return {"id": identifier, "type": type_, "text": text, "status": "open", "superseded_by": None} | defaults | fields


def edge(identifier: str, type_: str, src: str, dst: str, **fields: Any) -> dict[str, Any]:
    ends = {"id": identifier, "type": type_, "src": src, "dst": dst}
    return ends | {"created_by": "qwen", "created_at": 1781049700.5} | fields


def sample() -> dict[str, Any]:
    """Every type, forward references, both kinds of status, modes, a log."""
    return {
        "nodes": [
            node("n_old", "claim", "The cache was cold.", confidence=0.4, superseded_by="n_new"),
            node("n_q", "question", "Why did reads slow down?", created_by="user"),
            node("n_done", "question", "Which region failed?", status="resolved", created_by="user"),
            node("n_ev", "evidence", "Reads took 900 ms at 09:58.", created_by="gemini"),
            node("n_new", "claim", "The lease had expired.", confidence=0.83, boarding_mode="adversarial"),
            node("n_dec", "decision", "Renew leases early.", confidence=0.9),
            node("n_rej", "rejected", "Blame the network.", confidence=0.2, domain_tags=[]),
        ],
        "edges": [
            edge("e_1", "answers", "n_new", "n_q"),
            edge("e_2", "supports", "n_ev", "n_new"),
            edge("e_3", "contradicts", "n_new", "n_old", boarding_mode="audit"),
            edge("e_4", "refines", "n_dec", "n_new"),
            edge("e_5", "depends_on", "n_dec", "n_ev", created_by="conductor"),
        ],
        "log": [{"ts": 1781049800.0, "worker": "claude", "accepted": 2, "rejected": 1}],
    }


def write(path: Path, data: Any) -> Path:
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@asynccontextmanager
async def mind_at(path: Path) -> AsyncIterator[Mind]:
    async with Mind.open(path) as mind:
        yield mind


async def test_a_file_becomes_nodes_edges_and_statuses(tmp_path: Path) -> None:
    async with mind_at(tmp_path / "a.mind") as mind:
        report = await import_mind(mind, write(tmp_path / "in.json", sample()))
        assert (report.questions, report.facts, report.interpretations, report.edges) == (2, 1, 4, 5)
        assert report.not_kept == ()
        nodes = await mind.store.nodes(list(report.ids.values()))
        old, new, done = (nodes[report.ids[name]] for name in ("n_old", "n_new", "n_done"))
        assert old.superseded_by == new.id
        assert isinstance(done, Question)
        assert done.status == "resolved"
        assert done.created_by == "operator"
        evidence = nodes[report.ids["n_ev"]]
        assert isinstance(evidence, Fact)
        assert evidence.created_by == "gemini"
        assert evidence.occurrences[0].recorded_by == "gemini"
        assert evidence.created_at == datetime.fromtimestamp(1781049600.25, UTC)
        assert isinstance(new, Interpretation)
        assert (new.kind, new.confidence, new.asserted_confidence) == ("claim", 0.83, 0.83)
        assert mind.graph.disputes() == []  # one side was superseded


async def round_trip(folder: Path, data: Any) -> dict[str, Any]:
    source = write(folder / "in.json", data)
    async with mind_at(folder / "a.mind") as mind:
        await import_mind(mind, source)
        await export_mind(mind, folder / "out.json")
    exported: dict[str, Any] = json.loads((folder / "out.json").read_text(encoding="utf-8"))
    return exported


def by_id(items: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {item["id"]: item for item in items}


async def test_the_way_back_loses_nothing(tmp_path: Path) -> None:
    data = sample()
    back = await round_trip(tmp_path, data)
    for field in ("nodes", "edges"):
        expected = {key: {"boarding_mode": "organic"} | item for key, item in by_id(data[field]).items()}
        assert by_id(back[field]) == expected
    assert back["log"] == data["log"]
    assert set(back["perdura"]["ids"]) == {item["id"] for field in ("nodes", "edges") for item in data[field]}


async def test_a_mind_from_an_export_exports_the_same_again(tmp_path: Path) -> None:
    first = await round_trip(tmp_path, sample())
    second_folder = tmp_path / "second"
    second_folder.mkdir()
    second = await round_trip(second_folder, first)
    for field in ("nodes", "edges", "log"):
        assert second[field] == first[field]


async def test_times_without_a_zone_are_utc_and_keep_their_form(tmp_path: Path) -> None:
    data = {"nodes": [node("n_1", "claim", "Written in text.", created_at="2026-06-09T12:00:00.5")], "edges": []}
    back = await round_trip(tmp_path, data)
    assert back["nodes"][0]["created_at"] == "2026-06-09T12:00:00.500000+00:00"


async def test_what_has_no_place_is_said(tmp_path: Path) -> None:
    data = sample()
    data["nodes"] += [
        node("n_same", "evidence", "reads took 900 ms, at 09:58!", confidence=0.9),
        node("n_odd", "hunch", "Something else."),
        node("n_cross", "claim", "Gave way to a fact.", superseded_by="n_ev"),
        node("n_x", "claim", "First of a circle.", superseded_by="n_y"),
        node("n_y", "claim", "Second of it.", superseded_by="n_x"),
        node("n_dec", "decision", "The same id once more.", mood="good"),
    ]
    data["edges"] += [
        edge("e_self", "contradicts", "n_new", "n_new"),
        edge("e_again", "contradicts", "n_old", "n_new"),
        edge("e_peer", "contradicts", "n_ev", "n_new"),
        edge("e_lost", "supports", "n_nowhere", "n_new"),
        edge("e_odd", "resembles", "n_old", "n_new"),
    ]
    data["colour"] = "cyan"
    async with mind_at(tmp_path / "a.mind") as mind:
        report = await import_mind(mind, write(tmp_path / "in.json", data))
        said = "\n".join(report.not_kept)
        for words in (
            "'colour' is unknown", "'hunch'", "node ids that stand more than once", "'mood'", "unknown type",
            "further sighting", "confidences of evidence", "two ends", "repeat another", "'contradicts' edge",
            "does not hold", "superseded_by",
        ):  # fmt: skip
            assert words in said, words
        assert report.seen_again == 1
        assert report.ids["n_same"] == report.ids["n_ev"]
        assert report.edges == 5
        nodes = await mind.store.nodes([report.ids[name] for name in ("n_x", "n_y", "n_dec")])
        assert sum(one.superseded_by is not None for one in nodes.values()) == 1
        assert nodes[report.ids["n_dec"]].text == "The same id once more."


async def test_the_same_file_is_taken_in_once(tmp_path: Path) -> None:
    path = write(tmp_path / "in.json", sample())
    async with mind_at(tmp_path / "a.mind") as mind:
        await import_mind(mind, path)
        head = await mind.store.head()
        with pytest.raises(InputError, match="imported before"):
            await import_mind(mind, path)
        assert await mind.store.head() == head


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"{", "is not JSON .line 1, column 2"),
        (b"[]", "is no mind"),
        (b'{"nodes": {}}', "is no mind"),
        (b"\xff\xfe{}", "is not UTF-8"),
        (b"[" * 100_000, "no mind would write|is not JSON"),
    ],
)
async def test_a_bad_file_is_refused_in_one_sentence(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "in.json"
    path.write_bytes(content)
    async with mind_at(tmp_path / "a.mind") as mind:
        with pytest.raises(InputError, match=says):
            await import_mind(mind, path)
        with pytest.raises(InputError, match="cannot be read"):
            await import_mind(mind, tmp_path / "nowhere.json")
        assert await mind.store.head() == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["n_1", "claim"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
NODE = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(node("a", "claim", "b"), JSON)
    | {"id": st.sampled_from(["n_1", "n_2", 3]), "type": st.sampled_from(["question", "claim", "evidence", "x"])}
    | {"text": st.text(max_size=20), "superseded_by": st.sampled_from(["n_1", "n_2", "n_9", None])},
)
EDGE = st.fixed_dictionaries(
    {"id": st.sampled_from(["e_1", "e_2", "e_3"])},
    optional={name: JSON for name in edge("a", "supports", "b", "c") if name != "id"}
    | {"type": st.sampled_from(["supports", "contradicts", "answers", "y"])}
    | {"src": st.sampled_from(["n_1", "n_2", 3]), "dst": st.sampled_from(["n_1", "n_2"])},
)


@given(st.lists(NODE, max_size=4), st.lists(EDGE, max_size=4), st.lists(JSON, max_size=2))
@settings(max_examples=300)
def test_no_file_is_too_odd_to_read(nodes: list[Any], edges: list[Any], log: list[Any]) -> None:
    remarks = Remarks()
    text = json.dumps({"nodes": nodes, "edges": edges, "log": log})
    foreign = parse_foreign(text, "odd.json", NOW, remarks)
    assert len(foreign.nodes) <= len(nodes)
    assert all(one.text and 0 <= (one.confidence or 0) <= 1 and one.created_at.tzinfo for one in foreign.nodes)
    if len(foreign.nodes) < len(nodes):
        assert remarks.sentences()


@given(st.lists(NODE, max_size=5), st.lists(EDGE, max_size=5), st.lists(JSON, max_size=2))
@settings(max_examples=12)
async def test_whatever_could_be_read_can_be_written(
    tmp_path_factory: pytest.TempPathFactory, nodes: list[Any], edges: list[Any], log: list[Any]
) -> None:
    folder = tmp_path_factory.mktemp("odd")
    first = await round_trip(folder, {"nodes": nodes, "edges": edges, "log": log})
    second_folder = tmp_path_factory.mktemp("again")
    second = await round_trip(second_folder, first)
    assert [one["id"] for one in second["nodes"]] == [one["id"] for one in first["nodes"]]
    assert second["edges"] == first["edges"]


async def test_native_facts_that_a_claim_cites_support_it_in_the_export(tmp_path: Path) -> None:
    document = tmp_path / "notes.md"
    document.write_text(
        "# Outage\n\nThe cache restarted at 09:58 and reads took 900 ms until 10:20.\n\n"
        "The deploy of the storage service began at 10:05.\n",
        encoding="utf-8",
    )
    from_documents = tmp_path / "a.mind"
    async with mind_at(from_documents) as mind:
        await read_and_work(mind, document)
        report = await export_mind(mind, tmp_path / "out.json")
        claims = [one for one in await mind.store.interpretations() if one.facts]
    assert claims
    assert any("sources of facts" in sentence for sentence in report.not_kept)
    back = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    ends = {(one["src"], one["dst"]) for one in back["edges"] if one["type"] == "supports"}
    assert {(fact, claim.id) for claim in claims for fact in claim.facts} <= ends
    assert [entry["worker"] for entry in back["log"]] == ["reader:support"]
    async with mind_at(tmp_path / "b.mind") as mind:
        again = await import_mind(mind, tmp_path / "out.json")
        assert again.edges == report.edges


async def read_and_work(mind: Mind, document: Path) -> None:
    await read_documents(mind, [document])
    await mind.ask("When did the cache restart and how long did reads take?")
    order = order_from(mind.settings).model_copy(update={"boardings": 1, "seats": 1, "models": ("reader:support",)})
    await mind.conductor.run(order)


async def test_an_export_takes_its_place_whole_or_not_at_all(tmp_path: Path) -> None:
    async with mind_at(tmp_path / "a.mind") as mind:
        await mind.ask("Is it there?")
        target = write(tmp_path / "out.json", {"before": True})
        await export_mind(mind, target)
        assert len(json.loads(target.read_text(encoding="utf-8"))["nodes"]) == 1
        with pytest.raises(InputError, match="is a folder"):
            await export_mind(mind, tmp_path)
        with pytest.raises(InputError, match="cannot be written"):
            await export_mind(mind, tmp_path / "nowhere" / "out.json")
    assert names_in(tmp_path) == ["a.mind", "out.json"]


async def test_a_journal_makes_the_same_mind(tmp_path: Path) -> None:
    first, second = tmp_path / "a.mind", tmp_path / "b.mind"
    async with mind_at(first) as mind:
        await import_mind(mind, write(tmp_path / "in.json", sample()))
        question = await mind.ask("What else?")
        await mind.redact(question.id)
        report = await export_journal(mind, tmp_path / "a.jsonl")
        events, edges = await mind.store.events(), await mind.store.edges()
        contention = mind.graph.contention_all()
        nodes = [*await mind.store.questions(), *await mind.store.facts(), *await mind.store.interpretations()]
    assert report.events == len(events)
    assert await import_journal(second, tmp_path / "a.jsonl") == len(events)
    async with Mind.open(second, readonly=True) as mind:
        assert await mind.store.events() == events
        assert await mind.store.edges() == edges
        assert [*await mind.store.questions(), *await mind.store.facts(), *await mind.store.interpretations()] == nodes
        assert mind.graph.contention_all() == contention
    async with mind_at(second) as mind:
        assert (await mind.ask("Does it go on?")).id == "q4"


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([""], "holds no event|is no event"),
        (["{"], "line 1 is no event"),
        (['{"seq": 1}'], "line 1 is no event"),
        (["GOOD", "GOOD"], "line 2 is event 1: a journal has no gap"),
        (["\ud800"], "UTF-8|no event"),
    ],
)
async def test_a_bad_journal_leaves_nothing_behind(tmp_path: Path, lines: list[str], says: str) -> None:
    async with mind_at(tmp_path / "a.mind") as mind:
        good = (await mind.store.events())[0].model_dump_json()
    source, target = tmp_path / "in.jsonl", tmp_path / "b.mind"
    text = "".join(f"{good if one == 'GOOD' else one}\n" for one in lines)
    source.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(InputError, match=says):
        await import_journal(target, source)
    with pytest.raises(InputError, match="already"):
        await import_journal(tmp_path / "a.mind", source)
    assert names_in(tmp_path) == ["a.mind", "in.jsonl"]
