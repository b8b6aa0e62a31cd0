"""A desk that a test drives."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from textual.pilot import Pilot

from perdura_core.config import Glyphs
from perdura_tui.actions import keymap
from perdura_tui.desk import DeskApp
from perdura_tui.feed import Feed
from perdura_tui.layout import Place, place
from perdura_tui.panes.sheet import Sheet
from perdura_tui.screens.desk import DeskScreen
from perdura_tui.source import Source
from perdura_tui.surveyor import Surveyor
from perdura_tui.themes import load_themes, shipped_folder
from tests.tui.script import aboard, sample_mind
from tests.tui.scripted import ScriptedSource

PATIENCE_S = 20.0


class AtHome(Surveyor):
    """Lays out where it is asked, so that no test waits for a process."""

    async def place(
        self, ids: Sequence[str], ties: Sequence[tuple[str, str]], aspect: float, before: Mapping[str, Place]
    ) -> dict[str, Place]:
        return place(ids, ties, aspect, before)


@dataclass
class Driven:
    """The app under a pilot, with short ways to what tests look at."""

    app: DeskApp
    pilot: Pilot[None]
    feed: Feed
    source: ScriptedSource

    @property
    def desk(self) -> DeskScreen:
        screen = self.app.get_screen("desk") if self.app.is_screen_installed("desk") else self.app.screen_stack[0]
        assert isinstance(screen, DeskScreen)
        return screen

    def text(self, query: str) -> str:
        return self.app.screen.query_one(query, Sheet).text

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        if self.app.is_running and self.app.screen_stack:
            self.app.show_news()  # what the keys brought about, without a wait for the next tick
        await self.pilot.pause()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something is so; a test that waits in vain fails."""
        async with asyncio.timeout(PATIENCE_S):
            while not holds():
                await self.pilot.pause(0.02)

    async def settle(self) -> None:
        """Have everything that happened so far on the screen."""
        await self.feed.tick()
        await self.feed.read()
        self.app.show_news()
        await self.pilot.pause()


def busy_source(boardings: int = 40, *, readonly: bool = False) -> ScriptedSource:
    """A mind in the middle of its work with four seats, three of them taken."""
    script = sample_mind(boardings)
    script.counters["b"] = 90
    for seat, (model, question) in enumerate(
        (("anthropic:claude-haiku-5-5", "q1"), ("ollama:qwen3:8b", "q2"), ("reader:doubt", "q7")), 1
    ):
        script.board(seat, question, model)
    source = ScriptedSource(script, "running", readonly=readonly)
    source.progress = aboard()
    return source


@asynccontextmanager
async def driven(
    source: ScriptedSource | None = None,
    size: tuple[int, int] = (120, 40),
    *,
    theme: str = "perdura",
    keys: Mapping[str, str] | None = None,
    glyphs: Glyphs = "braille",
) -> AsyncIterator[Driven]:
    """Run the desk without a terminal."""
    source = source if source is not None else busy_source()
    feed, app = await opened(source, theme=theme, keys=keys, glyphs=glyphs)
    async with app.run_test(size=size) as pilot:
        driven_ = Driven(app, pilot, feed, source)
        await driven_.until(lambda: isinstance(app.screen, DeskScreen) and bool(app.screen.panes[0].text))
        await driven_.settle()
        yield driven_


async def opened(
    source: Source, *, theme: str = "perdura", keys: Mapping[str, str] | None = None, glyphs: Glyphs = "braille"
) -> tuple[Feed, DeskApp]:
    """A feed that is open, and an app over it."""
    feed = Feed(source, AtHome())
    await feed.open()
    themes = load_themes([shipped_folder()])
    return feed, DeskApp(feed, themes, theme, keymap(keys or {}), themes_from=[shipped_folder()], glyphs=glyphs)
