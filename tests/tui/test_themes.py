from pathlib import Path

import pytest

from perdura_tui.palette import Palette
from perdura_tui.themes import FALLBACK, load_themes, shipped_folder

GOOD = (shipped_folder() / "perdura.toml").read_text(encoding="utf-8")


def test_the_shipped_themes_load() -> None:
    found = load_themes([shipped_folder()])
    assert found.problems == ()
    assert set(found.themes) == {"perdura", "perdura-light", "perdura-contrast", "perdura-16"}
    assert FALLBACK in found.themes
    for theme in found.themes.values():
        assert theme.for_textual().name == theme.name
        Palette(theme)


def _contrast(first: str, second: str) -> float:
    """WCAG 2.2 contrast ratio of two #rrggbb colours."""

    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(("name", "least"), [("perdura", 4.5), ("perdura-light", 4.5), ("perdura-contrast", 7.0)])
def test_what_must_be_read_stands_out_from_every_ground(name: str, least: float) -> None:
    colours = load_themes([shipped_folder()]).themes[name].colours
    for ground in (colours.ground, colours.raised, colours.selected):
        for role in ("text", "strong", "accent", "disputed", "waiting", "settled"):
            assert _contrast(getattr(colours, role), ground) >= least, (role, ground)
        assert _contrast(colours.dim, ground) >= 4.0


def test_a_theme_of_the_user_replaces_a_shipped_one(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(GOOD.replace("#0b0e11", "#010203"), encoding="utf-8")
    found = load_themes([shipped_folder(), tmp_path])
    assert found.themes["perdura"].colours.ground == "#010203"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (('"#0b0e11"', '"blackish"'), "line 7: key 'colours.ground' = 'blackish' is no colour"),
        (("ground =", "grund ="), "line 6: key 'colours.ground' is missing"),
        (('accent = "#4fd1e0"', 'accent = "cyan"'), "line 15: colours.accent must be #rrggbb, or set ansi = true"),
        (("dark = true", "dark = true\nansi = true"), "line 8: colours.ground must be one of the terminal's colours"),
        (("dark = true", "dark = "), "at line 4"),
        (("dark = true", "dark = true\nsparkle = 1"), "line 5: key 'sparkle' is unknown"),
    ],
)
def test_a_broken_theme_is_skipped_and_named_with_its_line(tmp_path: Path, change: tuple[str, str], says: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(GOOD.replace(*change), encoding="utf-8")
    found = load_themes([tmp_path])
    assert found.themes == {}
    assert str(path) in found.problems[0]
    assert says in found.problems[0]


def test_a_theme_that_is_no_text_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    assert "is not UTF-8 text" in load_themes([tmp_path]).problems[0]


def test_a_folder_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    assert load_themes([tmp_path / "absent"]).themes == {}
