"""Which models there are, which of them can board now, and why the others cannot."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from perdura_core.errors import InputError
from perdura_core.routing.cards import card_for, shipped_cards, with_changes
from perdura_core.vocabulary import (
    Card,
    CardChanged,
    Event,
    ModelCooled,
    ModelDisabled,
    ModelEnabled,
    ModelId,
    Terms,
    provider_of,
)

__all__ = ["REGISTRY_KINDS", "Registry"]

REGISTRY_KINDS = frozenset({"model_disabled", "model_enabled", "model_cooled", "card_changed"})
"""Kinds of the events that the registry folds: what to ask the store for when a mind is opened."""

_REMEDY = "`perdura doctor` says what is missing"


class _Cooling(NamedTuple):
    until: datetime
    reason: str


class Registry:
    """The cards of one mind with the state that its journal and the environment give them.

    A provider is aboard once `provide` named it; until then its models cannot board. Readers need nothing and always
    can. Cards keep the order of the shipped file, then of the configuration, then of discovery.
    """

    def __init__(self, changes: Iterable[Card] = ()) -> None:
        """`changes` are the configuration's `[[model]]` tables, laid over the shipped cards."""
        self._cards = {card.id: card for card in with_changes(shipped_cards(), changes)}
        self._provided: dict[str, frozenset[str] | None] = {"reader": None}
        self._remedies: dict[str, str] = {}
        self._disabled: dict[ModelId, str] = {}
        self._cooling: dict[ModelId, _Cooling] = {}
        self._terms: dict[ModelId, Terms] = {}
        self._head = 0

    def provide(
        self, provider: str, installed: Collection[str] | None = None, contexts: Mapping[str, int] | None = None
    ) -> None:
        """Take note that a provider can be reached.

        `installed` are the names it has, where it can tell (Ollama): each gets a card, and a card of a name that it
        lacks cannot board. None: it has every name that a card gives it. `contexts` are the longest contexts of
        installed names in tokens, where known; a new card asks for no more.
        """
        self._provided[provider] = None if installed is None else frozenset(map(_full_name, installed))
        known = {(provider_of(card.id), _full_name(_name_of(card.id))) for card in self._cards.values()}
        for name in sorted(installed or ()):
            if (provider, _full_name(name)) not in known:
                card = _within(card_for(Card(id=f"{provider}:{name}")), (contexts or {}).get(name))
                self._cards[card.id] = card

    def withdraw(self, provider: str, remedy: str) -> None:
        """Take note that a provider cannot be reached, and of what to do about it (`set ANTHROPIC_API_KEY`)."""
        self._provided.pop(provider, None)
        self._remedies[provider] = remedy

    def apply(self, events: Iterable[Event]) -> None:
        """Move the state of the models forward. Events at or before the last one applied are ignored."""
        for event in events:
            if event.seq <= self._head:
                continue
            self._head = event.seq
            match event.what:
                case ModelDisabled(model=model, reason=reason):
                    self._disabled[model] = reason
                case ModelEnabled(model=model):
                    self._disabled.pop(model, None)
                    self._cooling.pop(model, None)
                case ModelCooled(model=model, until=until, reason=reason):
                    self._cooling[model] = _Cooling(until, reason)
                case CardChanged(model=model, after=terms):
                    self._terms[model] = terms
                case _:
                    pass

    def reset(self) -> None:
        """Forget what the journal said, so that it can be folded again."""
        self._disabled.clear()
        self._cooling.clear()
        self._terms.clear()
        self._head = 0

    def as_of(self, events: Iterable[Event]) -> "Registry":
        """The same cards and providers, in the state that these events alone give."""
        past = Registry.__new__(Registry)
        past._cards, past._provided, past._remedies = dict(self._cards), dict(self._provided), dict(self._remedies)
        past._disabled, past._cooling, past._terms, past._head = {}, {}, {}, 0
        past.apply(events)
        return past

    @property
    def cards(self) -> tuple[Card, ...]:
        """Every card, able or not."""
        return tuple(map(self._present, self._cards.values()))

    def card(self, model: ModelId) -> Card:
        """The card of a model. Raises InputError when there is none."""
        found = self._cards.get(model)
        if found is None:
            raise InputError(f"no model {model!r} in the registry: `perdura models` lists it, [[model]] adds to it")
        return self._present(found)

    def _present(self, card: Card) -> Card:
        """The card under the terms that the operator gave it."""
        terms = self._terms.get(card.id)
        if terms is None:
            return card
        return card.model_copy(update={"tier": terms.tier, "domains": terms.domains, "prices": terms.prices})

    def admit(self, model: ModelId) -> Card:
        """The card of a model; one is made for a name that a provider aboard may well have, though no card says so.

        `openai:any-name`, `local:some/file.gguf`. Raises InputError when the provider is not aboard or lacks the name.
        """
        if model not in self._cards and ":" in model and self._absence(model) is None:
            self._cards[model] = card_for(Card(id=model))
        return self.card(model)

    def is_aboard(self, model: ModelId) -> bool:
        """Whether the model's provider can be reached and has it, whatever its state."""
        return model in self._cards and self._absence(model) is None

    def is_disabled(self, model: ModelId) -> bool:
        """Whether the journal says that the model is out of service until it is enabled."""
        return model in self._disabled

    def why_not(self, model: ModelId, now: datetime, under_budget: bool = False) -> str | None:
        """One clause for people that says why the model cannot board now; None when it can.

        `under_budget`: some cap applies, so that a model of unknown price is refused. Raises InputError when there is
        no card.
        """
        card = self.card(model)
        absence = self._absence(model)
        if absence is not None:
            return absence
        if not card.enabled:
            return "disabled in the configuration: set enabled = true in its [[model]] table"
        if model in self._disabled:
            return f"disabled: {self._disabled[model]}"
        cooling = self._cooling.get(model)
        if cooling is not None and now < cooling.until:
            return f"cooling until {_clock_time(cooling.until, now)}: {cooling.reason}"
        if under_budget and not card.prices:
            return "its price is unknown and a budget is set: give [[model]] prices"
        return None

    def able(self, now: datetime, under_budget: bool = False, models: Collection[ModelId] | None = None) -> list[Card]:
        """The cards that can board now, in the registry's order; with `models`, only those."""
        return [
            card
            for card in self.cards
            if (models is None or card.id in models) and self.why_not(card.id, now, under_budget) is None
        ]

    def _absence(self, model: ModelId) -> str | None:
        provider = provider_of(model)
        card = self._cards.get(model)
        if card is not None and card.base_url is not None:
            return None
        if provider not in self._provided:
            return f"{provider} is not aboard: {self._remedies.get(provider, _REMEDY)}"
        installed = self._provided[provider]
        if installed is None or _full_name(_name_of(model)) in installed:
            return None
        if provider == "local" and _name_of(model).endswith(".gguf"):
            return None
        pull = f": `ollama pull {_name_of(model)}`" if provider == "ollama" else ""
        return f"{provider} does not have it{pull}"


def _name_of(model: ModelId) -> str:
    return model.partition(":")[2]


def _within(card: Card, context: int | None) -> Card:
    """The card fitted into a context: half of it at most for the briefing, a quarter for the reply."""
    if context is None or context >= card.num_ctx:
        return card
    return card.model_copy(
        update={
            "num_ctx": context,
            "briefing_tokens": min(card.briefing_tokens, context // 2),
            "max_output_tokens": min(card.max_output_tokens, context // 4),
        }
    )


def _full_name(name: str) -> str:
    """Ollama's habit: a name without a tag means its latest."""
    return name if ":" in name else f"{name}:latest"


def _clock_time(until: datetime, now: datetime) -> str:
    shown = "%H:%M:%S UTC" if until.date() == now.date() else "%Y-%m-%d %H:%M:%S UTC"
    return until.strftime(shown)
