"""Screen 4: the models. What became of their work, and what the registry says of them."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from perdura_core import acts
from perdura_core.acts import Act
from perdura_core.errors import InputError, PerduraError
from perdura_core.vocabulary import Terms
from perdura_tui.actions import Keymap, Place, bindings
from perdura_tui.feed import Feed, Topic
from perdura_tui.palette import Palette
from perdura_tui.panes.lines import Keys
from perdura_tui.panes.registry import CardPane, RegistryPane, next_order
from perdura_tui.screens.arrangement import arrange
from perdura_tui.screens.form import FormDialog
from perdura_tui.screens.mode import ModeScreen
from perdura_tui.screens.records import Page, RecordsDialog
from perdura_tui.states.compared import comparison_lines, history_lines
from perdura_tui.states.standings import Standing, terms_from, terms_to
from perdura_tui.states.tray import Field

__all__ = ["ModelsScreen"]

_TIERS = ("local", "standard", "frontier")


class ModelsScreen(ModeScreen):
    """The list, and under it the card of the model at the cursor. What is changed here is told in the journal."""

    CSS_PATH = "desk.tcss"
    PLACES: ClassVar[tuple[Place, ...]] = ("registry",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("registry", "screen")]
    AUTO_FOCUS = "#registry"

    def __init__(self, feed: Feed, palette: Palette, keymap: Keymap) -> None:
        super().__init__(feed, palette, keymap)
        self._list = RegistryPane(feed, palette)
        self._card = CardPane(self._list, palette)
        self._list.show_card = self._card.paint
        self._house = Vertical(
            self._status, self._list, self._card, self._events, Keys(keymap, palette, "registry", "everywhere")
        )

    def compose(self) -> ComposeResult:
        """The list over the card."""
        yield self._small
        yield self._house

    def on_resize(self, event: events.Resize) -> None:
        """Share the new size out."""
        is_small = arrange(*event.size, 0).shape == "too_small"
        self._small.display, self._house.display = is_small, not is_small
        self._card.styles.height = min(max(event.size.height // 4, 6), 10)

    def show_news(self, dirty: AbstractSet[Topic]) -> None:
        """Paint what changed."""
        if not self.is_mounted:
            return
        for sheet in (self._status, self._list, self._card, self._events):
            if sheet.LISTENS & dirty:
                sheet.paint()

    def action_registry_sort(self) -> None:
        """The next order."""
        self._list.by = next_order(self._list.by)
        self._list.paint()

    def action_registry_domain(self) -> None:
        """The records of the next domain, after the last one overall again."""
        self.feed.judge_next()

    # Records in full

    def action_registry_mark(self) -> None:
        """Mark the model under the cursor."""
        self._list.mark()

    async def action_registry_compare(self) -> None:
        """The two marked models, outcome by outcome; with one mark, that one and the model under the cursor."""
        pair = tuple(dict.fromkeys((*self._list.marked, self._list.selected or "")))[:2]
        if len(pair) != 2 or not all(pair):
            self.feed.tell("mark a model with space, then compare it with another")
            return
        source, domain = self.feed.source, self.feed.board.domain
        try:
            found = await source.compare(pair[0], pair[1], domain)
            nodes = await source.nodes({node for _, node, _ in found.outcomes})
        except PerduraError as error:
            self.feed.tell(str(error), is_error=True)
            return
        texts = {node: value.text for node, value in nodes.items()}
        names, where = (pair[0], pair[1]), "overall" if domain is None else f"in {domain}"
        self._open(f"compared {where}", lambda width: comparison_lines(names, found, texts, width))

    async def action_registry_history(self) -> None:
        """How the records came to be what they are."""
        domain = self.feed.board.domain
        try:
            moments = await self.feed.source.past_tracks(domain)
        except PerduraError as error:
            self.feed.tell(str(error), is_error=True)
            return
        where = "overall" if domain is None else f"in {domain}"
        self._open(f"reliability over time, {where}", lambda width: history_lines(moments, width))

    def _open(self, title: str, page: Page) -> None:
        self.app.push_screen(RecordsDialog(self.feed.source, self.palette, self.keymap, title, page))

    # Changing the registry

    def _editable(self, action_id: str) -> Standing | None:
        standing = self._list.standing if self.may(action_id) else None
        if standing is not None and not any(card.id == standing.card.id for card in self.feed.source.registry.cards):
            self.feed.tell(f"{standing.card.id} has no card: a [[model]] table in the configuration gives it one")
            return None
        return standing

    async def action_registry_enable(self) -> None:
        """Take the model out of service, or put it back."""
        standing = self._editable("registry.enable")
        if standing is None:
            return
        model, why_not = standing.card.id, standing.why_not
        if why_not is None:
            await self._do(acts.disable(model, "by the operator"), f"{model} is out of service: no new boarding")
        elif why_not.startswith(("disabled:", "cooling")):
            await self._do(acts.enable(model), f"{model} is back in service")
        else:
            self.feed.tell(f"{model}: {why_not}")

    async def action_registry_tier(self) -> None:
        """Local, standard, frontier, local."""
        standing = self._editable("registry.tier")
        if standing is not None:
            before = Terms.of(standing.card)
            tier = _TIERS[(_TIERS.index(before.tier) + 1) % len(_TIERS)]
            after = Terms.model_validate(before.model_dump() | {"tier": tier})
            await self._do(acts.change(standing.card.id, before, after), f"{standing.card.id} is {tier} now")

    def action_registry_edit(self) -> None:
        """Change tier, domains and prices in a form."""
        standing = self._editable("registry.edit")
        if standing is None:
            return
        card, price = standing.card, standing.price
        before = Terms.of(card)

        def check(typed: Mapping[str, str]) -> Terms:
            terms = terms_from(card, price, typed)
            if terms == before:
                raise InputError("nothing is changed yet: esc leaves it as it is")
            return terms

        async def filled(typed: Mapping[str, str] | None) -> None:
            if typed is not None:
                await self._do(
                    acts.change(card.id, before, check(typed)), f"{card.id} is changed in this mind; u undoes it"
                )

        said = (
            "What you change here holds in this mind, above the configuration. Separate domains by commas; leave both "
            "prices empty when they are not known."
        )
        fields = [Field(name, value) for name, value in terms_to(card, price).items()]
        self.app.push_screen(
            FormDialog(self.palette, self.keymap, f"the card of {card.id}", said, fields, check), filled
        )

    async def _do(self, act: Act, told: str) -> None:
        try:
            await self.feed.source.act(act)
        except PerduraError as error:
            self.feed.tell(str(error), is_error=True)
        else:
            self.feed.tell(told)
            self._list.paint()
            self._card.paint()
