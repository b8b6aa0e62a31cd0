"""Which models can board, and what is said of those that cannot."""

from datetime import timedelta

import pytest

from perdura_core.errors import InputError
from perdura_core.routing import Registry
from perdura_core.vocabulary import Card, CardChanged, ModelCooled, ModelDisabled, ModelEnabled, Price, Terms
from tests.core.routing.scenes import NOW, numbered

OPUS = "anthropic:claude-opus-5-5"
READERS = ["reader:support", "reader:doubt", "reader:gather"]


def test_without_a_provider_only_the_readers_are_able() -> None:
    registry = Registry()
    assert [card.id for card in registry.able(NOW)] == READERS
    assert registry.why_not(OPUS, NOW) == "anthropic is not aboard: `perdura doctor` says what is missing"
    assert not registry.is_aboard(OPUS)


def test_a_provider_brings_its_cards_aboard_and_can_go_again() -> None:
    registry = Registry()
    registry.provide("anthropic")
    assert registry.why_not(OPUS, NOW, under_budget=True) is None
    assert registry.is_aboard(OPUS)
    registry.withdraw("anthropic", "set ANTHROPIC_API_KEY")
    assert registry.why_not(OPUS, NOW) == "anthropic is not aboard: set ANTHROPIC_API_KEY"


def test_installed_names_get_cards_and_others_a_remedy() -> None:
    registry = Registry([Card(id="ollama:qwen3", domains=("storage",)), Card(id="ollama:gemma:2b")])
    registry.provide("ollama", ["qwen3:latest", "smollm2:135m"])
    assert registry.why_not("ollama:qwen3", NOW) is None
    assert registry.card("ollama:smollm2:135m").tier == "local"
    assert "ollama:qwen3:latest" not in {card.id for card in registry.cards}
    assert registry.why_not("ollama:gemma:2b", NOW) == "ollama does not have it: `ollama pull gemma:2b`"


def test_a_discovered_card_fits_into_the_context_of_its_model() -> None:
    registry = Registry()
    registry.provide("ollama", ["small", "large"], {"small": 8_192, "large": 131_072})
    small, large = registry.card("ollama:small"), registry.card("ollama:large")
    assert (small.num_ctx, small.briefing_tokens, small.max_output_tokens) == (8_192, 4_096, 2_048)
    assert (large.num_ctx, large.briefing_tokens, large.max_output_tokens) == (32_768, 6_000, 4_096)


def test_an_unknown_model_is_an_input_error() -> None:
    with pytest.raises(InputError, match="'nobody:x'"):
        Registry().why_not("nobody:x", NOW)


def test_disabling_lasts_until_enabling() -> None:
    registry = Registry()
    events = numbered([ModelDisabled(model=READERS[0], reason="its key was refused"), ModelEnabled(model=READERS[0])])
    registry.apply(events[:1])
    assert registry.why_not(READERS[0], NOW) == "disabled: its key was refused"
    assert [card.id for card in registry.able(NOW)] == READERS[1:]
    registry.apply(events)
    assert registry.why_not(READERS[0], NOW) is None
    registry.apply(events[:1])
    assert registry.why_not(READERS[0], NOW) is None


def test_cooling_ends_by_itself_and_by_the_operator() -> None:
    registry = Registry()
    until = NOW + timedelta(minutes=3, seconds=20)
    cooled = ModelCooled(model=READERS[1], until=until, reason="rate limited")
    registry.apply(numbered([cooled]))
    assert registry.why_not(READERS[1], NOW) == "cooling until 14:03:20 UTC: rate limited"
    assert (
        registry.why_not(READERS[1], NOW - timedelta(days=1)) == "cooling until 2026-12-01 14:03:20 UTC: rate limited"
    )
    assert registry.why_not(READERS[1], until) is None
    registry.reset()
    registry.apply(numbered([cooled, ModelEnabled(model=READERS[1])]))
    assert registry.why_not(READERS[1], NOW) is None


def test_the_configuration_can_switch_a_model_off() -> None:
    registry = Registry([Card(id=READERS[2], enabled=False)])
    registry.apply(numbered([ModelEnabled(model=READERS[2])]))
    assert registry.why_not(READERS[2], NOW) == (
        "disabled in the configuration: set enabled = true in its [[model]] table"
    )


def test_an_unknown_price_matters_only_under_a_budget() -> None:
    registry = Registry([Card(id="openai:mine")])
    registry.provide("openai")
    assert registry.why_not("openai:mine", NOW) is None
    assert registry.why_not("openai:mine", NOW, under_budget=True) == (
        "its price is unknown and a budget is set: give [[model]] prices"
    )
    assert [card.id for card in registry.able(NOW, models=["openai:mine", OPUS])] == ["openai:mine"]
    assert registry.able(NOW, under_budget=True, models=["openai:mine"]) == []


def test_a_changed_card_stands_above_the_configuration_until_the_journal_is_folded_again() -> None:
    registry = Registry()
    registry.provide("anthropic")
    before = Terms.of(registry.card(OPUS))
    after = Terms(tier="standard", domains=("storage",), prices=(Price(usd_per_mtok_in=1, usd_per_mtok_out=2),))
    events = numbered([CardChanged(model=OPUS, before=before, after=after)])
    registry.apply(events)
    assert Terms.of(registry.card(OPUS)) == after
    assert Terms.of(next(card for card in registry.able(NOW) if card.id == OPUS)) == after
    assert registry.card(OPUS).num_ctx == Registry().card(OPUS).num_ctx
    registry.reset()
    assert Terms.of(registry.card(OPUS)) == before


def test_a_registry_as_of_other_events_leaves_this_one_alone() -> None:
    registry = Registry()
    registry.apply(numbered([ModelDisabled(model=READERS[0], reason="slow")]))
    past = registry.as_of([])
    assert past.why_not(READERS[0], NOW) is None
    assert registry.why_not(READERS[0], NOW) == "disabled: slow"
