"""The formulas of track records, against worked examples and as properties."""

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from perdura_core.epistemics import (
    DOMAIN_WORTH,
    WEIGHTS,
    OutcomeKind,
    Tally,
    Verdict,
    ease_of,
    independent,
    posterior,
    reliabilities,
    shrunk,
    squared_error,
    tally,
    weighed,
)

sums = st.floats(min_value=0, max_value=5_000)
tallies = st.builds(Tally, sums, sums)
sources = st.sampled_from(["m1", "m2", "m3", "operator"])
kinds: st.SearchStrategy[OutcomeKind] = st.sampled_from(sorted(WEIGHTS))
verdicts = st.builds(Verdict, sources, kinds)
halves = st.integers(0, 60).map(lambda number: number / 2)
saying = st.dictionaries(sources, st.dictionaries(sources, st.builds(Tally, halves, halves), max_size=4), max_size=4)


def test_posterior_of_two_good_outcomes() -> None:
    mean, low, high = posterior(Tally(2, 0))
    assert mean == 0.75
    assert low == pytest.approx(0.05 ** (1 / 3))
    assert high == pytest.approx(0.95 ** (1 / 3))


def test_nothing_known_is_one_half_from_end_to_end() -> None:
    assert posterior(Tally()) == pytest.approx((0.5, 0.05, 0.95))


@given(tallies)
def test_posterior_is_a_beta_distribution_with_its_quantiles(own: Tally) -> None:
    mean, low, high = posterior(own)
    assert 0 <= low <= high <= 1
    assert 0 < mean < 1
    distribution = beta(1 + own.good, 1 + own.bad)
    assert mean == pytest.approx(distribution.mean())
    assert distribution.cdf(low) == pytest.approx(0.05, abs=1e-6)
    assert distribution.cdf(high) == pytest.approx(0.95, abs=1e-6)


@given(tallies, st.floats(min_value=0.5, max_value=10))
def test_a_good_outcome_never_lowers_and_a_bad_one_never_raises(own: Tally, weight: float) -> None:
    mean, low, high = posterior(own)
    better, worse = posterior(own.plus(Tally(weight, 0))), posterior(own.plus(Tally(0, weight)))
    assert better.mean > mean
    assert worse.mean < mean
    assert better.low >= low - 1e-12
    assert better.high >= high - 1e-12
    assert worse.low <= low + 1e-12
    assert worse.high <= high + 1e-12


def test_one_verdict_is_left_per_source() -> None:
    said = [
        Verdict("m2", "corroborated"),
        Verdict("m2", "promoted"),
        Verdict("m3", "corroborated"),
        Verdict("m3", "challenged"),
        Verdict("m4", "challenged"),
        Verdict("m4", "challenged"),
    ]
    assert independent(said) == [Verdict("m2", "promoted"), Verdict("m4", "challenged")]


@given(st.lists(verdicts, max_size=20), st.randoms())
def test_independence_knows_no_order_and_no_repetition(said: list[Verdict], chance: object) -> None:
    once = independent(said)
    shuffled = list(said)
    getattr(chance, "shuffle")(shuffled)  # noqa: B009 - hypothesis types its generator as object
    assert independent(shuffled + said) == once
    assert len({verdict.source for verdict in once}) == len(once)
    assert set(once) <= set(said)


def test_tally_by_hand() -> None:
    assert tally([Verdict("m2", "promoted"), Verdict("m3", "challenged")]) == Tally(1, 0.5)
    assert tally([Verdict("operator", "settled_against")]) == Tally(0, 2)
    assert tally([]) == Tally(0, 0)


def test_two_rounds_by_hand() -> None:
    given_by = {"a": {"b": Tally(2, 0)}, "b": {"a": Tally(0, 1)}}
    weights = reliabilities(given_by)
    assert weights["a"] == pytest.approx(0.625)
    assert weights["b"] == pytest.approx(1 / 2.75)
    assert weighed(given_by["a"], weights) == pytest.approx((2 / 2.75, 0))


def test_the_operator_counts_in_full_and_a_stranger_half() -> None:
    weights = reliabilities({"a": {"operator": Tally(2, 0), "z": Tally(1, 0)}}, certain=["operator"])
    assert weights["operator"] == 1.0
    assert weights["z"] == 0.5
    assert weighed({"operator": Tally(2, 0), "z": Tally(1, 0)}, weights) == Tally(2.5, 0)


@given(saying)
def test_reliabilities_are_bounded_and_know_no_order(given_by: dict[str, dict[str, Tally]]) -> None:
    weights = reliabilities(given_by, certain=["operator"])
    backwards = {name: dict(reversed(said.items())) for name, said in reversed(given_by.items())}
    assert reliabilities(backwards, certain=["operator"]) == weights
    assert all(0 < weight <= 1 for weight in weights.values())
    for said in given_by.values():
        total, full = weighed(said, weights), weighed(said, dict.fromkeys(weights, 1.0))
        assert 0 <= total.good <= full.good
        assert 0 <= total.bad <= full.bad


def test_a_domain_starts_from_the_record_elsewhere() -> None:
    assert shrunk(Tally(1, 2), Tally(31, 12)) == Tally(16, 7)


def test_a_hard_domain_lowers_where_a_record_starts() -> None:
    assert ease_of(Tally(8, 0), Tally(10, 10)) == pytest.approx(log(3))
    assert ease_of(Tally(), Tally(10, 10)) == pytest.approx(0)
    start = shrunk(Tally(1, 2), Tally(31, 12), log(3))
    assert (start.good, start.bad) == pytest.approx((19, 4))
    assert shrunk(Tally(1, 2), Tally(1, 2), log(3)) == Tally(1, 2)


def test_of_a_spotless_record_a_hard_domain_still_takes_something() -> None:
    start = shrunk(Tally(), Tally(9, 0), -log(2))
    assert start.good + start.bad == pytest.approx(9)
    assert 7 < start.good < 9


@given(tallies, tallies)
def test_what_happened_elsewhere_is_worth_twenty_outcomes_at_most(own: Tally, elsewhere: Tally) -> None:
    start = shrunk(own, own.plus(elsewhere))
    assert start.good - own.good + start.bad - own.bad <= DOMAIN_WORTH + 1e-6
    assert start.good >= own.good
    assert start.bad >= own.bad


@given(tallies)
def test_a_model_of_one_domain_has_one_record(own: Tally) -> None:
    assert shrunk(own, own) == own


def test_squared_error_by_hand() -> None:
    assert squared_error(0.9, Tally(1, 0.5)) == pytest.approx((0.9 - 2 / 3) ** 2)
    assert squared_error(0.9, Tally()) is None


@given(st.floats(0, 1), tallies)
def test_squared_error_stays_within_its_range(asserted: float, outcome: Tally) -> None:
    error = squared_error(asserted, outcome)
    assert error is None or 0 <= error <= 1
