"""Which question is worked on next, and in which mode."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from perdura_core.config import RunSettings
from perdura_core.routing import choose_mode, choose_question
from tests.core.routing.scenes import Scene

CALM = RunSettings(explore_every=0, stagnation_after=100)


def dispute(scene: Scene, question: str, first: int, confidence: float = 0.8) -> None:
    """Two claims that answer the question and contradict each other."""
    mine, other = f"i{first}", f"i{first + 1}"
    for node in (mine, other):
        scene.judge(node, "m:a", confidence=confidence)
        scene.link(f"e{node[1:]}0", node, "answers", question, "m:a")
    scene.link(f"e{first}1", other, "contradicts", mine, "m:b")


def picked(scene: Scene, settings: RunSettings = CALM, number: int = 1, leased: tuple[str, ...] = ()) -> str:
    pick = choose_question(scene.graph, leased, settings, number)
    assert pick is not None
    return pick.question


def test_no_open_question_is_no_pick() -> None:
    scene = Scene()
    assert choose_question(scene.graph, (), CALM, 1) is None
    scene.ask("q1")
    assert choose_question(scene.graph, ["q1"], CALM, 1) is None


def test_the_most_contended_goes_first_and_a_lease_keeps_it_for_one() -> None:
    scene = Scene()
    for question in ("q1", "q2", "q3"):
        scene.ask(question)
    dispute(scene, "q2", 1, 0.6)
    dispute(scene, "q3", 3, 0.9)
    pick = choose_question(scene.graph, (), CALM, 1)
    assert pick == ("q3", f"most contended (contention {scene.graph.contention('q3'):.2f})")
    assert picked(scene, leased=("q3",)) == "q2"
    assert picked(scene, leased=("q3", "q2")) == "q1"


def test_a_high_stake_weighs_double() -> None:
    scene = Scene()
    scene.ask("q1")
    scene.ask("q2", stake="high")
    dispute(scene, "q1", 1, 0.9)
    dispute(scene, "q2", 3, 0.6)
    pick = choose_question(scene.graph, (), CALM, 1)
    assert pick is not None
    assert pick.question == "q2"
    assert pick.why.endswith(", high stake)")


def test_a_pin_goes_before_all_and_ends_a_rest() -> None:
    scene = Scene()
    scene.ask("q1")
    scene.ask("q2", pinned=True)
    dispute(scene, "q1", 1)
    scene.board("q2", times=4)
    assert choose_question(scene.graph, (), RunSettings(stagnation_after=2), 5) == ("q2", "pinned by the operator")


def test_exploration_takes_the_least_worked() -> None:
    scene = Scene()
    scene.ask("q1")
    scene.ask("q2")
    dispute(scene, "q1", 1)
    scene.board("q1", times=2)
    scene.board("q2", times=1)
    settings = RunSettings(explore_every=5, stagnation_after=100)
    picks = [picked(scene, settings, number) for number in range(1, 11)]
    assert picks == [*(["q1"] * 4), "q2"] * 2
    pick = choose_question(scene.graph, (), settings, 5)
    assert pick == ("q2", "exploration: least worked (1 boarding)")


def test_every_other_exploration_is_for_new_domains_once_there_are_others() -> None:
    scene = Scene()
    scene.ask("q1", domains=["old"])
    scene.ask("q2", domains=["new"])
    scene.ask("q3")
    scene.board("q2", times=3)
    exploring = RunSettings(explore_every=5, stagnation_after=100)
    assert picked(scene, exploring, 5) == "q1"
    for number in range(30):
        scene.judge(f"i{number + 1}", "m:a", domains=["old"])
    assert choose_question(scene.graph, (), exploring, 5) == ("q2", "a new domain: least worked (3 boardings)")
    assert picked(scene, exploring, 10) == "q1"
    assert picked(scene, RunSettings(explore_every=1, stagnation_after=100), 5) == "q1"
    for number in range(30, 60):
        scene.judge(f"i{number + 1}", "m:a", domains=["new"])
    assert picked(scene, exploring, 5) == "q1"


def test_a_new_question_is_looked_at_before_a_contended_one_gets_its_tenth() -> None:
    scene = Scene()
    scene.ask("q1")
    scene.ask("q2")
    dispute(scene, "q1", 1)
    scene.board("q1", times=8)
    assert picked(scene) == "q1"
    scene.board("q1")
    assert choose_question(scene.graph, (), CALM, 1) == ("q2", "a first look: least worked (never boarded)")
    scene.board("q2")
    assert picked(scene) == "q1"


def test_stagnating_questions_rest_unless_nothing_else_is_left() -> None:
    scene = Scene()
    scene.ask("q1")
    scene.ask("q2")
    dispute(scene, "q1", 1)
    settings = RunSettings(explore_every=0, stagnation_after=3)
    scene.board("q1", times=3)
    assert picked(scene, settings) == "q2"
    scene.board("q2", times=4)
    assert choose_question(scene.graph, (), settings, 1) == (
        "q1",
        "every open question rests: 3 boardings without news here",
    )


def test_without_contention_work_is_shared_by_stake() -> None:
    scene = Scene()
    scene.ask("q1", stake="low")
    scene.ask("q2")
    scene.ask("q3", stake="high")
    assert picked(scene) == "q3"
    for _ in range(35):
        scene.board(picked(scene))
    worked = Counter(event.what.boarding.question for event in scene.events if event.what.kind == "boarding_opened")
    assert worked == {"q1": 5, "q2": 10, "q3": 20}


def test_modes_follow_their_periods_and_take_turns_where_they_meet() -> None:
    settings = RunSettings(adversarial_every=3, audit_every=2)
    modes = [choose_mode(number, settings, claims=2) for number in range(1, 13)]
    assert modes == [
        "organic", "audit", "adversarial", "audit", "organic", "adversarial",
        "organic", "audit", "adversarial", "audit", "organic", "audit",
    ]  # fmt: skip
    both = RunSettings(adversarial_every=4, audit_every=4)
    assert [choose_mode(number, both, claims=2) for number in (4, 8, 12, 16)] == ["adversarial", "audit"] * 2


def test_there_is_nothing_to_attack_or_compare_without_claims() -> None:
    settings = RunSettings(adversarial_every=1, audit_every=1)
    assert choose_mode(1, settings, claims=0) == "organic"
    assert choose_mode(2, settings, claims=1) == "adversarial"
    assert choose_mode(2, settings, claims=2) == "audit"
    never = RunSettings(adversarial_every=0, audit_every=0)
    assert choose_mode(12, never, claims=9) == "organic"


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["low", "normal", "high"]), st.integers(0, 12)), min_size=1, max_size=6))
def test_every_open_question_is_reached(questions: list[tuple[str, int]]) -> None:
    scene = Scene()
    for number, (stake, boardings) in enumerate(questions, start=1):
        scene.ask(f"q{number}", stake=stake)  # type: ignore[arg-type]
        scene.board(f"q{number}", times=boardings)
    dispute(scene, "q1", 1)
    exploring = RunSettings(explore_every=5, stagnation_after=4)
    seen = set()
    for number in range(1, 400):
        question = picked(scene, exploring, number)
        seen.add(question)
        scene.board(question)
    assert seen == {f"q{number}" for number in range(1, len(questions) + 1)}
