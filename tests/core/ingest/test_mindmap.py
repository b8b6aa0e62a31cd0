"""The mind as one page: what is in the file, whether or not a browser is at hand."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdura_core.errors import InputError
from perdura_core.ingest.mindmap import write_mindmap
from perdura_core.ingest.mindmap.page import page_of
from perdura_core.ingest.mindmap.placing import islands, place_all
from perdura_core.mind import Mind
from tests.core.ingest.mapped import HOSTILE, fill

ABOUT = {"name": "a", "head": 1, "made": "today", "version": "0"}


class _Parts(HTMLParser):
    """Tags with their attributes, and what the scripts and the style hold, as a browser's tokenizer finds them."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside: dict[str, list[str]] = {"script": [], "style": [], "title": []}
        self._open: str | None = None
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._open = tag if tag in self.inside else self._open
        if tag in self.inside:
            self.inside[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        self._open = None if tag == self._open else self._open

    def handle_data(self, data: str) -> None:
        if self._open is not None:
            self.inside[self._open][-1] += data


async def test_every_text_is_in_the_page_as_data_only(tmp_path: Path) -> None:
    async with Mind.open(tmp_path / "own.mind") as mind:
        await fill(mind)
        report = await write_mindmap(mind, tmp_path / "map.html")
    page = (tmp_path / "map.html").read_text(encoding="utf-8")
    parts = _Parts(page)
    assert [tag for tag, _ in parts.tags if tag in ("script", "style", "img", "iframe", "a", "b", "svg")] == [
        "style", "script", "script"
    ]  # fmt: skip
    content = json.loads(parts.inside["script"][0])
    assert len(content["node"]["id"]) == report.nodes == 3 * len(HOSTILE)
    assert set(HOSTILE) <= set(content["node"]["text"])
    assert {len(column) for column in content["node"].values()} == {report.nodes}
    assert {len(column) for column in content["edge"].values()} == {report.edges}


async def test_the_page_may_load_nothing_and_run_only_its_own_script(tmp_path: Path) -> None:
    async with Mind.open(tmp_path / "own.mind") as mind:
        await fill(mind)
        await write_mindmap(mind, tmp_path / "map.html")
    parts = _Parts((tmp_path / "map.html").read_text(encoding="utf-8"))
    policy = next(attrs["content"] for tag, attrs in parts.tags if attrs.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for text in (parts.inside["style"][0], parts.inside["script"][1]):
        assert base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() in policy
    assert not [attrs for _, attrs in parts.tags if {"src", "href"} & attrs.keys()]
    script = parts.inside["script"][1]
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|fetch\(|XMLHttp|https?:", script)


@given(text=st.text(), name=st.text(min_size=1))
def test_no_text_leaves_its_place(text: str, name: str) -> None:
    content: dict[str, Any] = {"about": ABOUT | {"name": name}, "node": {"text": [text, f"</script><script>{text}"]}}
    parts = _Parts(page_of(content))
    assert len(parts.inside["script"]) == 2
    assert json.loads(parts.inside["script"][0]) == content


async def test_a_map_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    async with Mind.open(tmp_path / "own.mind") as mind:
        await fill(mind)
        with pytest.raises(InputError, match="cannot be written"):
            await write_mindmap(mind, tmp_path / "nowhere" / "map.html")
        folder = tmp_path / "taken.html"
        folder.mkdir()
        with pytest.raises(InputError, match="is a folder"):
            await write_mindmap(mind, folder)
    assert [path.name for path in tmp_path.iterdir() if "html" in path.name] == ["taken.html"]
    assert list(folder.iterdir()) == []


async def test_an_empty_mind_has_a_map(tmp_path: Path) -> None:
    async with Mind.open(tmp_path / "own.mind") as mind:
        report = await write_mindmap(mind, tmp_path / "map.html")
    assert (report.nodes, report.edges) == (0, 0)


def _near(ties: list[tuple[str, str]]) -> dict[str, list[str]]:
    near: dict[str, list[str]] = {}
    for a, b in ties:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    return near


NAMES = st.integers(0, 30).map("n{}".format)
TIES = st.lists(st.tuples(NAMES, NAMES), max_size=60)


@given(ties=TIES, seeds=st.lists(NAMES, unique=True, max_size=6))
def test_every_node_is_in_one_island_and_has_a_place(ties: list[tuple[str, str]], seeds: list[str]) -> None:
    nodes = [f"n{number}" for number in range(31)]
    groups = islands(nodes, seeds, _near(ties))
    assert sorted(node for group in groups for node in group) == sorted(nodes)
    assert {group[0] for group in groups} >= set(seeds)
    places = place_all(groups, ties)
    assert places.keys() == set(nodes)
    points = np.array(list(places.values()))
    assert np.isfinite(points).all()
    assert np.abs(points).max() < 200
    assert place_all(groups, ties) == places


def test_a_hub_keeps_its_many_neighbours_near_and_apart() -> None:
    leaves = [f"i{number}" for number in range(600)]
    places = place_all([["q1", *leaves]], [(leaf, "q1") for leaf in leaves])
    points = np.array([places[leaf] for leaf in leaves])
    assert np.abs(points).max() < 40
    distances = np.linalg.norm(points[:, None] - points[None, :], axis=2) + 10 * np.eye(len(points))
    assert np.median(distances.min(axis=0)) > 0.5


def test_nearer_the_seed_is_nearer_the_middle() -> None:
    near = {"q1": ["a"], "a": ["b"], "b": ["c"], "x": []}
    assert islands(["c", "b", "a", "q1", "x"], ["q1"], near) == [["q1", "a", "b", "c"], ["x"]]
