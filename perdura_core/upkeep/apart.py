"""The process in which a run is worked out: an order on its input, frames on its output. `python -m ...apart`."""

import gc
import pickle
import sys
from typing import Any, BinaryIO

from perdura_core.errors import PerduraError
from perdura_core.store.line import translated
from perdura_core.upkeep.frames import LENGTH
from perdura_core.upkeep.order import Failure
from perdura_core.upkeep.working import outcomes

__all__ = ["main"]


def _tell(stream: BinaryIO, value: Any) -> None:
    frame = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(LENGTH.pack(len(frame)))
    stream.write(frame)
    stream.flush()


def main() -> None:
    """Read the order, work, and tell. An error that a person can do something about is told as a Failure."""
    gc.disable()  # rows of whole tables pass by, hold no cycles, and would be searched for them again and again
    told = sys.stdout.buffer
    order = pickle.loads(sys.stdin.buffer.read())
    try:
        with translated(order.place):
            for each in outcomes(order):
                _tell(told, each)
    except PerduraError as error:
        _tell(told, Failure(str(error)))
    except BrokenPipeError:
        return


if __name__ == "__main__":
    main()
