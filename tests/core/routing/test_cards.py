"""The shipped registry and the configuration's changes to it."""

from pathlib import Path

import pytest

from perdura_core.config import load_settings
from perdura_core.errors import ConfigError
from perdura_core.routing import Registry, shipped_cards
from perdura_core.routing.cards import with_changes
from perdura_core.vocabulary import Card, Price


def test_every_shipped_card_has_dated_prices_a_tier_and_room_for_its_briefing() -> None:
    cards = shipped_cards()
    assert len({card.id for card in cards}) == len(cards) >= 9
    assert [card.id for card in cards if card.tier == "frontier"] == [
        "anthropic:claude-opus-5-5",
        "gemini:gemini-3.1-pro-preview",
    ]
    for card in cards:
        assert card.prices
        assert card.briefing_tokens + card.max_output_tokens < card.num_ctx
        if card.id.startswith("reader:"):
            assert card.tier == "local"
            assert not card.is_language_model
        else:
            assert all(price.read_on is not None for price in card.prices)


def test_a_change_keeps_what_it_does_not_name() -> None:
    before = next(card for card in shipped_cards() if card.id == "anthropic:claude-opus-5-5")
    after = next(
        card for card in with_changes(shipped_cards(), [Card(id=before.id, enabled=False)]) if card.id == before.id
    )
    assert after == before.model_copy(update={"enabled": False})


def test_a_new_card_comes_last_and_local_ones_are_free() -> None:
    cards = with_changes(shipped_cards(), [Card(id="openai:mine"), Card(id="ollama:qwen3:8b", domains=("storage",))])
    mine, qwen = cards[-2:]
    assert (mine.tier, mine.prices) == ("standard", ())
    assert (qwen.tier, qwen.domains) == ("local", ("storage",))
    assert qwen.prices == (Price(usd_per_mtok_in=0, usd_per_mtok_out=0),)


def test_a_local_model_may_be_given_a_price_and_a_tier() -> None:
    price = Price(usd_per_mtok_in=1, usd_per_mtok_out=2)
    (card,) = with_changes([], [Card(id="ollama:big-cloud", tier="frontier", prices=(price,))])
    assert (card.tier, card.prices) == ("frontier", (price,))


def test_the_configuration_may_write_its_rates_flat(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(
        '[[model]]\nid = "openai:mine"\nusd_per_mtok_in = 0.5\nusd_per_mtok_out = 1\nnum_ctx = 8192\n'
        '[[model]]\nid = "gemini:gemini-3.8-flash"\nusd_per_mtok_in = 3\nusd_per_mtok_out = 6\n',
        encoding="utf-8",
    )
    registry = Registry(load_settings(file, {}).model)
    assert registry.card("openai:mine").prices == (Price(usd_per_mtok_in=0.5, usd_per_mtok_out=1),)
    assert registry.card("openai:mine").num_ctx == 8192
    changed = registry.card("gemini:gemini-3.8-flash")
    assert changed.prices == (Price(usd_per_mtok_in=3, usd_per_mtok_out=6),)
    assert changed.num_ctx == 1_000_000


def test_half_a_price_is_refused_with_the_missing_key(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('[[model]]\nid = "openai:mine"\nusd_per_mtok_in = 0.5\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="usd_per_mtok_out"):
        load_settings(file, {})
