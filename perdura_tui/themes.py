"""Themes: the shipped ones and the user's own, read from TOML and checked."""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from platformdirs import user_config_path
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator
from textual.theme import Theme as TextualTheme

__all__ = ["FALLBACK", "Colours", "Theme", "Themes", "load_themes", "shipped_folder", "user_folder"]

FALLBACK = "perdura"
"""The theme of a desk whose configured theme does not exist."""

_ANSI = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
ANSI_NAMES = ("default", *_ANSI, *(f"bright_{name}" for name in _ANSI))


def _is_colour(value: str) -> str:
    if value in ANSI_NAMES or re.fullmatch("#[0-9a-fA-F]{6}", value):
        return value
    raise ValueError("is no colour: write #rrggbb, or a terminal colour such as 'bright_cyan' or 'default'")


Colour = Annotated[str, AfterValidator(_is_colour)]


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Colours(_Table):
    """One colour for each thing that a colour may mean on the desk."""

    ground: Colour
    raised: Colour
    """Behind dialogs."""
    selected: Colour
    """Behind the row under the cursor."""
    text: Colour
    strong: Colour
    dim: Colour
    faint: Colour
    rule: Colour
    accent: Colour
    disputed: Colour
    waiting: Colour
    settled: Colour
    cool: Colour
    warm: Colour
    hot: Colour
    """`cool` to `hot`: contention, from none to much."""


class Theme(_Table):
    """One file of `themes/`."""

    name: Annotated[str, Field(pattern="^[a-z0-9][a-z0-9-]*$")]
    label: str
    dark: bool = True
    ansi: bool = False
    """Colours are names of the terminal's own sixteen, and are sent to it as such."""
    colours: Colours

    @model_validator(mode="after")
    def _suits(self) -> "Theme":
        named = [key for key, value in self.colours.model_dump().items() if not value.startswith("#")]
        if self.ansi and len(named) < len(Colours.model_fields):
            wrong = next(key for key in Colours.model_fields if key not in named)
            raise ValueError(f"colours.{wrong} must be one of the terminal's colours because ansi = true")
        if named and not self.ansi:
            raise ValueError(f"colours.{named[0]} must be #rrggbb, or set ansi = true")
        return self

    def for_textual(self) -> TextualTheme:
        """The same theme for Textual's own widgets."""
        colours = self.colours

        def named(value: str) -> str:
            return value if value.startswith("#") else f"ansi_{value}"

        ground, raised, accent = named(colours.ground), named(colours.raised), named(colours.accent)
        return TextualTheme(
            name=self.name,
            primary=accent,
            secondary=named(colours.dim),
            accent=accent,
            foreground=named(colours.text),
            background=ground,
            surface=raised,
            panel=raised,
            error=named(colours.disputed),
            warning=named(colours.waiting),
            success=named(colours.settled),
            dark=self.dark,
            ansi=self.ansi,
            variables={
                "rule": named(colours.rule),
                "raised": raised,
                "ground": ground,
                "dim": named(colours.dim),
                "faint": named(colours.faint),
                "strong": named(colours.strong),
                "input-cursor-background": accent,
                "input-cursor-foreground": "ansi_black" if self.ansi else ground,
                "ansi-background": "ansi_black" if self.dark else "ansi_white",
                "ansi-foreground": "ansi_white" if self.dark else "ansi_black",
            },
        )


class Themes(NamedTuple):
    """What was found. `problems` are sentences about files that were skipped."""

    themes: dict[str, Theme]
    problems: tuple[str, ...]


def shipped_folder() -> Path:
    """Where the themes that come with Perdura lie: inside the installed package, or beside it in a working tree."""
    package = Path(__file__).parent
    inside = package / "themes"
    return inside if inside.is_dir() else package.parent / "themes"


def user_folder() -> Path:
    """Where the user's own themes lie."""
    return user_config_path("perdura", appauthor=False) / "themes"


def load_themes(folders: Iterable[Path]) -> Themes:
    """Read every `*.toml` of the folders. A later theme of the same name replaces an earlier one."""
    themes: dict[str, Theme] = {}
    problems: list[str] = []
    for folder in folders:
        for path in sorted(folder.glob("*.toml")):
            try:
                text = path.read_text(encoding="utf-8")
                theme = Theme.model_validate(tomllib.loads(text))
            except OSError as error:
                problems.append(f"theme {path} cannot be read ({error.strerror}): check its permissions")
            except UnicodeDecodeError:
                problems.append(f"theme {path} is not UTF-8 text: save it as UTF-8")
            except tomllib.TOMLDecodeError as error:
                problems.append(f"theme {path} is not valid TOML: {error}")
            except ValidationError as error:
                problems.append(_sentence(path, text, error))
            else:
                themes[theme.name] = theme
    return Themes(themes, tuple(problems))


def _sentence(path: Path, text: str, error: ValidationError) -> str:
    first: Any = error.errors()[0]
    keys = [str(part) for part in first["loc"]]
    message = str(first["msg"]).removeprefix("Value error, ")
    if not keys:  # a rule about the whole file, whose message starts with the key
        keys = message.partition(" ")[0].split(".")
        said = message
    elif first["type"] == "missing":
        said = f"key {'.'.join(keys)!r} is missing"
    elif first["type"] == "extra_forbidden":
        said = f"key {'.'.join(keys)!r} is unknown: remove it"
    else:
        said = f"key {'.'.join(keys)!r} = {first['input']!r} {message}"
    return f"theme {path}, line {_line_of(text, keys)}: {said}"


def _line_of(text: str, keys: list[str]) -> int:
    """The line of the key; of its table, or the first, when the key is not there."""
    for key in reversed(keys):
        found = re.search(rf"^\s*(?:{re.escape(key)}\s*=|\[{re.escape(key)}\])", text, re.MULTILINE)
        if found:
            return text.count("\n", 0, found.start(0) + len(found.group(0)) - len(found.group(0).lstrip())) + 1
    return 1
