"""What counts as a conflict, and what only looks like one."""

import gzip
import hashlib
import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdura_core.epistemics.wording.quantities import moments, quantities
from perdura_core.epistemics.wording.words import Weights
from perdura_core.workers.reading.agreement import agree, refines
from perdura_core.workers.reading.conflict import ConflictKind, find_conflict
from perdura_core.workers.reading.judgement import is_hedged, restate, stands_alone

DATA = Path(__file__).parents[4] / "shared" / "data"


def kind_of(a: str, b: str) -> str | None:
    conflict = find_conflict(a, b, Weights([a, b]))
    assert (conflict is None) == (find_conflict(b, a, Weights([a, b])) is None), "a conflict has no direction"
    return None if conflict is None else conflict.kind


CONFLICTS: tuple[tuple[ConflictKind, str, str], ...] = (
    ("number", "The cache of the API holds 512 MB.", "The cache of the API holds 2 GB."),
    ("number", "The steering group has five members.", "The steering group has 7 members."),
    ("number", "The dam took over 20 years to build.", "The dam took 11-14 years to build."),
    ("number", "The release shipped in about 40 days.", "The release shipped in 4 months."),
    ("moment", "The strike began on 3 May 1926.", "The strike began on 4 May 1926."),
    ("moment", "The outage ended at 3:25 pm.", "Mara: the outage ended at 14:10."),
    ("moment", "The bridge was opened in 1932.", "The bridge was opened in 1936."),
    ("polarity", "The backup job did not run on the replica.", "The backup job did run on the replica."),
    (
        "polarity",
        "There was no increase in the error rate of the API.",
        "The error rate of the API showed an increase.",
    ),
    ("opposite", "The court rejected the appeal of the city.", "The court accepted the appeal of the city."),
    ("opposite", "The failover of the cluster is automatic.", "The failover of the cluster is manual."),
    (
        "opposite",
        "Sea ice around the cape is growing each winter.",
        "Sea ice around the cape is shrinking each winter.",
    ),
    ("comparison", "Gas is cheaper than coal.", "Coal is cheaper than gas."),
    ("comparison", "The new parser is faster than the old one.", "The new parser is slower than the old one."),
    ("cause", "The fire was caused by a faulty heater.", "The root cause of the fire was a lightning strike."),
    ("polarity", "There is a link between diet and migraine.", "There is no link between diet and migraine."),
)

NO_CONFLICTS = (
    ("The read timeout is 30 s.", "The write timeout is 60 s."),
    ("The population of Leeds is 500,000.", "The population of York is 200,000."),
    ("In 2010 the firm had 40 employees.", "In 2020 the firm had 90 employees."),
    ("The price rose by 5%.", "The price rose to 5%."),
    ("The pool holds at least 40 connections.", "The pool holds 64 connections."),
    ("The trip took about 40 minutes.", "The trip took 42 minutes."),
    ("The outage began at 02:11 UTC.", "The outage ended at 03:25 UTC."),
    ("The outage began at 02:11 UTC.", "The outage began at 04:11 CEST."),
    ("The minimum size is 2 MB.", "The maximum size is 9 MB."),
    ("The parser is not only fast.", "The parser is fast."),
    ("The flag may not be set.", "The flag may be set."),
    ("If the disk is full, the job does not start.", "The job starts at midnight."),
    ("Gas is cheaper than coal.", "Coal is cheaper than oil."),
    ("The rate of sea level rise has fallen.", "Sea level has risen for a century."),
    ("Smoking is one cause of cancer.", "Radiation is one cause of cancer."),
    ("2026-03-14T02:11:04Z INFO pool in use 40 of 40", "2026-03-14T03:11:04Z INFO pool in use 12 of 40"),
    ("PEP 563 changed 2 functions of the module.", "PEP 649 changed 3 functions of the module."),
    ("The test failed on Tuesday.", "The weather was fine on Tuesday."),
)


@pytest.mark.parametrize(("kind", "a", "b"), CONFLICTS)
def test_a_conflict_is_found(kind: ConflictKind, a: str, b: str) -> None:
    assert kind_of(a, b) == kind


@pytest.mark.parametrize(("a", "b"), NO_CONFLICTS)
def test_what_only_looks_like_a_conflict_is_left_alone(a: str, b: str) -> None:
    assert kind_of(a, b) is None


@given(st.sampled_from([side for _, a, b in CONFLICTS for side in (a, b)]))
def test_nothing_conflicts_with_itself(text: str) -> None:
    assert kind_of(text, text) is None


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_texts_can_be_compared(a: str, b: str) -> None:
    kind_of(a, b)
    agree(a, b, Weights([a, b]))
    stands_alone(a)
    assert isinstance(restate(a, "pep-0008.txt#L1"), str)


def test_agreement_needs_the_same_figure() -> None:
    pair = ("The outage lasted 74 minutes.", "The outage lasted 47 minutes.")
    assert not agree(*pair, Weights(pair))
    assert agree("The outage lasted 74 minutes.", "The outage lasted 74 minutes in all.", Weights(pair))


def test_a_negated_twin_is_never_a_refinement() -> None:
    pair = ("The new service must not scale beyond the two old regions.", "The service must scale beyond two regions.")
    assert not refines(*pair, Weights(pair))
    assert not agree(*pair, Weights(pair))


@pytest.mark.parametrize(
    ("text", "source", "claim"),
    [
        ("This PEP specifies a format.", "docs/pep-0722.txt#L20", "PEP 722 specifies a format."),
        ("However, the cache is cold.", "a.md#L1", "The cache is cold."),
        ("This report is long.", "a.md#L1", "This report is long."),
        ('"Wind is cheap, study finds".', "a.md#L1", "Wind is cheap, study finds."),
        ("2026-03-14T02:11:04Z ERROR pool full", "a.log#L1", "The log of 2026-03-14 02:11:04 UTC says: pool full."),
    ],
)
def test_a_claim_restates_its_fact(text: str, source: str, claim: str) -> None:
    assert restate(text, source) == claim


@pytest.mark.parametrize(
    "text",
    [
        "This was found to be wrong later on.",
        "It solves the problem of forward references.",
        "For example, a tool may read the block.",
        "We define the concept of a block below.",
        "Make the mapping lazy and evaluate it later.",
        "Is the pool large enough for the night?",
        "The code presented in this section is simplified.",
        "Rejected ideas of the first version",
    ],
)
def test_what_needs_its_context_does_not_stand_alone(text: str) -> None:
    assert not stands_alone(text)


def test_what_is_whole_stands_alone() -> None:
    assert stands_alone("The connection pool of the checkout service holds 80 connections.")
    assert stands_alone("Users of such scripts, and scripts that call such scripts, need a format.") is False
    assert stands_alone("Tools that edit scripts keep the layout of such scripts.")


def test_hedges_are_heard() -> None:
    assert is_hedged("The pool was probably full.")
    assert not is_hedged("The pool was full.")


def test_quantities_and_moments_are_read() -> None:
    assert [(q.low, q.high, q.dimension) for q in quantities("It took 2-3 minutes and 1,200 workers in 2019.")] == [
        (120.0, 180.0, "time"),
        (1200.0, 1200.0, "worker"),
    ]
    assert quantities("PEP 8, Python 3.7, version 2 and item 4 of section 5") == ()
    assert [m.value for m in moments("On 14 March 2026 at 2:40 pm")] == [(2026, 3, 14), (880,)]


@pytest.mark.parametrize("name", ["fever-symmetric", "climate-fever"])
def test_precision_on_sentences_that_others_labelled(name: str) -> None:
    """Of what the rule draws on recorded pairs, at least four in five were labelled a contradiction by people."""
    path = DATA / f"contradictions-{name}.jsonl.gz"
    if not path.exists():
        pytest.skip("the recorded data are not here")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    rows = [row for row in rows if hashlib.sha256(row["claim"].encode()).digest()[-1] % 2 == 0]
    weights = Weights([text for row in rows for text in (row["claim"], row["evidence"])])
    drawn = Counter(row["label"] for row in rows if find_conflict(row["claim"], row["evidence"], weights) is not None)
    assert sum(drawn.values()) >= 5
    assert drawn["CONTRADICT"] >= 0.8 * sum(drawn.values()), drawn
