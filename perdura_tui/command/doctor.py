"""`doctor` and `info`: what was found and what to do about it, and where everything lies."""

import asyncio
import os
import platform
import shutil
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from perdura_core import __version__
from perdura_core.config import Providers, Settings, default_mind, system_keyring
from perdura_core.errors import ConfigError, StoreError
from perdura_core.routing import Consensus, Quiet, Registry
from perdura_core.store import open_sqlite
from perdura_core.store.health import faults_of, library
from perdura_core.workers.discovery import discover, try_out
from perdura_tui.command import Verb, no_arguments
from perdura_tui.command.minds import config_path, mind_path, settings_of, wants_json
from perdura_tui.command.output import Column, line, print_json, print_table
from perdura_tui.themes import load_themes, shipped_folder, user_folder

__all__ = ["VERBS"]


class _Finding(NamedTuple):
    """One thing that was looked at. `remedy` says what to do, where something can be done."""

    what: str
    state: Literal["good", "absent", "bad"]
    found: str
    remedy: str | None = None


async def _doctor(given: Namespace) -> int:
    configuration, settings = _configuration(given)
    findings = [
        *configuration,
        *_library(),
        *await asyncio.to_thread(_mind, mind_path(given)),
        *_terminal(),
        *_themes(settings),
    ]
    findings += await _models(given, settings)
    if wants_json(given):
        print_json([finding._asdict() for finding in findings])
    else:
        glyphs = {"good": "✓", "absent": "·", "bad": "✗"}
        rows = [
            (glyphs[finding.state], finding.what, "; ".join(filter(None, (finding.found, finding.remedy))))
            for finding in findings
        ]
        print_table([Column(""), Column("what", style="cyan"), Column("found", is_text=True)], rows, empty="")
    return 1 if any(finding.state == "bad" for finding in findings) else 0


def _configuration(given: Namespace) -> tuple[list[_Finding], Settings]:
    path = config_path(given)
    try:
        settings = settings_of(given)
    except ConfigError as error:
        return [_Finding("configuration", "bad", str(error))], Settings()
    found = str(path) if path.is_file() else f"no file at {path}: every setting has its default"
    return [_Finding("configuration", "good" if path.is_file() else "absent", found)], settings


def _library() -> list[_Finding]:
    sqlite = library()
    found = (
        f"SQLite {sqlite.version} {'with' if sqlite.has_fts5 else 'without'} FTS5, Python {platform.python_version()}"
    )
    if sqlite.has_fts5:
        return [_Finding("database", "good", found)]
    return [_Finding("database", "bad", found, "use a Python whose sqlite3 has FTS5")]


def _mind(path: Path) -> list[_Finding]:
    if not path.exists():
        return [_Finding("mind", "absent", f"none at {path}", "`perdura ask` and `perdura read` start one")]
    try:
        faults = faults_of(path)
    except StoreError as error:
        return [_Finding("mind", "bad", str(error))]
    if faults:
        return [_Finding("mind", "bad", f"{path}: {'; '.join(faults)}", "restore a copy, or export what can be read")]
    size = f"{path.stat().st_size / 1e6:.1f} MB"
    return [_Finding("mind", "good", f"{path}, {size}: pages, references and journal are sound")]


def _terminal() -> list[_Finding]:
    if not sys.stdout.isatty():
        return [_Finding("terminal", "absent", "standard output is no terminal", "the desk needs one")]
    columns, rows = shutil.get_terminal_size()
    colours = "24-bit colours" if os.environ.get("COLORTERM") in ("truecolor", "24bit") else "256 colours or fewer"
    term = os.environ.get("TERM", "")
    found = f"{term or 'TERM is not set'}, {columns}x{rows}, {colours}, {sys.stdout.encoding}"
    if os.environ.get("NO_COLOR"):
        found += ", NO_COLOR is set"
    if term in ("", "dumb"):
        return [_Finding("terminal", "bad", found, "set TERM to what your terminal is")]
    if columns < 60 or rows < 15:
        return [_Finding("terminal", "bad", found, "the desk needs 60x15 at least, 120x40 shows all of it")]
    if (sys.stdout.encoding or "").lower().replace("-", "") != "utf8":
        return [_Finding("terminal", "bad", found, "set LANG to a UTF-8 locale, or glyphs will be missing")]
    return [_Finding("terminal", "good", found)]


def _themes(settings: Settings) -> list[_Finding]:
    themes = load_themes([shipped_folder(), user_folder()])
    names = ", ".join(sorted(themes.themes))
    findings = [_Finding("themes", "bad", problem) for problem in themes.problems]
    if settings.theme not in themes.themes:
        findings.append(_Finding("themes", "bad", f"there is no theme {settings.theme!r}", f"choose one of {names}"))
    return findings or [_Finding("themes", "good", names)]


async def _models(given: Namespace, settings: Settings) -> list[_Finding]:
    providers = Providers.from_environment(os.environ, system_keyring)
    discovery = await discover(providers)
    findings = [_Finding("reader", "good", "embedded: reader:support, reader:doubt, reader:gather; free, no models")]
    for one in discovery.found:
        names = "" if one.installed is None else f" ({', '.join(one.installed) or 'no model pulled'})"
        findings.append(_Finding(one.name, "bad" if one.is_reached is False else "good", one.note + names))
    findings += [_Finding(one.name, "absent", "not found", one.remedy) for one in discovery.missing]
    registry = Registry(settings.model)
    for one in discovery.found:
        registry.provide(one.name, one.installed)
    for model in given.trial:
        trial = await try_out(registry.card(model), providers)
        state: Literal["good", "bad"] = "bad" if trial.trouble else "good"
        findings.append(_Finding(model, state, trial.trouble or f"answered in {trial.seconds:.1f} s"))
    return findings


async def _info(given: Namespace) -> int:
    places: dict[str, Any] = {
        "version": __version__,
        "mind": str(mind_path(given)),
        "config": str(config_path(given)),
        "data": str(default_mind({}).parent),
        "themes": str(user_folder()),
        "shipped_themes": str(shipped_folder()),
        "program": str(Path(__file__).parent.parent),
        "python": sys.executable,
    }
    quiet = await _quiet(given)
    if wants_json(given):
        print_json(places | {"consensus_alarm": None if quiet is None else quiet.is_alarm})
        return 0
    columns = [Column("what", style="cyan"), Column("where", is_text=True)]
    print_table(columns, ((name.replace("_", " "), place) for name, place in places.items()), empty="")
    if quiet is not None and quiet.is_alarm:
        line(quiet.sentence, style="yellow")
    return 0


async def _quiet(given: Namespace) -> Quiet | None:
    """How long nobody has contradicted anything; None where there is no mind to read, which `doctor` looks into."""
    path = mind_path(given)
    try:
        settings = settings_of(given)
        async with open_sqlite(path, settings.store, readonly=True) as store:
            consensus = Consensus()
            await consensus.load(store, await store.head())
    except (ConfigError, StoreError):
        return None
    return consensus.quiet(settings.run.collapse_after)


def _doctor_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--try",
        dest="trial",
        metavar="MODEL",
        action="append",
        default=[],
        help="make one real call of a few tokens, which its provider bills; may repeat",
    )


VERBS = {"doctor": Verb(_doctor_arguments, _doctor), "info": Verb(no_arguments, _info)}
