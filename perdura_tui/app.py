"""Showing the desk of an open mind, and leaving it in order."""

import asyncio
import os
import signal
from pathlib import Path

from perdura_core.conductor import SessionOrder
from perdura_core.mind import Mind
from perdura_tui.actions import keymap
from perdura_tui.desk import DeskApp
from perdura_tui.feed import Feed
from perdura_tui.glyphs import suited
from perdura_tui.live import LiveSource
from perdura_tui.themes import load_themes, shipped_folder, user_folder

__all__ = ["show_desk"]

_ENDING_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


async def show_desk(mind: Mind, order: SessionOrder, config: Path, *, starts: bool = False) -> int:
    """Show the desk of an open mind until the operator leaves. Returns the exit code.

    `order` is what a session started from the desk does; with `starts` it begins at once. Theme and keys come from the
    mind's settings, which were read from `config`. SIGTERM or a closed terminal ends the session with whole elements
    kept. Raises StoreError when the mind cannot be read, and whatever ended the desk by mistake; the terminal is
    restored before either.
    """
    source = LiveSource(mind, order)
    feed = Feed(source)
    await feed.open()
    folders = [shipped_folder(), user_folder()]
    themes = load_themes(folders)
    keys = keymap(mind.settings.keys)
    starts = starts and not source.is_readonly
    glyphs = suited(mind.settings.glyphs, os.environ)
    app = DeskApp(
        feed, themes, mind.settings.theme, keys, starts=starts, themes_from=folders, config=config, glyphs=glyphs
    )
    ended_by: list[int] = []

    def end(number: int) -> None:
        ended_by.append(number)
        app.exit()

    loop = asyncio.get_running_loop()
    for number in _ENDING_SIGNALS:
        loop.add_signal_handler(number, end, number)
    try:
        async with mind.tended():
            await app.run_async()
    finally:
        for number in _ENDING_SIGNALS:
            loop.remove_signal_handler(number)
        source.cancel()
        await source.closed()
    if app.failure is not None:
        raise app.failure
    return 128 + ended_by[0] if ended_by else 0
