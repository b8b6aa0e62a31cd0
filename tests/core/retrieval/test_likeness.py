"""Opposite meanings never count as the same; other forms of one claim do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdura_core.retrieval import says_the_same

OPPOSITE = """
The cluster must scale to 40 nodes.|The cluster must not scale to 40 nodes.
Sales rose 12 % in Graz.|Sales fell 12 % in Graz.
The law applied before 2019.|The law applied after 2019.
The cache is safe.|The cache is unsafe.
All replicas answered.|Some replicas answered.
The queue held 12 gigabytes.|The queue held 21 gigabytes.
The queue held 12 gigabytes.|The queue held 12 megabytes.
Annotations are evaluated lazily.|Annotations are evaluated eagerly.
The proposal was accepted.|The proposal was rejected.
Only admins may restart it.|Admins may restart it.
The router can restart.|The router can't restart.
The router restarts.|The router never restarts.
A replaced B.|B replaced A.
The gateway is faster than the ledger.|The ledger is faster than the gateway.
It failed with the index.|It failed without the index.
The vote was won by Rossum.|The vote was lost by Rossum.
Temperatures increased since 1998.|Temperatures decreased since 1998.
The index is required.|The index is optional.
The outage started in Osaka.|The outage started in Lima.
The value is x == 3.|The value is x != 3.
The margin was -5 points.|The margin was 5 points.
The server may fail.|The server will fail.
Nobody noticed the stall.|Everybody noticed the stall.
The pump ran until noon.|The pump ran from noon.
The rate is above 3.5.|The rate is below 3.5.
It is the first release.|It is the last release.
The key was present.|The key was absent.
The test passed on Friday.|The test failed on Friday.
The valve opened at noon.|The valve closed at noon.
Ice sheets gained mass.|Ice sheets lost mass.
""".strip().splitlines()

SAME = """
The service must scale to ten nodes.|The service has to scale to 10 nodes.
The cache was cold at noon.|At noon the cache was cold.
Sales rose 12 % in 2019.|Sales rose 12 percent in 2019.
The router cannot restart.|The router can't restart.
The Cache fails!|the cache fails
The replica stalled.|The replica stalls.
The gateway stalled.|The old gateway stalled.
Because the disk was full, the queue stopped.|The queue stopped because the disk was full.
""".strip().splitlines()


@pytest.mark.parametrize("pair", OPPOSITE)
def test_other_meanings_are_not_the_same(pair: str) -> None:
    a, b = pair.split("|")
    assert not says_the_same(a, b)
    assert not says_the_same(b, a)


@pytest.mark.parametrize("pair", SAME)
def test_forms_of_one_claim_are_the_same(pair: str) -> None:
    a, b = pair.split("|")
    assert says_the_same(a, b)
    assert says_the_same(b, a)


SUBJECTS = st.sampled_from(["the gateway", "a replica of the ledger", "the northern archive", "the queue"])
OPPOSED = st.sampled_from(
    [
        ("rose", "fell"),
        ("must scale", "must not scale"),
        ("stalled", "recovered"),
        ("is enabled", "is disabled"),
        ("did answer", "did not answer"),
        ("passed", "failed"),
    ]
)
TAILS = st.sampled_from(["", " in March", " under load from Turin", " during the outage", " because the disk was full"])


@given(SUBJECTS, OPPOSED, TAILS, st.integers(2, 999), st.integers(2, 999))
def test_generated_opposites(subject: str, opposed: tuple[str, str], tail: str, one: int, other: int) -> None:
    a, b = (f"{subject} {verb}{tail}." for verb in opposed)
    assert not says_the_same(a, b)
    assert says_the_same(a, a.capitalize())
    before, after = (f"{a[:-1]} {word} {one}." for word in ("before", "after"))
    assert not says_the_same(before, after)
    assert says_the_same(f"{subject} held {one} of them.", f"{subject} held {other} of them.") == (one == other)


@given(st.text(), st.text())
def test_any_texts_are_compared_both_ways_alike(a: str, b: str) -> None:
    assert says_the_same(a, b) == says_the_same(b, a)
