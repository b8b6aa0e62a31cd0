"""The single lines around the panes: status on top, events and keys at the bottom, and the seats in brief."""

from collections.abc import Mapping
from typing import ClassVar

from perdura_tui.actions import Keymap, in_footer
from perdura_tui.actions import Place as ActionPlace
from perdura_tui.content import fit, width_of
from perdura_tui.feed import Feed, Topic
from perdura_tui.ink import Line, Role, Run, bar, beside, cell, cells_of, heat_role, join, run, spark
from perdura_tui.palette import Ground, Palette
from perdura_tui.panes.sheet import Row, Sheet
from perdura_tui.panes.workers import PHASES
from perdura_tui.past import PastSource
from perdura_tui.phrases import clock_time, dollars, seconds, sentence, short_model, tone
from perdura_tui.source import Activity
from perdura_tui.states.contention import SCALE_AT_LEAST

__all__ = ["EventLine", "Keys", "SeatLines", "StatusLine", "keys_line"]

_ACTIVITY: dict[Activity, Run] = {
    "idle": Run("○ idle", "dim"),
    "running": Run("▶ running", "accent"),
    "paused": Run("‖ paused", "waiting"),
    "finishing": Run("◑ finishing", "waiting"),
    "watching": Run("◌ read-only", "waiting"),
}
_GAP = Run("   ")
_MOST_OF_A_REASON = 36


class StatusLine(Sheet):
    """Mind, activity, seats and policy on the left; money and contention on the right."""

    DEFAULT_CSS = "StatusLine { height: 1; }"
    LISTENS: ClassVar[frozenset[Topic]] = frozenset({"status", "workers"})

    def __init__(self, feed: Feed, palette: Palette) -> None:
        super().__init__(palette, id="status")
        self.feed = feed

    def rows(self, width: int, height: int) -> list[Row]:
        past = self.feed.past
        left = self._left(width) if past is None else _banner(past, width)
        for right in self._right(width):
            line = beside(left, right, width - 1)
            if right in (line, line[-len(right) :]):
                return [Row(line)]
        return [Row(left)]

    def _left(self, cells: int) -> Line:
        feed = self.feed
        name = feed.source.name
        line: Line = ()
        if cells >= 100:
            line = (Run(" perdura", "title"), Run(" · ", "faint"), run(name, "text"))
        else:
            line = (Run(" "), cell(name, min(len(name), 20), "title"))
        line = join(line, _GAP, _ACTIVITY[feed.source.activity])
        session = feed.session
        if session.is_open:
            aboard, seats = feed.workers.aboard, len(feed.workers.cards) or session.seats
            line = join(line, _GAP, Run(f"seats {aboard}/{seats}", "text"))
            if not aboard and cells >= 100 and (why := _why_nobody(feed)):
                line = join(line, run(f" {fit(why, min(width_of(why), _MOST_OF_A_REASON)).rstrip()}", "waiting"))
            if cells >= 90:
                line = join(line, _GAP, run(session.policy, "dim"))
        if feed.is_alarmed and feed.quiet is not None:
            said = f"≡ {feed.quiet.boardings} agree" if cells >= 100 else "≡ agree"
            line = join(line, _GAP, Run(said, "waiting"))
        waiting, gate = len(feed.tray.waiting), feed.source.review
        if waiting:
            line = join(line, _GAP, Run(f"◇ {waiting} wait" if waiting > 1 else "◇ 1 waits", "waiting"))
        elif gate != "off" and cells >= 100:
            line = join(line, _GAP, run(f"review {gate}", "dim"))
        return line

    def _right(self, cells: int) -> list[Line]:
        """The money and the contention, in ever shorter words."""
        session, contention = self.feed.session, self.feed.contention
        spent = session.spent_micro_usd + session.held_micro_usd
        share = session.share
        role: Role = "text" if share is None or share < 0.8 else "waiting"
        money = join(run(dollars(spent), role))
        if session.budget_micro_usd is not None:
            money = join(money, run(f" of {dollars(session.budget_micro_usd)}", "dim" if role == "text" else role))
        gauge = money
        if share is not None:
            gauge = join(money, Run(" "), bar(share, 12, "accent" if role == "text" else "waiting"))
        values = [entry.overall for entry in contention.samples]
        heat = run(f"{contention.overall:.2f}", heat_role(contention.overall) if contention.overall else "dim")
        full = join(Run("contention ", "dim"), heat)
        shape = [Run(" "), Run(spark(values[-10:], max([SCALE_AT_LEAST, *values])), "dim")] if values else []
        return [
            join(gauge, _GAP, full, shape),
            join(money, _GAP, full, shape),
            join(money, _GAP, full),
            join(money, _GAP, Run("± ", "dim"), heat),
            money,
        ]


def _why_nobody(feed: Feed) -> str:
    """Why a running session has nobody aboard, in a few words: the cards say more."""
    if feed.source.activity != "running":
        return ""
    if not feed.questions.open_count:
        return "no question is open"
    return next((card.reason.split(":")[0] for card in feed.workers.cards.values() if card.reason), "")


def _banner(past: PastSource, cells: int) -> Line:
    """What says that the desk shows the past, and that the present goes on."""
    moment, head = past.moment, past.live.graph.head
    if past.target != moment.seq:
        where = f"on the way to event {past.target:,}: {moment.seq:,} folded"
    else:
        where = f"event {moment.seq:,} of {head:,} · {moment.at.astimezone():%Y-%m-%d %H:%M:%S}"
        if cells < 90:
            where = f"{moment.seq:,} of {head:,} · {clock_time(moment.at)}"
    play = f" ▶ {past.speed}x" if past.speed is not None else ""
    line = join(Run(" ◀ THE PAST", "waiting"), Run(f"{play}  ", "waiting"), run(where, "title"))
    goes_on = "the session goes on · " if past.activity in ("running", "paused", "finishing") and cells >= 76 else ""
    return join(line, Run(f"   {goes_on}", "dim"), Run("esc", "key"), Run(" to the present", "dim"))


class SeatLines(Sheet):
    """Each seat on one line, under a pane that is not the workers'."""

    LISTENS: ClassVar[frozenset[Topic]] = frozenset({"workers"})

    def __init__(self, feed: Feed, palette: Palette) -> None:
        super().__init__(palette, id="seats")
        self.feed = feed

    def rows(self, width: int, height: int) -> list[Row]:
        cards = [card for _, card in sorted(self.feed.workers.cards.items())]
        if len(cards) > height:  # keep the selected one in sight
            first = max(min((self.feed.seat or 1) - 1, len(cards) - height), 0)
            cards = cards[first : first + height]
        now_s = self.feed.now_s
        rows: list[Row] = []
        for card in cards:
            is_selected = card.seat == self.feed.seat
            mark = PHASES[card.phase]
            right: Line = ()
            if card.is_aboard:
                right = join(
                    cell(card.question or "", 6),
                    cell(seconds(card.elapsed_at(now_s)), 8, "dim", right=True),
                    cell(dollars(card.cost_micro_usd), 9, "dim", right=True),
                    cell(str(card.merged), 4, "settled" if card.merged else "faint", right=True),
                    Run(" ✓", "settled" if card.merged else "faint"),
                    cell(str(card.rejected), 3, "disputed" if card.rejected else "faint", right=True),
                    Run(" ✗ ", "disputed" if card.rejected else "faint"),
                )
            said = short_model(card.model) if card.model else (card.reason or "waits for the router")
            rest = width - 16 - cells_of(right)
            left = join(
                Run("▌" if is_selected else " ", "accent"),
                cell(str(card.seat), 3, "strong" if is_selected else "dim"),
                mark, Run(" "), cell(card.phase, 10, mark.role),
                cell(said, max(rest, 0), "text" if card.model else "dim"),
            )  # fmt: skip
            rows.append(Row(join(left, right)))
        return rows


class EventLine(Sheet):
    """What happened last, newest first; or a sentence for the operator."""

    DEFAULT_CSS = "EventLine { height: 1; }"
    LISTENS: ClassVar[frozenset[Topic]] = frozenset({"lately"})

    def __init__(self, feed: Feed, palette: Palette, challenge: str = "") -> None:
        """`challenge`: the key that answers an alarm, where there is one."""
        super().__init__(palette, id="events")
        self.feed = feed
        self._challenge = challenge

    def rows(self, width: int, height: int) -> list[Row]:
        notice = self.feed.notice
        if notice is not None:
            role: Role = "disputed" if notice.is_error else "accent"
            mark = Run(" ✗ " if notice.is_error else " · ", role)
            return [Row(join(mark, cell(notice.text, width - 4, role)), self.GROUND)]
        line = self._alarm(width)
        for event in reversed(self.feed.lately.events):
            left = width - 1 - cells_of(line)
            said = sentence(event)
            if left < 24 or (line and left < len(said) + 12):
                break
            part = join(
                Run(" "), run(clock_time(event.at), "faint"), Run(" "),
                cell(said, min(left - 10, len(said)), tone(event) if line else _bright(tone(event))), Run("   "),
            )  # fmt: skip
            line = join(line, part)
        return [Row(line, self.GROUND)]

    def _alarm(self, width: int) -> Line:
        """That nobody contradicts anybody, and what to do about it, for as long as that lasts."""
        quiet = self.feed.quiet
        if quiet is None or not quiet.is_alarm:
            return ()
        said = f"≡ no contradiction in {quiet.boardings} boardings"
        line = (Run(" "), cell(said, min(len(said), max(width - 16, 0)), "waiting"), Run("  "))
        if not self._challenge:
            return line
        return join(line, run(self._challenge, "key"), Run(" challenge", "dim"), Run("   "))


def _bright(role: Role) -> Role:
    return "text" if role == "dim" else role


class Keys(Sheet):
    """The keys that matter here, as many as there is room for."""

    DEFAULT_CSS = "Keys { height: 1; }"

    def __init__(self, keymap: Keymap, palette: Palette, *places: ActionPlace, ground: Ground = "ground") -> None:
        super().__init__(palette, classes="keys")
        self.GROUND = ground
        self._keymap = keymap
        self._places = places
        self._labels: dict[str, str] = {}

    def call(self, **labels: str) -> None:
        """Name actions by what they would do now: `call(pause="resume")`."""
        if labels != self._labels:
            self._labels = labels
            self.paint()

    def rows(self, width: int, height: int) -> list[Row]:
        line = join(Run(" "), keys_line(self._keymap, width - 1, *self._places, labels=self._labels))
        return [Row(line, self.GROUND)]


def keys_line(keymap: Keymap, width: int, *places: ActionPlace, labels: Mapping[str, str] | None = None) -> Line:
    """Keys and labels of the actions of these places, the most needed first, as many as there is room for."""
    line: Line = ()
    for entry in in_footer(*places):
        label = (labels or {}).get(entry.id, entry.label)
        part = join(Run("   " if line else ""), run(keymap.label(entry.id), "key"), Run(f" {label}", "dim"))
        if cells_of(line) + cells_of(part) <= width:
            line = join(line, part)
    return line
