"""Documents become facts once, with their sources, whatever else is in the folder."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from perdura_core.ingest.documents import DocumentReport, read_documents
from perdura_core.mind import Mind
from perdura_core.vocabulary import INGEST, Fact


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Mind]:
    async with Mind.open(folder / "test.mind") as mind:
        yield mind


async def facts(mind: Mind) -> dict[str, Fact]:
    return {fact.text: fact for fact in await mind.store.facts()}


async def test_facts_carry_file_line_domains_and_author(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "deploy.md").write_text(
        "# Deploy\n\nThe pool of Larkspur Shop was doubled.\n\n\nIt is 80 now.\n"
    )
    monkeypatch.chdir(tmp_path)
    async with opened(tmp_path) as mind:
        reports = await read_documents(mind, ["notes"], domains=["ops"])
        assert reports == [DocumentReport("notes/deploy.md", facts=2)]
        held = await facts(mind)
        assert held["The pool of Larkspur Shop was doubled."].source == "notes/deploy.md#L3"
        assert held["The pool of Larkspur Shop was doubled."].entities == ("pool", "Larkspur Shop")
        assert held["It is 80 now."].source == "notes/deploy.md#L6"
        assert {fact.domains for fact in held.values()} == {("ops",)}
        assert {fact.created_by for fact in held.values()} == {INGEST}
        events = await mind.store.events(kinds=["document_read"])
        assert [(e.what.path, e.what.facts, e.what.seen_again) for e in events] == [("notes/deploy.md", 2, 0)]  # type: ignore[union-attr]


async def test_the_same_file_twice_adds_nothing_and_says_so(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("The pool was full at noon.\nThe queue was empty at noon.\n")
    async with opened(tmp_path) as mind:
        await read_documents(mind, [file])
        head = await mind.store.head()
        (report,) = await read_documents(mind, [file, file])
        assert report.was_read_before
        assert (report.facts, report.seen_again) == (0, 2)
        assert await mind.store.head() == head


async def test_an_edited_file_is_no_second_witness(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("The pool was full at noon.\n")
    async with opened(tmp_path) as mind:
        await read_documents(mind, [file])
        file.write_text("A line came before.\n\nThe pool was full at noon.\n")
        (report,) = await read_documents(mind, [file])
        assert (report.facts, report.seen_again, report.was_read_before) == (1, 1, False)
        assert len((await facts(mind))["The pool was full at noon."].occurrences) == 1


async def test_the_same_words_elsewhere_are_a_further_sighting(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.md").write_text("The pool was full at noon.\n")
    (tmp_path / "in" / "b.txt").write_text("\n\nthe  pool was full at noon!\n\nThe pool was full, at noon.\n")
    async with opened(tmp_path) as mind:
        reports = await read_documents(mind, [tmp_path / "in"])
        assert [(r.path, r.facts, r.seen_again) for r in reports] == [("in/a.md", 1, 0), ("in/b.txt", 0, 1)]
        (fact,) = (await facts(mind)).values()
        assert [o.source for o in fact.occurrences] == ["in/a.md#L1", "in/b.txt#L5"]


async def test_bad_files_are_reported_and_the_others_read(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.txt").write_bytes(bytes(range(256)) * 9)
    (folder / "b.md").write_text("")
    (folder / "c.md").write_text("The only good line stands here.\n")
    (folder / "d.md").write_text("# Nothing but a head\n")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    (folder / ".hidden.md").write_text("The hidden line is not read.\n")
    seen: list[DocumentReport] = []
    async with opened(tmp_path) as mind:
        reports = await read_documents(mind, [folder, tmp_path / "missing.md"], on_progress=seen.append)
        assert seen == reports
        assert [(r.path.rpartition("/")[2], r.error is None) for r in reports] == [
            ("a.txt", False), ("b.md", False), ("c.md", True), ("d.md", False), ("missing.md", False),
        ]  # fmt: skip
        assert all(r.path.rpartition("/")[2] in r.error and "\n" not in r.error for r in reports if r.error)
        assert list(await facts(mind)) == ["The only good line stands here."]


async def test_a_long_document_is_written_in_batches_with_one_event(tmp_path: Path) -> None:
    file = tmp_path / "long.txt"
    file.write_text("\n\n".join(f"The sample number {n} was taken from well {n * 7}." for n in range(450)))
    async with opened(tmp_path) as mind:
        (report,) = await read_documents(mind, [file])
        assert report.facts == 450
        assert len(await facts(mind)) == 450
        (event,) = await mind.store.events(kinds=["document_read"])
        assert event.seq == await mind.store.head()
        assert event.what.facts == 450  # type: ignore[union-attr]


async def test_what_is_seen_again_after_a_gap_is_one_fact_with_several_occurrences(tmp_path: Path) -> None:
    texts = {
        "a.md": "The pool of the shop was set to 40.",
        "b.md": "Something else happened in the meantime.",
        "c.md": "“The pool of the shop was  set to 40”.",
        "d.md": "THE POOL OF THE SHOP WAS SET TO 40!",
    }
    async with opened(tmp_path) as mind:
        for name, text in texts.items():
            (tmp_path / name).write_text(f"# Note\n\n{text}\n")
            await read_documents(mind, [tmp_path / name])
        held = await mind.store.facts()
        [pool] = [fact for fact in held if "pool" in fact.text.lower()]
        assert [str(seen.source).split("/")[-1] for seen in pool.occurrences] == ["a.md#L3", "c.md#L3", "d.md#L3"]
        assert len(held) == 2


async def test_reading_again_does_not_take_back_what_the_operator_moved(tmp_path: Path) -> None:
    async with opened(tmp_path) as mind:
        for name in ("a.md", "b.md"):
            (tmp_path / name).write_text("# Note\n\nThe pool of the shop was set far too low.\n")
        await read_documents(mind, [tmp_path / "a.md"])
        await mind.move("f1", "interpretation")
        await read_documents(mind, [tmp_path / "b.md"])
        [fact] = await mind.store.facts()
        assert (fact.superseded_by, len(fact.occurrences)) == ("i1", 2)
