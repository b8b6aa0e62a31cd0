"""Server-sent events, decoded as bytes come in."""

__all__ = ["EventDecoder"]


class EventDecoder:
    """Takes bytes in any pieces and gives the data of each event that is complete.

    Lines end at LF, CR LF or CR only: U+2028 and its like are legal inside JSON strings and must not split a line.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[bytes] = []

    def feed(self, piece: bytes) -> list[str]:
        """The data of the events that this piece completes. Raises UnicodeDecodeError if one is not UTF-8."""
        lines = (self._rest + piece).replace(b"\r\n", b"\n")
        # A CR at the very end may be half of a CR LF.
        kept = b"\r" if lines.endswith(b"\r") else b""
        *complete, rest = lines.removesuffix(kept).replace(b"\r", b"\n").split(b"\n")
        self._rest = rest + kept
        return [data for line in complete if (data := self._line(line)) is not None]

    def close(self) -> list[str]:
        """The event that was left without its blank line when the stream ended; servers forget the last one."""
        rest, self._rest = self._rest, b""
        last = [data for line in (rest.removesuffix(b"\r"), b"") if (data := self._line(line)) is not None]
        return [data for data in last if data]

    def _line(self, line: bytes) -> str | None:
        if not line:
            data, self._data = self._data, []
            return b"\n".join(data).decode() if data else None
        name, _, value = line.partition(b":")
        if name == b"data":
            self._data.append(value.removeprefix(b" "))
        return None
