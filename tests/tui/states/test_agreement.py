from perdura_core.graph import Graph
from perdura_tui.states.agreement import most_agreed
from tests.tui.script import Script


def test_the_question_with_most_claims_and_no_dispute_is_agreed_on_most() -> None:
    script = Script()
    for text in ("Why?", "When?", "Who?", "Where?"):
        script.ask(text)
    for question, count in (("q1", 3), ("q2", 2), ("q3", 1)):
        claims = [script.claim(f"{question} {number}", "m:a", None) for number in range(count)]
        for claim in claims:
            script.join("answers", claim, question, "m:a")
        if question == "q1":
            script.join("contradicts", claims[0], claims[1], "m:b")
    assert most_agreed(script.graph) == "q2"


def test_nothing_is_agreed_on_where_nothing_is_claimed() -> None:
    script = Script()
    script.ask("Why?")
    assert most_agreed(script.graph) is None
    assert most_agreed(Graph()) is None
