"""Elements wait for the refs they name, and never for anything else."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from perdura_core.delta import Intake, RawElement


def element(ref: str | None, *links: str, facts: list[str] | None = None) -> dict[str, Any]:
    return {"ref": ref, "links": [{"type": "supports", "to": name} for name in links], "facts": facts}


def groups(*values: Any) -> tuple[list[list[int]], list[list[int]]]:
    """Indices of the groups that came out while the elements came in, and at the end."""
    intake = Intake({"q1", "f1"})
    during = [group for index, value in enumerate(values) for group in intake.offer(RawElement(index, value))]
    return [[raw.index for raw in group] for group in during], [
        [raw.index for raw in group] for group in intake.close()
    ]


def test_lets_through_what_names_only_ids_and_earlier_refs() -> None:
    assert groups(element("a", "q1", "i99"), element(None, "a"), {"from": "a"}) == ([[0], [1], [2]], [])


def test_an_element_waits_for_a_ref_that_is_still_to_come() -> None:
    assert groups(element("a", "b"), element("c", facts=["a"]), element("b")) == ([[2], [0], [1]], [])


def test_elements_that_refer_to_each_other_come_together() -> None:
    assert groups(element("a", "b"), element("b", "c"), element(None, "a"), element("c", "a")) == ([[0, 1, 3], [2]], [])
    assert groups(element("a", "a")) == ([[0]], [])
    assert groups(element("a", "b"), element("b", "a", "c"), element("c", facts=["d"]), element("d")) == (
        [[3], [2], [0, 1]],
        [],
    )


def test_what_still_waits_comes_out_at_the_end() -> None:
    assert groups(element("a", "z"), element("b", "a"), element(None, "q1")) == ([[2]], [[0], [1]])


def test_odd_values_never_wait() -> None:
    odd: list[Any] = [
        "words",
        None,
        3,
        [],
        {"links": "b"},
        {"links": [3, {"to": 4}], "facts": 7, "from": [], "ref": {}},
    ]
    assert groups(*odd) == ([[index] for index in range(len(odd))], [])


_REFS = st.sampled_from(["a", "b", "c", "d", None])
_NAMES = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "q1", "f7"]), max_size=3)


@settings(max_examples=500)
@given(st.lists(st.builds(lambda ref, links: element(ref, *links), _REFS, _NAMES), max_size=9))
def test_everything_comes_out_once_and_after_what_it_needs(values: list[dict[str, Any]]) -> None:
    during, at_end = groups(*values)
    assert sorted(index for group in during + at_end for index in group) == list(range(len(values)))
    known: set[str] = {"q1", "f7"}
    for group in during:
        known |= {values[index]["ref"] for index in group}
        assert all(link["to"] in known for index in group for link in values[index]["links"])
    left = [index for group in at_end for index in group]
    owners = {values[index]["ref"]: index for index in reversed(left)}
    for _ in left:  # nothing that only needed each other was kept
        reachable = known | {ref for ref, index in owners.items() if index in left}
        left = [index for index in left if all(link["to"] in reachable for link in values[index]["links"])]
    assert left == []
