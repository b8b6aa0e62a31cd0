from itertools import combinations

import pytest

from perdura_tui.actions import ACTIONS, PLACES, Keymap, action, in_footer, key_label, keymap, valid_in


def test_ids_are_unique_and_every_place_is_named() -> None:
    assert len({entry.id for entry in ACTIONS}) == len(ACTIONS)
    assert {entry.where for entry in ACTIONS} == set(PLACES)


@pytest.mark.parametrize(
    "together",
    [
        ("everywhere", "screen", "desk", "list", "contention"),
        ("everywhere", "screen", "desk", "list", "models"),
        ("everywhere", "screen", "list", "map"),
        ("everywhere", "screen", "list", "journal"),
        ("everywhere", "screen", "list", "registry"),
        ("everywhere", "screen", "list", "memory"),
        ("screen", "list", "swap"),
        ("screen", "list", "node"),
        ("everywhere", "screen", "list", "triage"),
        ("screen", "list", "tray"),
        ("screen", "list", "events"),
        ("screen", "form"),
        ("screen", "settings"),
        ("screen", "ask"),
        ("screen", "leave"),
    ],
)
def test_no_key_means_two_things_where_both_are_valid(together: tuple[str, ...]) -> None:
    entries = [entry for entry in ACTIONS if entry.where in together]
    for first, second in combinations(entries, 2):
        both = set(first.keys) & set(second.keys)
        # The one key that a screen may take for its own list: everywhere else it searches the mind.
        yields = "search" in {first.id, second.id} and {first.label, second.label} == {"search", "filter"}
        assert both == ({"slash"} if yields else set()), (first.id, second.id)


def test_keys_that_terminals_confuse_are_not_used() -> None:
    for entry in ACTIONS:
        assert not {"ctrl+j", "ctrl+m", "ctrl+i", "ctrl+h"} & set(entry.keys)


def test_a_keymap_replaces_default_keys() -> None:
    keys = keymap({"swap": "w, f5"})
    assert keys.keys["swap"] == ("w", "f5")
    assert keys.label("swap") == "w"
    assert keys.problems == ()
    assert keys.keys["ask"] == action("ask").keys


@pytest.mark.parametrize(
    ("overrides", "says"),
    [
        ({"swop": "w"}, "names no action 'swop'"),
        ({"swap": " , "}, "gives no key for 'swap'"),
        ({"swap": "a"}, "gives 'a' to both 'swap' and 'ask'"),
    ],
)
def test_a_wrong_keymap_is_said(overrides: dict[str, str], says: str) -> None:
    assert says in keymap(overrides).problems[0]


def test_footers_put_the_most_needed_first() -> None:
    ranks = [entry.footer for entry in in_footer("desk", "everywhere")]
    assert ranks == sorted(ranks)
    assert 0 not in ranks


def test_keys_are_written_as_people_write_them() -> None:
    assert [key_label(key) for key in ("question_mark", "slash", "space", "ctrl+p")] == ["?", "/", "space", "ctrl+p"]


def test_an_id_finds_its_action() -> None:
    assert action("swap").changes_mind
    assert action("pane.next").method == "pane_next"
    assert isinstance(keymap({}), Keymap)
    assert {entry.where for entry in valid_in("ask")} == {"ask"}
