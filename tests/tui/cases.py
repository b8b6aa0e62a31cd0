"""One case for each action of the registry, gathered from the modules that hold them."""

from collections.abc import Awaitable, Callable

from tests.tui.running import Driven

Case = Callable[[Driven], Awaitable[None]]
CASES: dict[str, Case] = {}


def case(action_id: str) -> Callable[[Case], Case]:
    """This function drives the action, on a desk in the middle of its work."""

    def remember(function: Case) -> Case:
        assert action_id not in CASES
        CASES[action_id] = function
        return function

    return remember


async def on(at: Driven, kind: type[object]) -> None:
    """Wait for a screen or a dialog."""
    await at.until(lambda: isinstance(at.app.screen, kind))
