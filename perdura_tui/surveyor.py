"""Places of a map, worked out in another process, so that no key waits for them."""

import asyncio
import json
import os
import sys
from collections.abc import Mapping, Sequence

from perdura_tui.layout import Place

__all__ = ["Surveyor"]

_LONGEST_ANSWER = 1 << 24
_PATIENCE_S = 30.0


class Surveyor:
    """Starts its process with the first order and keeps it warm. Close it at the end."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()

    async def place(
        self, ids: Sequence[str], ties: Sequence[tuple[str, str]], aspect: float, before: Mapping[str, Place]
    ) -> dict[str, Place]:
        """What `layout.place` says. Raises OSError when the process cannot be started, or ended or was silent."""
        known = {node: before[node] for node in ids if node in before}
        order = json.dumps([list(ids), list(ties), aspect, known]) + "\n"
        async with self._turn:
            process = await self._started()
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                async with asyncio.timeout(_PATIENCE_S):
                    process.stdin.write(order.encode())
                    await process.stdin.drain()
                    answer = await process.stdout.readline()
            except BaseException:
                await self._end()  # a half-read answer must not be taken for the next one
                raise
            if not answer:
                await self._end()
                raise ConnectionError("the layout process ended")
            return {node: (x, y) for node, (x, y) in json.loads(answer).items()}

    async def close(self) -> None:
        """End the process."""
        async with self._turn:
            await self._end()

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "perdura_tui.layout",
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
                limit=_LONGEST_ANSWER, start_new_session=True,
                env={"PATH": os.environ.get("PATH", os.defpath), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )  # fmt: skip
        return self._process

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            process.kill()
        await process.communicate()
