from itertools import pairwise

from perdura_core.graph import Graph
from perdura_core.vocabulary import Near, Suspicion
from perdura_tui.states.nearby import Nearby, Tie, hints_of, nearby
from tests.tui.script import Script, sample_mind


def _disputed() -> Script:
    script = Script()
    script.ask("Why?")
    fact = script.record("a log line")
    first = script.claim("It was the cache.", "m:a", None, facts=(fact,), confidence=0.4)
    second = script.claim("It was not the cache.", "m:b", None, confidence=0.9)
    third = script.claim("It rained.", "m:b", None, confidence=0.99)
    for claim in (first, second, third):
        script.join("answers", claim, "q1", "m:a")
    script.join("contradicts", first, second, "m:b")
    return script


def test_the_centre_comes_first_and_disputes_before_the_rest() -> None:
    found = nearby(_disputed().graph, "q1", 20)
    assert [dot.id for dot in found.dots] == ["q1", "i2", "i1", "i3", "f1"]
    assert [dot.is_disputed for dot in found.dots] == [False, True, True, False, False]
    assert [dot.distance for dot in found.dots] == [0, 1, 1, 1, 2]
    assert found.dots[-1].confidence is None
    assert Tie("contradicts", "i1", "i2") in found.ties
    assert Tie("cites", "i1", "f1") in found.ties


def test_what_does_not_fit_is_counted() -> None:
    found = nearby(_disputed().graph, "q1", 3)
    assert [dot.id for dot in found.dots] == ["q1", "i2", "i1"]
    assert found.left_out == 2
    assert {node for tie in found.ties for node in (tie.src, tie.dst)} <= {"q1", "i1", "i2"}


def test_what_no_longer_lives_is_not_on_the_map() -> None:
    script = sample_mind(20)
    for dot in nearby(script.graph, "q1", 500).dots[1:]:
        vertex = script.graph.get(dot.id)
        assert vertex is not None
        assert vertex.is_live


def test_an_unknown_centre_has_nothing_around_it() -> None:
    assert nearby(Graph(), "q1", 10) == Nearby()


def test_what_nobody_drew_is_hinted_at_once_and_only_on_the_map() -> None:
    found = nearby(_disputed().graph, "q1", 20)
    near = [Near("i1", "i3", 4, says_the_same=False), Near("i1", "i2", 3, says_the_same=False)]
    suspected = [Suspicion("i2", "i3", 0.7, ()), Suspicion("i2", "i9", 0.6, ())]
    assert hints_of(found, near, suspected) == (Tie("suspected", "i2", "i3"), Tie("worded_like", "i1", "i3"))


def test_a_suspected_pair_is_not_hinted_at_as_alike_too() -> None:
    found = nearby(_disputed().graph, "q1", 20)
    hints = hints_of(found, [Near("i2", "i3", 4, says_the_same=False)], [Suspicion("i2", "i3", 0.7, ())])
    assert hints == (Tie("suspected", "i2", "i3"),)


def test_a_map_shows_a_few_hints_of_each_kind() -> None:
    script = Script()
    script.ask("Why?")
    claims = [script.claim(f"It was {number}.", "m:a", None) for number in range(40)]
    for claim in claims:
        script.join("answers", claim, "q1", "m:a")
    found = nearby(script.graph, "q1", 80)
    suspected = [Suspicion(one, other, 0.5, ()) for one, other in pairwise(claims)]
    assert hints_of(found, [], suspected) == tuple(Tie("suspected", one.left, one.right) for one in suspected[:12])
