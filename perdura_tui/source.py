"""What the desk needs of a mind: what happened, what is, and the operator's commands. Panes know nothing else."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from perdura_core.clock import Clock
from perdura_core.graph import Graph
from perdura_core.routing import Choice
from perdura_core.vocabulary import Event, ModelId, Node, NodeId, Progress, Stake, TrackRecord
from perdura_tui.states.contention import Contention
from perdura_tui.states.questions import Questions
from perdura_tui.states.status import Session
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
        """The journal after a number."""

    @property
    @abstractmethod
    def fault(self) -> str | None:
        """One sentence about what ended the session, when that was an error."""

    # Reading

    @abstractmethod
    async def nodes(self, ids: Collection[NodeId]) -> dict[NodeId, Node]:
        """Nodes by id; unknown ids are absent."""

    @abstractmethod
    async def history_of(self, node: NodeId, limit: int) -> list[Event]:
        """The newest events that name the node, oldest first."""

    @abstractmethod
    async def tracks(self, domain: str | None) -> list[TrackRecord]:
        """Track records overall, or of one domain."""

    @abstractmethod
    def rank(self, question: NodeId) -> Sequence[Choice]:
        """Every model for this question, the router's favourite first."""

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
    async def closed(self) -> None:
        """Wait until the session of this desk, if any, has ended."""
