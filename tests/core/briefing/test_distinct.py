"""A claim restated many times takes one line; opposite claims take two."""

from tests.core.briefing.conftest import Page
from tests.core.graph.making import asked, judged, linked, recorded


async def test_a_claim_restated_200_times_takes_one_line(page: Page) -> None:
    forms = (
        "The harbour crane stopped because the brake was worn out.",
        "The harbour crane stopped because the brake was worn out!",
        "the harbour crane stopped, because the brake was worn out",
        "Harbour crane stopped because the brake was worn out.",
    )
    await page.write(
        asked("q1", "Why did the harbour crane stop on Friday?"),
        recorded("f1", "The harbour crane stopped at noon."),
        *(judged(f"i{number}", text=f"{forms[number % 4]}{' ' * number}", confidence=0.9) for number in range(1, 201)),
        *(linked(f"e{number}", "answers", f"i{number}", "q1") for number in range(1, 201)),
        judged("i300", text="The harbour crane stopped because the brake was not worn out.", confidence=0.2),
        linked("e300", "answers", "i300", "q1"),
        judged("i301", text="The night shift went home early.", confidence=0.2),
        linked("e301", "answers", "i301", "q1"),
    )
    shown = [node.id for node in (await page.brief(max_tokens=2_000)).nodes]
    assert len([node for node in shown if node[0] == "i"]) == 3
    assert {"i300", "i301", "f1"} <= set(shown)


async def test_one_dispute_in_many_words_is_shown_once(page: Page) -> None:
    await page.write(
        asked("q1", "Why did the harbour crane stop on Friday?"),
        judged("i1", text="The brake was sound all along.", confidence=0.9),
        *(judged(f"i{n}", text=f"The brake was worn out before Friday{'.' * n}", confidence=0.9) for n in range(2, 42)),
        *(linked(f"e{n}", "answers", f"i{n}", "q1") for n in range(1, 42)),
        *(linked(f"e{n + 50}", "contradicts", f"i{n}", "i1") for n in range(2, 42)),
    )
    assert len((await page.brief()).nodes) == 2
