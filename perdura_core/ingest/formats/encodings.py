"""Bytes to text: byte order marks first, then UTF-8, Windows-1252, and what charset-normalizer is sure of."""

import codecs

from charset_normalizer import from_bytes

from perdura_core.errors import DocumentError

__all__ = ["decode"]

_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SNIFF_BYTES = 65_536


def decode(data: bytes, name: str) -> str:
    """The text of a file. Raises DocumentError when it holds no text: empty, binary or undecodable."""
    if not data.strip():
        raise DocumentError(f"{name!r} is empty: name a file with text in it")
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decode_as(data, encoding, name)
    wide = _wide_encoding(data)
    if wide is not None:
        return _decode_as(data, wide, name)
    if _is_binary(data):
        raise DocumentError(f"{name!r} holds binary data, not text: convert it to text, Markdown, HTML or PDF first")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    if _is_western(data[:_SNIFF_BYTES]):
        return data.decode("cp1252")
    best = from_bytes(data[:_SNIFF_BYTES]).best()
    if best is None:
        raise DocumentError(f"{name!r} is in no encoding that could be recognised: save it as UTF-8")
    return data.decode(best.encoding, errors="replace")


def _decode_as(data: bytes, encoding: str, name: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        raise DocumentError(f"{name!r} is marked as {encoding} and is not: save it as UTF-8") from None


def _wide_encoding(data: bytes) -> str | None:
    """UTF-16 without a mark: in Western text every second byte is zero."""
    sample = data[:2_000]
    if len(sample) < 8 or 0 not in sample:
        return None
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    half = len(sample) // 2
    if odd > 0.4 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.4 * half and odd < 0.05 * half:
        return "utf-16-be"
    return None


def _is_western(sample: bytes) -> bool:
    """Whether it reads as Windows-1252: mostly plain letters, and the others are letters or typographic marks there.

    Statistics fail on a few lines with a few umlauts, and that is the commonest case.
    """
    try:
        text = sample.decode("cp1252")
    except UnicodeDecodeError:
        return False
    others = [character for character in text if not character.isascii()]
    plain = sum(character.isascii() and character.isalpha() for character in text)
    good = sum(c.isalpha() or c in "‘’“”–—…€§°«»£ ©®½¼²³·" for c in others)
    return len(others) * 4 < plain and good >= 0.95 * len(others)


def _is_binary(data: bytes) -> bool:
    sample = data[:_SNIFF_BYTES]
    controls = sum(sample.count(bytes([code])) for code in (*range(1, 7), *range(14, 27), *range(28, 32)))
    return 0 in sample or controls > len(sample) * 0.02
