"""The memoric code: 96 bits that say where a node stands, so that standing can be compared by counting bits.

From the most significant bit: 48 semantic (simhash), 4 type, 5 confidence, 6 domains, 1 stale | 16 hours since the mind
began, 16 hash of the superseding id. Source: EPISTEMICS, memoric code. A code is derived and never truth. Arrays of
codes are two columns: `front` uint64 (the first 64 bits, all that distances read) and `back` uint32.
"""

import re
import unicodedata
from collections.abc import Sequence
from hashlib import blake2b
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "COLLISION_BITS",
    "DUPLICATE_BITS",
    "CodeType",
    "Codes",
    "Standing",
    "as_hex",
    "distance",
    "encode",
    "grams_of",
    "hamming",
    "near_pairs",
    "normalised",
    "scatter",
    "simhash",
]

CodeType = Literal["question", "claim", "evidence", "decision", "rejected"]
_TYPES: dict[str, int] = {"question": 0, "claim": 1, "evidence": 2, "decision": 3, "rejected": 4}

DUPLICATE_BITS = 8
"""Semantic bits that differ between near duplicates, at most."""
COLLISION_BITS = 17
"""Semantic bits that differ between collision candidates, at most; above those of near duplicates."""

_SEMANTIC = 48
_SEMANTIC_AT, _TYPE_AT, _CONFIDENCE_AT, _DOMAINS_AT = (np.uint64(at) for at in (16, 12, 7, 1))
_FOUR, _FIVE, _ONE = np.uint64(15), np.uint64(31), np.uint64(1)
_DOMAINS = 6
_TABLES = 32
_MOST_IN_BUCKET = 64
_GRAM = 3
_AT_ONCE = 16_384
"""Characters that are hashed together: as many bytes of memory each as a gram has bits."""
_GAPS = re.compile(r"\s+")
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)


class Standing(NamedTuple):
    """What a code is made of, beside the text."""

    type: CodeType
    confidence: float
    """0..1; questions count as 1."""
    domains: tuple[str, ...] = ()
    is_stale: bool = False
    hours: int = 0
    """Since the mind began; counted up to 65,535."""
    superseded_by: str | None = None


class Codes(NamedTuple):
    """Codes of n nodes."""

    front: NDArray[np.uint64]
    back: NDArray[np.uint32]


def normalised(text: str) -> str:
    """Compatibility forms, lower case, single blanks: `normalised(" The  ＡBC ") == "the abc"`."""
    return _GAPS.sub(" ", unicodedata.normalize("NFKC", text).lower()).strip()


def grams_of(text: str, width: int) -> NDArray[np.uint64]:
    """Hashes of the character n-grams of a text between blanks, one per position; empty for an empty text.

    A text shorter than the width is one gram.
    """
    if not text:
        return np.zeros(0, dtype=np.uint64)
    points = _points(f" {text} ")
    return _hashed(points, min(width, len(points)))


def _points(text: str) -> NDArray[np.uint64]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.uint64)


def _hashed(points: NDArray[np.uint64], width: int) -> NDArray[np.uint64]:
    """A hash of each run of so many code points."""
    count = len(points) - width + 1
    mixed = np.zeros(count, dtype=np.uint64)
    for offset in range(width):
        mixed = (mixed ^ points[offset : offset + count]) * _MULTIPLIER
        mixed ^= mixed >> np.uint64(29)
    mixed *= _MIX
    return np.asarray(mixed ^ (mixed >> np.uint64(32)))


def simhash(texts: Sequence[str]) -> NDArray[np.uint64]:
    """48-bit simhash of each text over its character 3-grams (Charikar 2002): bit set where most grams set it.

    Worded alike means few bits apart; many texts at once take a third of the time:

    >>> a, b, c = simhash(["The cache was cold at noon.", "The cache was cold at noon!", "Votes decide in December."])
    >>> int(hamming(a, b)) < 8 < int(hamming(a, c))
    True
    """
    codes = np.zeros(len(texts), dtype=np.uint64)
    rows: list[int] = []
    shown: list[str] = []
    characters = 0
    for row, text in enumerate(map(normalised, texts)):
        if text:
            rows.append(row)
            shown.append(text)
            characters += len(text)
        if characters >= _AT_ONCE:
            codes[rows] = _simhash(shown)
            rows, shown, characters = [], [], 0
    codes[rows] = _simhash(shown)
    return codes


def _simhash(shown: Sequence[str]) -> NDArray[np.uint64]:
    """Of texts none of which is empty."""
    if not shown:
        return np.zeros(0, dtype=np.uint64)
    # As many grams as characters, because each text stands between two blanks; two more run into the next text.
    counts = np.array([len(text) for text in shown], dtype=np.int64)
    grams = _hashed(_points("".join(f" {text} " for text in shown)), _GRAM)
    bits = np.unpackbits(grams.astype("<u8").view(np.uint8).reshape(-1, 8)[:, :6], axis=1, bitorder="little")
    starts = np.cumsum(counts + 2) - counts - 2
    edges = np.stack([starts, starts + counts], axis=1).ravel()[:-1]
    ones = np.add.reduceat(bits, edges, axis=0, dtype=np.int32)[::2]
    codes = np.zeros((len(shown), 8), dtype=np.uint8)
    codes[:, :6] = np.packbits(ones * 2 > counts[:, np.newaxis], axis=1, bitorder="little")
    return codes.view("<u8")[:, 0].astype(np.uint64)


def encode(semantic: NDArray[np.uint64], standings: Sequence[Standing], domains: Sequence[str]) -> Codes:
    """The codes of nodes with these simhashes. domains: the mind's most used ones, of which six have a bit.

    >>> one = encode(np.array([1], dtype=np.uint64), [Standing("claim", 0.5, ("a",), hours=3)], ["a"])
    >>> as_hex(one)
    ['000000000001184000030000']
    """
    bit = {name: 1 << (_DOMAINS - 1 - place) for place, name in enumerate(domains[:_DOMAINS])}
    rest = np.zeros(len(standings), dtype=np.uint64)
    back = np.zeros(len(standings), dtype=np.uint32)
    for row, standing in enumerate(standings):
        confidence = 1.0 if standing.type == "question" else min(1.0, max(0.0, standing.confidence))
        named = sum({bit[name] for name in standing.domains if name in bit})
        rest[row] = _TYPES[standing.type] << 12 | round(confidence * 31) << 7 | named << 1 | standing.is_stale
        back[row] = min(65_535, max(0, standing.hours)) << 16 | _short_hash(standing.superseded_by)
    return Codes((semantic << _SEMANTIC_AT) | rest, back)


def as_hex(codes: Codes) -> list[str]:
    """Each code as 24 hexadecimal digits."""
    return [f"{int(front):016x}{int(back):08x}" for front, back in zip(codes.front, codes.back, strict=True)]


def hamming(a: ArrayLike, b: ArrayLike) -> NDArray[np.uint8]:
    """Bits that differ between simhashes, with numpy's broadcasting."""
    return np.asarray(np.bitwise_count(np.bitwise_xor(np.asarray(a, np.uint64), np.asarray(b, np.uint64))))


def distance(a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
    """Epistemic distance between `front` columns, 0..1, with numpy's broadcasting. 0 where either is stale.

    min(1, (2 [type differs] + 2 |conf_a - conf_b| / 31 + hamming48 / 48) / 5). Source: EPISTEMICS, memoric code.

    >>> same, other = np.array([[0b0001_11111_000000_0], [0b0011_00000_000000_0]], dtype=np.uint64)
    >>> float(distance(same, other)[0])
    0.8
    """
    one, other = np.asarray(a, np.uint64), np.asarray(b, np.uint64)
    type_differs = ((one ^ other) >> _TYPE_AT) & _FOUR != 0
    apart = np.abs(_confidence(one) - _confidence(other)) / 31
    bits = hamming(one >> _SEMANTIC_AT, other >> _SEMANTIC_AT) / _SEMANTIC
    far = np.minimum(1.0, (2.0 * type_differs + 2.0 * apart + bits) / 5)
    return np.where(((one | other) & _ONE) != 0, 0.0, far)


def scatter(front: NDArray[np.uint64]) -> float:
    """Mean distance over all pairs of these codes, 0..1; 0 for fewer than two.

    Exact, in time that grows with n log n: no sum of three parts reaches past 5, so the parts add up on their own,
    bits by p (n - p) of each place, confidences by their order, types by their counts.
    """
    everything = len(front)
    if everything < 2:
        return 0.0
    fresh = front[(front & _ONE) == 0]
    n = len(fresh)
    types = np.bincount(((fresh >> _TYPE_AT) & _FOUR).astype(np.intp), minlength=16).astype(np.float64)
    other_type = (n * n - float((types * types).sum())) / 2
    ordered = np.sort(_confidence(fresh))
    apart = float(((2 * np.arange(n) - n + 1) * ordered).sum()) / 31
    places = np.arange(_SEMANTIC, dtype=np.uint64)
    set_bits = [int((((fresh >> _SEMANTIC_AT) >> place) & _ONE).sum()) for place in places]
    bits = sum(count * (n - count) for count in set_bits) / _SEMANTIC
    return (2 * other_type + 2 * apart + bits) / 5 / (everything * (everything - 1) / 2)


def near_pairs(
    semantic: NDArray[np.uint64], least: int = 0, most: int = DUPLICATE_BITS, seed: int = 0
) -> NDArray[np.intp]:
    """Pairs of rows whose simhashes differ in `least` to `most` bits, closest first, as (pairs, 2).

    Locality-sensitive hashing by sampled bits (Indyk and Motwani 1998): rows are bucketed by 32 random selections of
    bits, of which there are more the larger the mind, so that buckets stay small. Each pair found is right; of those 8
    bits apart some 90 % are found at 100,000 rows, of closer ones nearly all, of farther ones fewer. Below 2,000 rows
    every pair is compared. A row is compared with at most 64 others of a bucket, so 200 restatements cost no more.
    """
    count = len(semantic)
    if count <= 2_000:
        rows, columns = np.triu_indices(count, 1)
        return _within(semantic, rows, columns, least, most)
    dice = np.random.default_rng(seed)
    width = int(np.clip(np.log2(count) - 4, 8, 16))
    found = []
    for _ in range(_TABLES):
        key = np.zeros(count, dtype=np.uint64)
        for place in dice.choice(_SEMANTIC, width, replace=False):
            key = (key << _ONE) | ((semantic >> np.uint64(place)) & _ONE)
        order = np.argsort(key, kind="stable")
        sorted_keys = key[order]
        for step in range(1, _MOST_IN_BUCKET + 1):
            together = np.flatnonzero(sorted_keys[step:] == sorted_keys[:-step])
            if not together.size:
                break
            found.append(_within(semantic, order[together], order[together + step], least, most))
    pairs = np.sort(np.concatenate(found), axis=1)
    unique = np.unique(pairs, axis=0)
    return _within(semantic, unique[:, 0], unique[:, 1], least, most)


def _within(
    semantic: NDArray[np.uint64], rows: NDArray[np.intp], columns: NDArray[np.intp], least: int, most: int
) -> NDArray[np.intp]:
    bits = hamming(semantic[rows], semantic[columns])
    chosen = np.flatnonzero((bits >= least) & (bits <= most))
    chosen = chosen[np.argsort(bits[chosen], kind="stable")]
    return np.stack([rows[chosen], columns[chosen]], axis=1)


def _confidence(front: NDArray[np.uint64]) -> NDArray[np.float64]:
    return ((front >> _CONFIDENCE_AT) & _FIVE).astype(np.float64)


def _short_hash(node: str | None) -> int:
    """16 bits; 0 for no id."""
    return 0 if node is None else int.from_bytes(blake2b(node.encode(), digest_size=2).digest(), "big")
