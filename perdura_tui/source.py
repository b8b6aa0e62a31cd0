"""What the desk needs of a mind: what happened, what is, and the operator's commands. Panes know nothing else."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from perdura_core.acts import Act
from perdura_core.clock import Clock
from perdura_core.conductor import Errand, SessionOrder
from perdura_core.config import ReviewGate, Settings
from perdura_core.graph import Graph
from perdura_core.retrieval import Coverage, Found
from perdura_core.routing import Choice, Comparison, PastRecords, Quiet, Registry
from perdura_core.upkeep import UpkeepProgress
from perdura_core.vocabulary import (
    Boarding,
    BoardingRecord,
    Briefing,
    Event,
    MemoryReport,
    ModelId,
    Near,
    Node,
    NodeId,
    Progress,
    Stake,
    Standing,
    Suspicion,
    TrackRecord,
)
from perdura_tui.states.contention import Contention
from perdura_tui.states.questions import Questions
from perdura_tui.states.settings import Outlook
from perdura_tui.states.status import Session
from perdura_tui.states.tray import Tray
from perdura_tui.states.workers import Workers

__all__ = ["Activity", "Opening", "Source"]

Activity = Literal["idle", "running", "paused", "finishing", "watching"]
"""`idle`: no session of this desk; `watching`: the mind is open read-only."""


@dataclass(frozen=True, slots=True)
class Opening:
    """The present when the desk opens, from read models: no fold over a long journal."""

    head: int
    """Events after this one are still to come."""
    questions: Questions
    workers: Workers
    contention: Contention
    session: Session
    lately: tuple[Event, ...] = ()
    tray: Tray = field(default_factory=Tray)


class Source(ABC):
    """One mind as the desk sees it. Reading methods raise StoreError, commands any PerduraError."""

    name: str
    is_readonly: bool
    clock: Clock

    @property
    @abstractmethod
    def graph(self) -> Graph:
        """The index of the present. Read it, never keep it or what it returned across an await."""

    # News

    @abstractmethod
    async def opening(self) -> Opening:
        """The present, in time that does not grow with the journal."""

    @abstractmethod
    async def history(self) -> Contention | None:
        """Contention at the end of each boarding so far; None when the journal is too long to replay for it."""

    @abstractmethod
    def drain(self) -> list[Progress]:
        """Progress since the last call, oldest first."""

    @abstractmethod
    async def events(self, after: int, limit: int) -> list[Event]:
        """The journal after a number, as far as this process knows of it."""

    async def sync(self) -> None:  # noqa: B027 - not every source has anybody beside it
        """Take note of what other processes wrote, now and then, unless somebody else sees to that."""

    @property
    @abstractmethod
    def fault(self) -> str | None:
        """One sentence about what ended the session, when that was an error."""

    # Reading

    @abstractmethod
    async def read_events(
        self,
        after: int = 0,
        *,
        until: int | None = None,
        limit: int | None = None,
        kinds: Collection[str] | None = None,
        newest: bool = False,
    ) -> list[Event]:
        """Any stretch of the journal with `after < seq <= until`, ascending; with `newest`, its last `limit`."""

    @property
    @abstractmethod
    def registry(self) -> Registry:
        """The models: their cards, and why one cannot board."""

    @abstractmethod
    async def nodes(self, ids: Collection[NodeId]) -> dict[NodeId, Node]:
        """Nodes by id; unknown ids are absent."""

    @abstractmethod
    async def history_of(self, node: NodeId, limit: int) -> list[Event]:
        """The newest events that name the node, oldest first."""

    @abstractmethod
    async def tracks(self, domain: str | None) -> list[TrackRecord]:
        """Track records overall, or of one domain."""

    def prepare_tracks(self) -> None:  # noqa: B027 - not every source has something to prepare
        """Do a little of what `tracks` will have to do."""

    @abstractmethod
    async def compare(self, one: ModelId, other: ModelId, domain: str | None) -> Comparison:
        """Two models side by side, outcome by outcome."""

    @abstractmethod
    async def past_tracks(self, domain: str | None) -> list[PastRecords]:
        """Track records as they stood at some moments so far. Costs by the length of the journal."""

    @abstractmethod
    def rank(self, question: NodeId) -> Sequence[Choice]:
        """Every model for this question, the router's favourite first."""

    @abstractmethod
    async def boardings(self, ids: Collection[str]) -> dict[str, BoardingRecord]:
        """Boardings by id; unknown ids are absent."""

    @abstractmethod
    async def told_by(self, boarding: str) -> list[Event]:
        """Everything that a boarding did, oldest first."""

    def suspected(self) -> Sequence[Suspicion]:
        """Pairs of live claims that may contradict each other and that nobody has judged, the most suspicious first."""
        return ()

    def near(self, node: NodeId) -> Sequence[Near]:
        """Near duplicates of a live claim, the closest first; as many as are known by now."""
        return ()

    @property
    def likeness_version(self) -> int:
        """Grows whenever `alike_among` may say something else."""
        return 0

    def alike_among(self, nodes: Collection[NodeId]) -> tuple[Sequence[Near], Sequence[Suspicion]]:
        """Near duplicates and suspected pairs with both ends among these, as many as are known by now."""
        return (), ()

    def code(self, node: NodeId) -> str | None:
        """The memoric code of a claim as hexadecimal digits; None while it is not known."""
        return None

    @property
    def quiet(self) -> Quiet | None:
        """For how many boardings nobody has contradicted anything, and whether that is an alarm; None: unknown."""
        return None

    @abstractmethod
    async def briefing(self, boarding: Boarding) -> Briefing:
        """What the worker was shown, rebuilt from the journal."""

    @abstractmethod
    async def search(self, words: str, limit: int) -> Sequence[Found]:
        """Nodes that meet words and filters, best first. Raises InputError for a filter that does not exist."""

    @property
    @abstractmethod
    def coverage(self) -> Coverage:
        """How far search by meaning has come."""

    # The memory

    @abstractmethod
    async def memory(self) -> MemoryReport | None:
        """What upkeep knows; None where that is not kept, as of the past."""

    @abstractmethod
    async def standing(self, node: NodeId) -> Standing | None:
        """Why an interpretation is worth what it is; None for other nodes, and before an upkeep has seen it."""

    @property
    @abstractmethod
    def upkeep(self) -> UpkeepProgress | None:
        """How far the last upkeep of this process has come."""

    @abstractmethod
    async def keep_up(self) -> None:
        """Do the upkeep now. Raises UpkeepError when another process is at it."""

    @abstractmethod
    async def promote(self, proposal: str) -> None:
        """Accept a promotion."""

    @abstractmethod
    async def refuse_promotion(self, proposal: str) -> None:
        """Refuse a promotion."""

    # The operator's commands

    @property
    @abstractmethod
    def activity(self) -> Activity:
        """What the session of this desk is doing."""

    @property
    @abstractmethod
    def aboard(self) -> int:
        """Workers aboard in the session of this desk."""

    @abstractmethod
    def start(self) -> None:
        """Start a session with the desk's order, if none is running."""

    @abstractmethod
    def pause(self) -> None:
        """Start no new boarding."""

    @abstractmethod
    def resume(self) -> None:
        """Go on."""

    @abstractmethod
    def step(self) -> None:
        """Let one boarding start while paused."""

    @abstractmethod
    def swap(self, seat: int, model: ModelId | None) -> None:
        """Put another model on the seat's question: this one, or the router's choice."""

    @abstractmethod
    def finish(self) -> None:
        """End the session when the boardings under way have ended."""

    @abstractmethod
    def cancel(self) -> None:
        """End the session now; whole elements stay."""

    @abstractmethod
    async def ask(self, text: str, domains: tuple[str, ...], stake: Stake) -> NodeId:
        """Add a question. Returns its id."""

    @abstractmethod
    async def act(self, act: Act) -> None:
        """Do it, attributed to the operator. Raises InputError when the present does not allow it."""

    @abstractmethod
    async def undo(self) -> str:
        """Take back the operator's last act that still stands. Returns its title."""

    @abstractmethod
    async def accept(self, proposals: Sequence[str], changes: Mapping[str, Any] | None = None) -> tuple[Event, ...]:
        """Merge held elements of one boarding, the first with these changes. Returns what was written."""

    @abstractmethod
    async def refuse(self, proposal: str, reason: str | None) -> None:
        """Refuse a held element."""

    @abstractmethod
    def send(self, errand: Errand) -> None:
        """Have a free seat do this next; without a session one is started that is paused for everything else."""

    @property
    @abstractmethod
    def errands(self) -> tuple[Errand, ...]:
        """What was sent for and has not come aboard yet."""

    @property
    @abstractmethod
    def review(self) -> ReviewGate:
        """What the review gate holds, in the running session and the next one."""

    @abstractmethod
    def hold(self, gate: ReviewGate) -> None:
        """Set the review gate, for every boarding still to come."""

    @property
    @abstractmethod
    def settings(self) -> Settings:
        """The configuration that the mind was opened with."""

    @property
    @abstractmethod
    def order(self) -> SessionOrder:
        """How the running session works, and the next one."""

    @abstractmethod
    def outlook(self) -> Outlook:
        """What a forecast of the next boardings starts from. Never keep it across an await."""

    @abstractmethod
    async def change(self, order: SessionOrder) -> None:
        """Have the running session, and the next one, work by this order."""

    @abstractmethod
    async def closed(self) -> None:
        """Wait until the session of this desk, if any, has ended."""
