"""Habits of the desk beyond single actions."""

from itertools import combinations

import pytest

from perdura_core.vocabulary import Near, Suspicion
from perdura_tui.actions import ACTIONS
from perdura_tui.desk import DeskApp
from perdura_tui.feed import Feed
from perdura_tui.screens.ask import AskDialog
from perdura_tui.screens.desk import DeskScreen
from perdura_tui.screens.inspect import InspectDialog
from perdura_tui.screens.leave import LeaveDialog
from perdura_tui.screens.swap import SwapDialog
from perdura_tui.themes import load_themes, shipped_folder
from tests.tui.running import busy_source, driven, opened
from tests.tui.script import Script
from tests.tui.scripted import ScriptedSource


async def test_a_desk_that_is_read_only_refuses_what_changes_the_mind_and_shows_the_rest() -> None:
    async with driven(busy_source(readonly=True)) as at:
        assert "read-only" in at.text("#status")
        for entry in ACTIONS:
            if entry.changes_mind and entry.where == "desk":
                at.feed.notice = None
                await at.press(entry.keys[0])
                await at.settle()
                assert "this desk is read-only" in at.text("#events"), entry.id
                assert isinstance(at.app.screen, DeskScreen)
        assert at.source.calls == []
        await at.press("enter")
        await at.until(lambda: isinstance(at.app.screen, InspectDialog))


async def test_the_users_keys_replace_the_default_ones_in_bindings_footer_and_help() -> None:
    async with driven(keys={"swap": "w", "ask": "f5"}) as at:
        await at.press("s")
        assert isinstance(at.app.screen, DeskScreen)
        await at.press("w")
        await at.until(lambda: isinstance(at.app.screen, SwapDialog))
        await at.press("escape", "f5")
        await at.until(lambda: isinstance(at.app.screen, AskDialog))
        await at.press("escape")
        footer = at.app.screen.query_one("Keys").text  # type: ignore[attr-defined]
        assert "w swap" in footer
        assert "f5 ask" in footer


async def test_a_key_that_is_written_as_a_character_works() -> None:
    async with driven(keys={"help": "%"}) as at:
        await at.press("percent_sign")
        await at.until(lambda: bool(at.app.screen.query("#help")))


@pytest.mark.parametrize(
    ("theme", "keys", "says"),
    [
        ("sepia", {}, "there is no theme 'sepia': the desk has perdura, perdura-16"),
        ("perdura", {"swop": "x"}, "[keys] names no action 'swop'"),
    ],
)
async def test_what_is_wrong_in_the_settings_is_said_on_the_desk(theme: str, keys: dict[str, str], says: str) -> None:
    async with driven(theme=theme, keys=keys, size=(160, 40)) as at:
        assert says in at.text("#events")
        assert at.app.theme == "perdura"


async def test_quitting_with_nobody_aboard_asks_nothing() -> None:
    async with driven(ScriptedSource(Script(), "idle")) as at:
        await at.press("q")
        await at.until(lambda: at.app._exit)


async def test_quitting_twice_while_finishing_offers_to_end_now() -> None:
    async with driven() as at:
        await at.press("q")
        await at.until(lambda: isinstance(at.app.screen, LeaveDialog))
        await at.press("f")
        await at.until(lambda: isinstance(at.app.screen, DeskScreen))
        await at.press("q")
        await at.until(lambda: isinstance(at.app.screen, LeaveDialog))
        await at.press("c")
        await at.until(lambda: at.app._exit)
        assert at.source.calls == [("finish",), ("cancel",)]


async def test_a_session_starts_with_the_desk_when_it_is_asked_to() -> None:
    source = ScriptedSource(Script(), "idle")
    feed, made = await opened(source)
    app = DeskApp(feed, load_themes([shipped_folder()]), "perdura", made._own_keys, starts=True)
    async with app.run_test() as pilot:
        await pilot.pause()
        assert source.calls == [("start",)]


async def test_swapping_without_a_session_says_what_to_do() -> None:
    async with driven(ScriptedSource(Script(), "idle")) as at:
        for key in ("s", "S", "n"):
            await at.press(key)
            await at.settle()
            assert "space starts one" in at.text("#events")


async def test_a_refused_swap_is_said() -> None:
    source = busy_source()
    async with driven(source) as at:
        card = at.feed.workers.cards[1]
        at.desk._swap(9, "reader:doubt")
        await at.settle()
        assert "there is no seat 9" in at.text("#events")
        assert at.feed.workers.cards[1] is card


async def test_the_cursor_stays_on_its_question_while_the_order_changes() -> None:
    source = busy_source()
    async with driven(source) as at:
        await at.press("j", "j")
        chosen = at.feed.around.question
        source.script.work(25)
        await at.settle()
        assert at.feed.around.question == chosen
        assert f"▌{chosen}" in at.text("#questions")


async def test_the_mouse_selects_and_scrolls() -> None:
    async with driven() as at:
        first = at.feed.around.question
        await at.pilot.click("#questions", offset=(20, 6))
        assert at.feed.around.question != first
        await at.pilot.click("#workers", offset=(20, 4))
        assert at.feed.seat == 2
        await at.pilot.click("#graph", offset=(30, 5))
        assert at.app.focused is at.desk.panes[1]


async def test_the_cursor_in_the_workers_selects_the_seat_that_is_swapped() -> None:
    async with driven() as at:
        await at.press("W", "j", "j", "S")
        assert at.source.calls == [("swap", 3, None)]
        await at.press("g", "S")
        assert at.source.calls[-1] == ("swap", 1, None)


async def test_hidden_panes_do_not_paint() -> None:
    source = busy_source()
    async with driven(source, (80, 24)) as at:
        workers = at.desk.panes[2]
        before = workers.text
        source.script.work(4)
        await at.settle()
        assert workers.text == before
        await at.press("W")
        await at.until(lambda: workers.text != before)


async def test_a_mind_without_anything_says_what_to_do() -> None:
    async with driven(ScriptedSource(Script(), "idle")) as at:
        assert "No questions yet." in at.text("#questions")
        assert "space starts a session" in at.text("#workers")
        assert "No boarding has ended yet." in at.text("#contention")
        assert "No model has a record here yet." in at.text("#models")
        assert "space start" in at.app.screen.query_one("Keys").text  # type: ignore[attr-defined]


async def test_colours_have_a_twin_in_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with driven() as at:
        assert at.app.no_color
        assert "‹q3›" in at.text("#graph"), "the selected node"
        assert "✗" in at.text("#graph"), "a contradiction"
        assert "▌q3" in at.text("#questions"), "the selected row"
        assert "few" in at.text("#models"), "few outcomes"
        assert "● streaming" in at.text("#workers")
        assert "◐ waiting" in at.text("#workers")


async def test_an_error_of_the_desk_itself_ends_it_and_is_kept_for_the_caller() -> None:
    class Broken(Feed):
        async def _tick(self) -> None:
            raise ZeroDivisionError("a mistake")

    source = busy_source()
    feed = Broken(source)
    await feed.open()
    app = DeskApp(feed, load_themes([shipped_folder()]), "perdura", (await opened(source))[1]._own_keys)
    with pytest.raises(Exception, match="a mistake"):
        async with app.run_test() as pilot:
            await pilot.pause(1.0)
    assert app.failure is not None


async def test_the_memoric_code_appears_on_the_open_page_once_it_is_known() -> None:
    async with driven() as at:
        one, other = [vertex.id for vertex in at.source.graph.vertices("interpretation") if vertex.is_live][:2]
        at.app.push_screen(InspectDialog(at.source, at.desk.palette, at.desk.keymap, one))
        await at.until(lambda: bool(at.app.screen.query("#page")) and one in at.text("#page"))
        assert "memoric code" not in at.text("#page")
        at.source.codes[one] = "8f03d21c77aa4e19b0c2d3e4"
        at.source.alike.append(Near(other, one, 5, says_the_same=True))
        await at.until(lambda: "8f03d21c77aa4e19b0c2d3e4" in at.text("#page"))
        assert f"≈ {other}" in at.text("#page")
        assert "5 bits" in at.text("#page")


async def test_what_nobody_drew_is_dotted_on_the_map_with_a_legend() -> None:
    async with driven(size=(120, 40)) as at:
        await at.press("M", "z")
        dots = [dot.id for dot in at.feed.around.nearby.dots if dot.layer == "interpretation"]
        joined = {frozenset((tie.src, tie.dst)) for tie in at.feed.around.nearby.ties}
        apart = [pair for pair in combinations(dots, 2) if frozenset(pair) not in joined]
        assert "suspected" not in at.text("#graph")
        at.source.doubted = [Suspicion(*apart[0], 0.6, ())]
        at.source.alike = [Near(*apart[1], 4, says_the_same=False)]
        at.source.monotonic_s += 1.0
        await at.settle()
        assert {(tie.type, tie.src, tie.dst) for tie in at.feed.around.hints} == {
            ("suspected", *apart[0]),
            ("worded_like", *apart[1]),
        }
        shown = at.text("#graph")
        assert "·?· suspected" in shown
        assert "·≈· alike" in shown
