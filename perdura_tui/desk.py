"""The desk as a program: themes, screens, and the loop that follows the mind."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from textual.app import App
from textual.binding import BindingType

from perdura_core.config import Glyphs, config_file
from perdura_core.errors import PerduraError, StoreError
from perdura_tui.actions import Keymap, action, bindings
from perdura_tui.feed import TICK_S, Feed
from perdura_tui.palette import Palette
from perdura_tui.panes.frame import Frame, ListFrame
from perdura_tui.panes.sheet import Sheet
from perdura_tui.screens.desk import DeskScreen
from perdura_tui.screens.dialog import Dialog
from perdura_tui.screens.help import HelpDialog
from perdura_tui.screens.inspect import InspectDialog
from perdura_tui.screens.journal import JournalScreen
from perdura_tui.screens.leave import LeaveDialog, Leaving
from perdura_tui.screens.map import MapScreen
from perdura_tui.screens.memory import MemoryScreen
from perdura_tui.screens.mode import DisputesWanted, ModeScreen, SearchWanted
from perdura_tui.screens.models import ModelsScreen
from perdura_tui.screens.palette import PaletteDialog
from perdura_tui.screens.search import SearchDialog, Sought
from perdura_tui.screens.settings import Arranged, SettingsDialog
from perdura_tui.screens.tray import TrayDialog
from perdura_tui.screens.triage import TriageScreen
from perdura_tui.states.settings import GATES
from perdura_tui.taking import save, to_clipboard, without_fonts
from perdura_tui.themes import FALLBACK, Themes, load_themes

__all__ = ["DeskApp"]

SCREENS: Mapping[str, type[ModeScreen]] = {
    "desk": DeskScreen,
    "map": MapScreen,
    "triage": TriageScreen,
    "models": ModelsScreen,
    "memory": MemoryScreen,
    "journal": JournalScreen,
}
"""The screens behind the number keys. A new one: a line here, and its action `screen.<name>` in the registry."""


class DeskApp(App[None]):
    """Takes a feed that is open. `problems` are sentences for the operator: broken themes, unknown keys.

    `themes_from`: where theme files are read again. `folder`: where files are written; None: the current one.
    `config`: the configuration file; None: the user's own. `glyphs`: what to draw with.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("everywhere")]
    ENABLE_COMMAND_PALETTE = False
    TITLE = "perdura"

    def __init__(
        self,
        feed: Feed,
        themes: Themes,
        theme: str,
        keymap: Keymap,
        problems: Sequence[str] = (),
        *,
        starts: bool = False,
        themes_from: Sequence[Path] = (),
        folder: Path | None = None,
        config: Path | None = None,
        glyphs: Glyphs = "braille",
    ) -> None:
        super().__init__()
        self._glyphs = glyphs
        self.feed = feed
        self.failure: Exception | None = None
        """What ended the program, if that was an error of its own."""
        self._themes = themes.themes
        self._theme_name = theme if theme in self._themes else FALLBACK
        self._palette = Palette(self._themes[self._theme_name], self._glyphs)
        self._own_keys = keymap
        self._problems = [*themes.problems, *keymap.problems, *problems]
        if theme not in self._themes:
            self._problems.append(f"there is no theme {theme!r}: the desk has {', '.join(sorted(self._themes))}")
        self._themes_from = themes_from
        self._folder = folder
        self._config = config or config_file()
        self._starts = starts
        self._is_leaving = False
        self._screens = {name: screen(feed, self._palette, keymap) for name, screen in SCREENS.items()}

    def on_mount(self) -> None:
        """Show the desk and begin to follow the mind."""
        self.set_class(self._glyphs == "ascii", "-ascii")
        for theme in self._themes.values():
            self.register_theme(theme.for_textual())
        self.theme = self._theme_name
        # Only what differs: Textual lays the whole of a keymap over the bindings at every key.
        self.set_keymap(
            {
                action_id: ",".join(keys)
                for action_id, keys in self._own_keys.keys.items()
                if keys != action(action_id).keys
            }
        )
        for name, screen in self._screens.items():
            self.install_screen(screen, name)
            self.add_mode(name, name)
        self.switch_mode("desk")
        if self._problems:
            more = f" (and {len(self._problems) - 1} more)" if len(self._problems) > 1 else ""
            self.feed.tell(self._problems[0] + more, is_error=True)
        if self._starts:
            self.feed.source.start()
        self.run_worker(self._follow(), name="follow")
        self.run_worker(self._read(), name="read")
        self.run_worker(self._take(self.feed.recall), name="recall")

    async def on_unmount(self) -> None:
        """End the layout process."""
        await self.feed.surveyor.close()

    async def _follow(self) -> None:
        while True:
            await self._take(self.feed.tick)
            self.show_news()
            if self._is_leaving and self.feed.source.activity in ("idle", "watching"):
                self.exit()
                return
            await asyncio.sleep(TICK_S)

    async def _read(self) -> None:
        while True:
            await self._take(self.feed.read)
            await asyncio.sleep(TICK_S)

    def show_news(self) -> None:
        """Paint what changed, on the present screen and in the dialogs over it."""
        dirty = self.feed.take_dirty()
        for screen in self.screen_stack:
            if isinstance(screen, ModeScreen | Dialog):
                screen.show_news(dirty)

    async def _take(self, step: Callable[[], Awaitable[None]]) -> None:
        try:
            await step()
        except StoreError as error:
            self.feed.tell(str(error), is_error=True)
            await asyncio.sleep(1.0)

    def _handle_exception(self, error: Exception) -> None:
        """Keep the error for whoever started the desk, who says it when the terminal is restored."""
        if self.failure is None:
            self.failure = error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """End without Textual's own report, which would print local variables."""
        self._close_messages_no_wait()

    # Anywhere

    @property
    def _present(self) -> ModeScreen:
        return self._screens[self.current_mode]

    def action_show_screen(self, name: str) -> None:
        """Another screen, as it was left."""
        self.switch_mode(name)

    async def action_help(self) -> None:
        """Every key."""
        if not isinstance(self.screen, HelpDialog):
            self.push_screen(HelpDialog(self._palette, self._own_keys))

    def action_palette(self) -> None:
        """Every action by name."""
        if not isinstance(self.screen, Dialog):
            places = (*self._present.PLACES, "everywhere")
            self.push_screen(PaletteDialog(self._palette, self._own_keys, *places), self._perform)

    def action_search(self) -> None:
        """Everything that the mind holds."""
        if isinstance(self.screen, Dialog):
            return

        def picked(sought: Sought | None) -> None:
            if sought is None:
                return
            if sought.on_map:
                self.switch_mode("map")
                chart = self._screens["map"]
                assert isinstance(chart, MapScreen)
                chart.look_at(sought.node)
            else:
                self.push_screen(InspectDialog(self.feed.source, self._palette, self._own_keys, sought.node))

        self.push_screen(SearchDialog(self.feed.source, self._palette, self._own_keys), picked)

    async def _perform(self, action_id: str | None) -> None:
        if action_id is not None:
            entry = action(action_id)
            await self.run_action(entry.method, self if entry.where == "everywhere" else self._present)

    def on_search_wanted(self, wanted: SearchWanted) -> None:
        """The filter of a list gave way to a search."""
        self.action_search()

    def on_disputes_wanted(self, wanted: DisputesWanted) -> None:
        """Show the disputes of a question or a domain."""
        self.switch_mode("triage")
        triage = self._screens["triage"]
        assert isinstance(triage, TriageScreen)
        triage.look_at(wanted.focus)

    async def action_undo(self) -> None:
        """Take back the operator's last act, and say what it was."""
        if not self._present.may("undo"):
            return
        try:
            title = await self.feed.source.undo()
        except PerduraError as error:
            self.feed.tell(str(error), is_error=True)
            return
        self.feed.tell(f"undone: {title}")
        await self._take(self.feed.tick)
        self.show_news()

    def action_tray(self) -> None:
        """What waits for the operator's word."""
        if not isinstance(self.screen, Dialog):
            self.push_screen(TrayDialog(self.feed, self._palette, self._own_keys))

    def action_gate(self) -> None:
        """The next setting of the review gate, for the running session and the next one."""
        if self._present.may("gate"):
            gates = list(GATES)
            gate = gates[(gates.index(self.feed.source.review) + 1) % len(gates)]
            self.feed.source.hold(gate)
            self.feed.tell(f"review gate {gate}: {GATES[gate]}")

    def action_settings(self) -> None:
        """How the session works, and what the next boardings would cost."""
        if not isinstance(self.screen, Dialog) and self._present.may("settings"):
            themes = sorted(self._themes)
            dialog = SettingsDialog(
                self.feed.source, self._palette, self._own_keys, themes, self._theme_name, self._config
            )
            self.push_screen(dialog, self._arrange)

    async def _arrange(self, arranged: Arranged | None) -> None:
        if arranged is None:
            return
        try:
            await self.feed.source.change(arranged.order)
        except PerduraError as error:
            self.feed.tell(str(error), is_error=True)
            return
        if arranged.theme in self._themes:
            self._theme_name = arranged.theme
            self._dress()
        self.feed.tell(arranged.said)
        await self._take(self.feed.tick)
        self.show_news()

    def action_theme(self) -> None:
        """The next theme."""
        names = sorted(self._themes)
        self._theme_name = names[(names.index(self._theme_name) + 1) % len(names)]
        self._dress()
        self.feed.tell(self._themes[self._theme_name].label)
        self.show_news()

    async def action_theme_reload(self) -> None:
        """Read the theme files again, and say which are broken."""
        found = await asyncio.to_thread(load_themes, self._themes_from)
        if found.themes:
            self._themes = found.themes
            for theme in found.themes.values():
                self.register_theme(theme.for_textual())
            self._theme_name = self._theme_name if self._theme_name in found.themes else FALLBACK
            self._dress()
            self.refresh_css()
        if found.problems:
            self.feed.tell(found.problems[0], is_error=True)
        else:
            self.feed.tell(f"{len(found.themes)} themes read")
        self.show_news()

    def _dress(self) -> None:
        self._palette = Palette(self._themes[self._theme_name], self._glyphs)
        self.theme = self._theme_name
        for screen in {*self._screens.values(), *self.screen_stack}:
            if isinstance(screen, ModeScreen | Dialog):
                screen.dress(self._palette)

    # Taking something away

    def _pane(self) -> Sheet | None:
        if isinstance(self.focused, Sheet):
            return self.focused
        return next((sheet for sheet in self.screen.query(Frame) if sheet.display), None)

    async def action_copy(self) -> None:
        """The node under the cursor in full, else what the pane shows."""
        pane = self._pane()
        if pane is None:
            return
        text, what = pane.text, "the pane"
        node = pane.selected if isinstance(pane, ListFrame) else None
        try:
            found = {} if node is None else await self.feed.source.nodes([node])
        except PerduraError as error:
            self.feed.tell(str(error), is_error=True)
            return
        if node is not None and node in found:
            text, what = f"{node}: {found[node].text}", node
        self.copy_to_clipboard(text)  # OSC 52, for a terminal that is far away
        by = "the clipboard" if await to_clipboard(text) else "the clipboard, if your terminal allows OSC 52"
        self.feed.tell(f"{what} went to {by}")

    async def action_export(self) -> None:
        """What the pane shows, as text."""
        pane = self._pane()
        if pane is not None:
            await self._save(pane.id or "pane", ".txt", pane.text + "\n")

    async def action_picture(self) -> None:
        """The screen as it looks."""
        await self._save(self.current_mode, ".svg", without_fonts(self.export_screenshot()))

    async def _save(self, stem: str, suffix: str, text: str) -> None:
        folder = self._folder or Path.cwd()
        try:
            path = await asyncio.to_thread(save, folder, stem, suffix, text, self.feed.live.clock.now())
        except OSError as error:
            said = f"nothing can be written to {folder} ({error.strerror}): start Perdura in another folder"
            self.feed.tell(said, is_error=True)
        else:
            self.feed.tell(f"written: {path}")

    async def action_quit(self) -> None:
        """Leave, but ask first when workers are aboard."""
        if isinstance(self.screen, LeaveDialog):
            return
        if self.feed.source.aboard == 0:
            self.exit()
        else:
            self.push_screen(LeaveDialog(self._palette, self._own_keys, self.feed.source.aboard), self._leave)

    def _leave(self, how: Leaving | None) -> None:
        if how is None:
            return
        self._is_leaving = True
        if how == "finish":
            self.feed.source.finish()
            self.feed.tell("leaving when the boardings under way have ended; q again to end them now")
        else:
            self.feed.source.cancel()
