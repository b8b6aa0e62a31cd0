"""Screen 3: triage. What the operator decides about disputes, a key for each way to settle one."""

from collections.abc import Mapping

from perdura_core.acts import Act, contradict, dismiss, merge_as_same, prefer, stand_both
from perdura_core.conductor import Errand
from perdura_core.errors import InputError, PerduraError
from perdura_core.vocabulary import Mode, ModelId, NodeId
from perdura_tui.phrases import clock_time
from perdura_tui.screens.disputed import Disputed
from perdura_tui.screens.form import FormDialog
from perdura_tui.states.tray import Field
from perdura_tui.states.triage import (
    Dispute,
    best_frontier,
    disputes,
    favourite,
    mark,
    note,
    skip,
)

__all__ = ["TriageScreen"]


class TriageScreen(Disputed):
    """The disputes with the operator's keys. Whatever is done, the next dispute is selected."""

    # Settling

    def _dispute(self, action_id: str) -> Dispute | None:
        if not self.may(action_id):
            return None
        if self.list.dispute is None:
            self.feed.tell("no dispute is selected: there is nothing to settle here")
        return self.list.dispute

    async def _do(self, act: Act) -> bool:
        try:
            await self.feed.source.act(act)
        except PerduraError as error:
            self.feed.tell(str(error), is_error=True)
            return False
        await self.feed.tick()
        return True

    async def _settle(self, act: Act) -> None:
        if await self._do(act):
            self.feed.tell(f"{act.title}; {self.keymap.label('undo')} takes it back")
        self._refresh()

    async def action_triage_left(self) -> None:
        """The left side stands."""
        pair = self._dispute("triage.left")
        if pair is not None:
            await self._settle(prefer(pair.left, pair.right))

    async def action_triage_right(self) -> None:
        """The right side stands."""
        pair = self._dispute("triage.right")
        if pair is not None:
            await self._settle(prefer(pair.right, pair.left))

    async def action_triage_same(self) -> None:
        """They are one; the more confident wording stays."""
        pair = self._dispute("triage.same")
        if pair is not None:
            kept, merged = favourite(pair) or (pair.left, pair.right)
            await self._settle(merge_as_same(kept, merged, self.feed.source.clock.now()))

    async def action_triage_contradict(self) -> None:
        """They contradict each other: a dispute from now on."""
        pair = self._suspected("triage.contradict")
        if pair is not None:
            await self._settle(contradict(pair.left, pair.right, self.feed.source.clock.now()))

    async def action_triage_dismiss(self) -> None:
        """They do not: not suspected again."""
        pair = self._suspected("triage.dismiss")
        if pair is not None:
            await self._settle(dismiss(pair.left, pair.right))

    def _suspected(self, action_id: str) -> Dispute | None:
        pair = self._dispute(action_id)
        if pair is not None and not pair.is_suspected:
            self.feed.tell(
                f"{pair.left} and {pair.right} contradict each other, by an edge: settle it, or let both stand"
            )
            return None
        return pair

    def action_triage_both(self) -> None:
        """Both stand, each in its scope."""
        pair = self._dispute("triage.both")
        if pair is None:
            return
        now = self.feed.source.clock.now()

        def check(typed: Mapping[str, str]) -> Act:
            return stand_both(pair.left, pair.right, typed["scope"], now, is_suspected=pair.is_suspected)

        async def filled(typed: Mapping[str, str] | None) -> None:
            if typed is not None:
                await self._settle(check(typed))

        said = f"Say in which scope each holds, in one sentence: it becomes a claim of yours that refines {pair.left} \
and {pair.right}. “{pair.left} holds until 10:04, {pair.right} after it.”"
        form = FormDialog(self.palette, self.keymap, "both stand", said, [Field("scope", "")], check)
        self.app.push_screen(form, filled)

    async def action_triage_by_confidence(self) -> None:
        """One pair after the other, so that each can be taken back; one may settle the next."""
        if not self.may("triage.by_confidence"):
            return
        chosen = self._chosen_keys()
        settled, ties, gone = 0, 0, 0
        for key in chosen:
            pairs, _ = disputes(self.feed.source.graph, self.list.focus_on)
            pair = next((pair for pair in pairs if pair.key == key), None)
            if pair is None:
                gone += 1
                continue
            better = favourite(pair)
            if better is None:
                ties += 1
            elif await self._do(prefer(*better)):
                settled += 1
        parts = [f"{settled} settled by confidence"]
        parts += [f"{gone} went with them"] if gone else []
        parts += [f"{ties} left: both sides are as confident"] if ties else []
        undo = f"; {self.keymap.label('undo')} takes the last back" if settled else ""
        self.feed.tell(", ".join(parts) + undo)
        self._refresh()

    def _chosen_keys(self) -> list[str]:
        """The marked pairs in the order of the list, or the one under the cursor."""
        marked = [pair.key for pair in self.list.shown if pair.key in self.list.triage.marked]
        return marked or ([self.list.selected] if self.list.selected is not None else [])

    def action_triage_mark(self) -> None:
        """Mark, and go on to the next."""
        if self.list.selected is not None:
            self.list.triage = mark(self.list.triage, self.list.selected)
            self.list.move(1)
            self.list.paint()

    def action_triage_skip(self) -> None:
        """To the end of the list, the next one selected; once more brings it back."""
        keys = self._chosen_keys()
        if not keys:
            return
        shown = [pair.key for pair in self.list.shown]
        after = [key for key in shown[shown.index(keys[-1]) + 1 :] if key not in keys]
        self.list.triage = skip(self.list.triage, keys)
        if after:
            self.list.select(after[0])
        self.list.paint()

    # Sending for somebody

    def action_triage_auditor(self) -> None:
        """Somebody else than the authors of the two sides judges the claims of the question."""
        pair = self._dispute("triage.auditor")
        if pair is not None:
            graph = self.feed.source.graph
            authors = [vertex.created_by for node in (pair.left, pair.right) if (vertex := graph.get(node)) is not None]
            self._send(pair, "audit", None, frozenset(authors), "an auditor")

    def action_triage_escalate(self) -> None:
        """The best frontier model that can board, or why there is none."""
        pair = self._dispute("triage.escalate")
        question = self._asked(pair)
        if pair is None or question is None:
            return
        try:
            model, why = best_frontier(self.feed.source.rank(question))
        except PerduraError as error:
            model, why = None, str(error)
        if model is None:
            self.feed.tell(why, is_error=True)
        else:
            self._send(pair, "organic", model, frozenset(), model)

    def _asked(self, pair: Dispute | None) -> NodeId | None:
        if pair is None:
            return None
        if not pair.questions:
            self.feed.tell(f"no open question is near {pair.left} and {pair.right}: ask one to have them worked on")
            return None
        return pair.questions[0]

    def _send(self, pair: Dispute, mode: Mode, model: ModelId | None, apart: frozenset[ModelId], who: str) -> None:
        question = self._asked(pair)
        if question is None:
            return
        source = self.feed.source
        was_idle = source.activity == "idle"
        try:
            source.send(Errand(question, mode, model, apart))
        except InputError as error:
            self.feed.tell(str(error), is_error=True)
            return
        rest = "; everything else is paused" if was_idle or source.activity == "paused" else ""
        self.feed.tell(f"{who} is sent to {question}: the next free seat takes it{rest}")
        said = f"{who} sent to {question} at {clock_time(source.clock.now())}"
        self.list.triage = note(self.list.triage, pair.key, said)
        self.list.move(1)
        self.list.paint()
