"""Settings: read once from a TOML file and the environment into frozen objects, and passed on by argument."""

import os
import tomllib
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal

from platformdirs import user_config_path, user_data_path
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, ValidationError

from perdura_core.errors import ConfigError
from perdura_core.vocabulary import Card, PolicyName

__all__ = [
    "BriefingSettings",
    "BudgetSettings",
    "DemoSettings",
    "Expansion",
    "Glyphs",
    "Providers",
    "ReviewGate",
    "RunSettings",
    "SearchSettings",
    "Settings",
    "StoreSettings",
    "SwapTrigger",
    "UpkeepSettings",
    "config_file",
    "default_mind",
    "load_settings",
    "system_keyring",
]


SwapTrigger = Literal["budget", "specialist", "stagnation", "contention"]
Expansion = Literal["hops", "pagerank"]
Glyphs = Literal["auto", "braille", "blocks", "ascii"]
ReviewGate = Literal["off", "changes", "all"]
"""`changes`: supersede and resolve wait for the operator; `all`: every element does."""


def _listed(value: Any) -> Any:
    """Names with commas between them, as an environment variable has to write a list."""
    return tuple(filter(None, (name.strip() for name in value.split(",")))) if isinstance(value, str) else value


Usd = Annotated[float, Field(ge=0)]
Tokens = Annotated[int, Field(ge=0)]

_RATES = ("usd_per_mtok_in", "usd_per_mtok_out", "usd_per_mtok_cache_write", "usd_per_mtok_cache_read")


def _with_price_row(entry: Any) -> Any:
    """The entry with the rates that stand in it directly as its one price row."""
    if not isinstance(entry, dict) or "prices" in entry or not any(rate in entry for rate in _RATES):
        return entry
    row = {rate: entry[rate] for rate in _RATES if rate in entry}
    return {**{key: value for key, value in entry.items() if key not in _RATES}, "prices": [row]}


ModelEntry = Annotated[Card, BeforeValidator(_with_price_row)]
"""A card whose single price row may be written flat: `usd_per_mtok_in = 2.0`."""


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RunSettings(_Section):
    """`[run]`: how a session works. The command line and the desk override it for one session."""

    seats: Annotated[int, Field(ge=1, le=64)] = 3
    route: PolicyName = "periodic"
    periodic_k: Annotated[int, Field(ge=1)] = 3
    """A frontier model boards every k-th time."""
    contention_threshold: Annotated[float, Field(gt=0)] = 0.15
    """The contention policy calls a frontier model from here on; from half of it for a high stake."""
    random_p: Annotated[float, Field(gt=0, le=1)] = 1 / 3
    """How often the random policy calls a frontier model."""
    seed: int = 0
    """Of everything that is decided by lot."""
    usd_worth: Annotated[float, Field(ge=0)] = 10.0
    """What a dollar a boarding must buy of reliability (0..1) under the track_record policy."""
    cascade_stop: Annotated[float, Field(gt=0, lt=1)] = 0.9
    """How far the best answer must be believed for the cascade policy to ask nobody dearer."""
    explore_every: Annotated[int, Field(ge=0)] = 5
    """Each so-many-th boarding takes the least-worked question; 0: never."""
    adversarial_every: Annotated[int, Field(ge=0)] = 0
    audit_every: Annotated[int, Field(ge=0)] = 4
    collapse_after: Annotated[int, Field(ge=0)] = 12
    """So many boardings in a row without a contradiction are an alarm, and the next one attacks; 0: never."""
    mask_confidence: bool = False
    stagnation_after: Annotated[int, Field(ge=1)] = 4
    """A question rests when so many boardings in a row added nothing."""
    retry_wait_s: Annotated[float, Field(gt=0)] = 1.0
    """First wait, in seconds, before a call that failed for a passing reason is made again; it doubles each time."""
    review: ReviewGate = "off"
    ask_layers_after: Annotated[int, Field(ge=0)] = 8
    """A language model aboard is asked whether they are facts as soon as so many contributions are unsure; 0: never."""
    swap_on: Annotated[tuple[SwapTrigger, ...], BeforeValidator(_listed)] = ("budget",)
    """What has a worker that is aboard give way to another: budget, specialist, stagnation, contention."""
    memoric_weight: Annotated[float, Field(ge=0, le=1)] = 0.0
    """The part that the scatter of claims has in the contention that routes; the rest is that of contradictions."""


class BudgetSettings(_Section):
    """`[budget]`: caps in US dollars, and in tokens of calls (in and out together); a missing one is no cap."""

    session_usd: Usd | None = None
    day_usd: Usd | None = None
    question_usd: Usd | None = None
    model_usd: Mapping[str, Usd] = {}
    domain_usd: Mapping[str, Usd] = {}
    session_tokens: Tokens | None = None
    day_tokens: Tokens | None = None
    question_tokens: Tokens | None = None
    model_tokens: Mapping[str, Tokens] = {}
    domain_tokens: Mapping[str, Tokens] = {}


class BriefingSettings(_Section):
    """`[briefing]`"""

    max_tokens: Annotated[int, Field(ge=500)] = 6_000
    """Cap for every model; a card may ask for less."""
    hops: Literal[1, 2] = 2
    expansion: Expansion = "hops"
    """How relevance spreads along edges: to a distance, or as far as random walks lead."""
    node_share: Annotated[float, Field(gt=0, le=1)] = 0.125
    """The most of a briefing that one node may take."""


class SearchSettings(_Section):
    """`[search]`"""

    embedder: str = "auto"
    """What makes vectors of texts: `auto`, `wordllama`, `minilm`, `hashed`, `ollama:MODEL` or `gemini:MODEL`."""
    nli: str = "auto"
    """Who gives a second opinion on suspected contradictions: `off`, `auto` (what is installed as an entry point of
    `perdura.nli`), `module:factory` or `onnx:FOLDER`."""


class StoreSettings(_Section):
    """`[store]`"""

    patience_s: Annotated[float, Field(gt=0)] = 30.0
    """How long to wait for another process that is writing."""
    readers: Annotated[int, Field(ge=1, le=16)] = 2


class UpkeepSettings(_Section):
    """`[upkeep]`"""

    daily: bool = True
    """Whether the desk and `perdura run` do the upkeep by themselves."""
    hour: Annotated[int, Field(ge=0, le=23)] = 0
    """From this hour on, in UTC, a day's upkeep is due."""


class DemoSettings(_Section):
    """`[demo]`"""

    characters_per_s: Annotated[float, Field(gt=0)] = 180.0
    """Pace at which readers stream in the demo."""


class Settings(_Section):
    """The whole configuration file."""

    theme: str = "perdura"
    glyphs: Glyphs = "auto"
    """What the desk draws with: braille, blocks, or letters alone; `auto` goes by the terminal."""
    run: RunSettings = RunSettings()
    budget: BudgetSettings = BudgetSettings()
    briefing: BriefingSettings = BriefingSettings()
    search: SearchSettings = SearchSettings()
    store: StoreSettings = StoreSettings()
    upkeep: UpkeepSettings = UpkeepSettings()
    demo: DemoSettings = DemoSettings()
    model: tuple[ModelEntry, ...] = ()
    """`[[model]]` tables: cards added to the registry, or changed in it."""
    keys: Mapping[str, str] = {}
    """`[keys]`: action id -> comma-separated keys, in place of its default."""


class Providers(_Section):
    """What the environment says about providers. Keys are secrets: they never print, serialise or log."""

    anthropic_key: SecretStr | None = None
    anthropic_token: SecretStr | None = None
    """Goes out as a bearer token instead of a key; used only without a key."""
    anthropic_url: str | None = None
    google_key: SecretStr | None = None
    google_url: str | None = None
    openai_key: SecretStr | None = None
    openai_url: str | None = None
    ollama_host: str | None = None
    ollama_key: SecretStr | None = None
    replay_file: str | None = None
    """Recorded answers, JSONL or JSONL.gz, for `replay:NAME` models."""

    @staticmethod
    def from_environment(
        environ: Mapping[str, str], keyring: Callable[[str], str | None] = lambda name: None
    ) -> "Providers":
        """Read the usual variables. An empty one counts as absent; GOOGLE_API_KEY wins over GEMINI_API_KEY.

        A key that no variable holds is asked of `keyring`, by the variable's name; see `system_keyring`.
        """

        def text(*names: str) -> str | None:
            return next((environ[name] for name in names if environ.get(name)), None)

        def secret(*names: str) -> SecretStr | None:
            found = text(*names) or next((held for name in names if (held := keyring(name))), None)
            return None if found is None else SecretStr(found)

        return Providers(
            anthropic_key=secret("ANTHROPIC_API_KEY"),
            anthropic_token=secret("ANTHROPIC_AUTH_TOKEN"),
            anthropic_url=text("ANTHROPIC_BASE_URL"),
            google_key=secret("GOOGLE_API_KEY", "GEMINI_API_KEY"),
            google_url=text("GOOGLE_GEMINI_BASE_URL"),
            openai_key=secret("OPENAI_API_KEY"),
            openai_url=text("OPENAI_BASE_URL"),
            ollama_host=text("OLLAMA_HOST"),
            ollama_key=secret("OLLAMA_API_KEY"),
            replay_file=text("PERDURA_REPLAY"),
        )


def system_keyring(name: str) -> str | None:
    """The key of this name that the system's keyring holds for `perdura`; None without one, or without a keyring.

    Needs the extra `keyring`. A key is put there by `keyring set perdura ANTHROPIC_API_KEY`.
    """
    if find_spec("keyring") is None:
        return None
    keyring = import_module("keyring")
    try:
        held = keyring.get_password("perdura", name)
    except keyring.errors.KeyringError:
        return None
    return held if isinstance(held, str) else None


def config_file(environ: Mapping[str, str] = os.environ) -> Path:
    """`$PERDURA_CONFIG`, or `config.toml` in the user's configuration directory."""
    named = environ.get("PERDURA_CONFIG")
    return Path(named) if named else user_config_path("perdura", appauthor=False) / "config.toml"


def default_mind(environ: Mapping[str, str] = os.environ) -> Path:
    """`$PERDURA_MIND`, or `default.mind` in the user's data directory."""
    named = environ.get("PERDURA_MIND")
    return Path(named) if named else user_data_path("perdura", appauthor=False) / "default.mind"


def load_settings(path: Path, environ: Mapping[str, str] = os.environ) -> Settings:
    """The file's settings, overridden by `PERDURA_<SECTION>__<KEY>` variables (`PERDURA_RUN__SEATS=4`).

    A missing file means defaults. Raises ConfigError that names file (or variable), key and remedy.
    """
    data: dict[str, Any] = {}
    if path.is_file():
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ConfigError(f"{path} is not valid TOML ({error}): mend that line or move the file away") from error
        except OSError as error:
            raise ConfigError(f"{path} cannot be read ({error.strerror}): check its permissions") from error
    variables: dict[str, str] = {}
    for name, value in environ.items():
        section, separator, key = name.removeprefix("PERDURA_").lower().partition("__")
        if not (name.startswith("PERDURA_") and separator):
            continue
        table = data.setdefault(section, {})
        if not isinstance(table, dict):
            raise ConfigError(f"environment variable {name} names no section of the configuration: unset it")
        table[key] = value
        variables[f"{section}.{key}"] = name
    try:
        return Settings.model_validate(data)
    except ValidationError as error:
        raise ConfigError(_sentence(error, path, variables)) from None


def _sentence(error: ValidationError, path: Path, variables: Mapping[str, str]) -> str:
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    place = f"environment variable {variables[key]}" if key in variables else f"{path}: key {key!r}"
    if first["type"] == "extra_forbidden":
        return f"{place} is unknown: remove it, or see the README's configuration section for the names"
    return f"{place} has the value {first['input']!r}: {first['msg'][0].lower()}{first['msg'][1:]}"
