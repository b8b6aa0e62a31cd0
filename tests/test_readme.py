"""The README keeps its promises to the code."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel

from perdura_core.config import Settings
from perdura_tui.actions import ACTIONS
from perdura_tui.cli import VERBS

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def configuration() -> dict[str, object]:
    (block,) = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
    return tomllib.loads(block)


def keys(model: type[BaseModel], before: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from keys(inner, f"{before}{name}.")
        else:
            yield f"{before}{name}"


def test_the_configuration_shown_is_valid_and_names_every_setting() -> None:
    shown = configuration()
    Settings.model_validate(shown)
    for key in keys(Settings):
        section, _, name = key.rpartition(".")
        table = shown[section] if section else shown
        assert isinstance(table, dict)
        assert name in table, key


def test_defaults_shown_are_the_defaults() -> None:
    shown, default = Settings.model_validate(configuration()), Settings()
    assert (shown.theme, shown.run, shown.briefing, shown.store, shown.demo) == (
        default.theme, default.run, default.briefing, default.store, default.demo,
    )  # fmt: skip


def test_every_verb_is_named() -> None:
    assert [verb for verb in VERBS if verb != "desk" and f"`{verb}" not in README] == []


def test_keys_named_are_keys_of_the_desk() -> None:
    labels = {key for action in ACTIONS for key in action.keys} | {
        "!",
        "[",
        "]",
        "?",
        ",",
        "/",
        "/!",
        "//",
        "+",
        "-",
        "arrows",
    }
    (table,) = re.findall(r"## Keys\n(.*?)\n## ", README, re.DOTALL)
    named = {key for row in table.splitlines()[4:] for key in re.findall(r"`([^`]+)`", row.split("|")[1])}
    assert named - labels == set()


def test_files_it_points_to_exist() -> None:
    top = Path(__file__).parent.parent
    missing = [target for target in re.findall(r"\]\(([^)]+)\)", README) if not (top / target).exists()]
    assert missing == []
