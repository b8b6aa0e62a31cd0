"""Settings from file and environment, keys from environment and keyring."""

from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import PasswordDeleteError

from perdura_core.config import Providers, Settings, load_settings, system_keyring
from perdura_core.errors import ConfigError


class Drawer(KeyringBackend):
    """A keyring that lasts as long as the test."""

    priority = 1.0  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.held: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.held.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.held[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.held.pop((service, username), None) is None:
            raise PasswordDeleteError(username)


@pytest.fixture
def drawer() -> Iterator[Drawer]:
    before = keyring.get_keyring()
    held = Drawer()
    keyring.set_keyring(held)
    yield held
    keyring.set_keyring(before)


def test_a_missing_file_means_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "none.toml", {}) == Settings()


def test_the_environment_overrides_the_file(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("theme = 'paper'\n[run]\nseats = 2\nperiodic_k = 5\n")
    settings = load_settings(file, {"PERDURA_RUN__SEATS": "4", "PERDURA_MIND": "a.mind", "HOME": "/"})
    assert (settings.theme, settings.run.seats, settings.run.periodic_k) == ("paper", 4, 5)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[run]\nseets = 2\n", ["config.toml", "run.seets", "unknown"]),
        ("[run]\nseats = 0\n", ["config.toml", "run.seats", "0"]),
        ("[run]\nroute = 'astrology'\n", ["run.route", "astrology"]),
        ("[run\n", ["config.toml", "not valid TOML"]),
        ("colour = 1\n", ["colour", "unknown"]),
    ],
)
def test_a_wrong_file_is_refused_by_file_key_and_value(tmp_path: Path, text: str, words: list[str]) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_settings(file, {})
    assert all(word in str(caught.value) for word in words)


def test_a_wrong_variable_is_refused_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="PERDURA_RUN__SEATS has the value 'many'"):
        load_settings(tmp_path / "none.toml", {"PERDURA_RUN__SEATS": "many"})


def test_keys_come_from_the_environment_before_the_keyring(drawer: Drawer) -> None:
    keyring.set_password("perdura", "ANTHROPIC_API_KEY", "from-keyring")
    keyring.set_password("perdura", "GEMINI_API_KEY", "gem-from-keyring")
    found = Providers.from_environment({"ANTHROPIC_API_KEY": "from-env"}, system_keyring)
    assert found.anthropic_key is not None
    assert found.google_key is not None
    assert found.anthropic_key.get_secret_value() == "from-env"
    assert found.google_key.get_secret_value() == "gem-from-keyring"
    assert found.openai_key is None
    assert "from-" not in repr(found)
    assert "from-" not in found.model_dump_json()


def test_an_empty_variable_counts_as_absent() -> None:
    assert Providers.from_environment({"OPENAI_API_KEY": "", "OLLAMA_HOST": ""}) == Providers()
