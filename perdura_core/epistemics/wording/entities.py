"""What a statement is about: names, acronyms, identifiers, quoted terms, and nouns that are worth a node.

Rules over one sentence, without a dictionary of the world. A noun left out costs less than a verb taken for one, so a
word counts as a noun only where the words around it say so.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from perdura_core.epistemics.wording.verbs import AUXILIARIES, VERBS, is_event
from perdura_core.epistemics.wording.words import NEGATORS, STOPWORDS, listed, singular, stem

__all__ = ["entities_of", "entity_key", "nouns_of"]

_MAX_ENTITIES = 12
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"

_NAME = re.compile(
    r"(?<![\w.])[A-ZÀ-ÖØ-Þ][\w'’&-]*(?:\.[A-Z]\w*)*"
    r"(?:\s+(?:(?:of|de|van|von|der|la|du|bin|al|the(?=\s+[A-Z]))\s+)*[A-ZÀ-ÖØ-Þ0-9][\w'’&-]*)+"
)
_CODE = re.compile(
    r"(?<![\w/.-])(?:\w+(?:\.\w+)*\(\)|__\w+__|[\w/-]+(?:\.[\w-]+)*\.[a-z]{2,4}\b|[a-z]\w*_\w+|[a-z]+[A-Z]\w+"
    r"|[A-Z][a-z0-9]+[A-Z]\w*"
    r"|[a-z][a-z0-9]*(?:-[a-z0-9]+)*-(?:api|db|service|proxy|server|worker|gateway|cache|queue|cluster|node)\b"
    r"|[A-Za-z][\w]*(?:-[A-Za-z]\w*)*-\d+(?:\.\d+)*(?![\w%])|v\d+(?:\.\d+)+(?!\w)|[A-Z]+\d+[A-Z\d]*(?!\w))"
)
_ACRONYM = re.compile(r"(?<![\w.-])[A-Z]{2,6}s?(?:-?\d{1,5}|\s\d{1,5})?(?![\w.])")
_SINGLE = re.compile(r"(?<=[a-z,;)] )[A-ZÀ-ÖØ-Þ][^\W\d_]{2,}\w*")
_QUOTED = re.compile(r"[`“\"«「『]([^`“”\"«»「」『』]{2,40})[`”\"»」』]")
_CJK_TERM = re.compile("[\u30a1-\u30fa\u30fc]{2,20}|[\u4e00-\u9fff]{2,8}|[\uac00-\ud7a3]{2,12}")
_STARTERS = listed(
    """
    The A An This That These Those It Its We They He She I You In On At If When While But And However For No Not There
    After Before As By From Our Their Most Some All Such Since Then Both One Many With Every Each Any Only Also Because
    Although Under Over Why How What Who Where Which Yesterday Today Tomorrow Later Earlier Here Our During Despite Of
    According Between Among Against Within Without Until Through Throughout Nor Or So To Yet Still Even Just About
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday
    January February March April May June July August September October November December
    """
)
_NO_NAMES = listed(
    "MUST SHOULD MAY NOT NOTE TODO OK UTC AM PM AND OR SHALL INFO WARN ERROR DEBUG FATAL "
    "KB MB GB TB MHZ GHZ USD EUR GBP"
)
_TOKEN = re.compile(r"[^\W\d_][\w'’]*(?:-[^\W\d_]\w*)*|\d[\w.,:/%-]*|[^\w\s]")
_DETERMINERS = listed("the a an this these those its their our your his her my each every no any some another")
_BEFORE_NOUN_PHRASES = _DETERMINERS | listed("of in on for with by from at into between per via than against and or")
_PARTICLES = listed(
    "around along across among near despite toward towards behind beyond throughout underway back away together "
    "compared following including regarding due besides except amid upon onto forward outward instead"
)
_PLURAL = re.compile(r"(?<=[a-z]{2})(?:ies|sses|es|e|(?<![sui])s)$")
_FUNCTION_WORDS = STOPWORDS | NEGATORS | AUXILIARIES | _PARTICLES
# Nouns that nearly every statement has: two facts that share one are no nearer for it.
_GENERIC = listed(
    """
    thing way part kind type sort number amount level rate use time day week month year hour minute second
    percent person people man woman case point result reason example lot end start beginning half quarter third
    total average set group range order place side area piece step stage term form share rest majority minority
    fact claim question answer issue problem change increase decrease rise fall growth difference effect cause
    value figure evidence view opinion idea sense matter detail work something nothing everything anyone someone
    one today yesterday tomorrow morning evening night afternoon moment period decade century date age name word
    line while need lack help chance basis degree extent course factor aspect item bit pair dozen million
    billion thousand hundred ms kb mb gb usd eur utc most least more less two three four five six seven eight
    nine ten zero couple top bottom ppm percentage proportion ratio eleven twelve twenty thirty forty fifty able
    next last first later earlier same other new old
    """
)
_OF_SOMETHING = listed("rate ratio level share amount count cost price size value number proportion percentage index")
"""Generic alone; with a noun before them they name a measure: `error rate`."""
# Words that describe nouns and seldom are one.
_ADJECTIVES = listed(
    """
    good bad big small large high low long short old new young early late great major minor main key important
    whole full empty open clear certain sure true false free hard easy strong weak fast slow hot cold warm wet
    dry deep rich poor safe single double several various different similar equal common rare recent current
    former previous next final initial general specific special total entire many much few little own only real
    right wrong left best worst better worse higher lower larger smaller longer shorter greater fewer older
    younger earlier later faster slower bigger stronger weaker heavier lighter likely unlikely possible human
    daily weekly monthly yearly annual warmer cooler wetter drier hotter colder milder far intense accurate
    separate appropriate huge vast severe mild extreme dense remote ready idle busy raw rough due mean overall
    red green blue black white dark bright
    """
)
_ADJECTIVE_ENDS = re.compile(
    r"(?:ous|ful|less|able|ible|ive|ical|ish|ary|ant|ent|al|ern|most|-(?:term|wide|scale|based|level|like|free|old))$"
)
_NOUN_ENDS = re.compile(
    r"(?:tion|sion|ment|ness|ity|ance|ence|ism|ship|hood|logy|graphy|ure|age|cy|sis|ics|ist|or|er|dom|gen|ine)s?$"
)
_NOT_ADJECTIVES = listed(
    """
    accident admiral agent agreement alternative animal antibiotic appeal approval archive argument arrival
    boundary cable capital client coal comment component content criminal current deal department deployment
    detective dictionary dish document drive element environment equipment event executive experiment fish
    funeral goal government hive hospital incident investment journal library management manual material meal
    metal mineral moment official parent patent patient payment plant portal potential president proposal
    refusal removal renewal requirement restaurant rival salary secretary signal statement student summary
    survival table talent tenant terminal treatment trial variable variant wish
    """
)


class _Found(NamedTuple):
    start: int
    end: int
    name: str


@lru_cache(maxsize=16_384)
def entity_key(name: str) -> str:
    """What makes two names the same entity: `the Cache`, `Cache` and `caches` have one key.

    Case, a leading article, quotes, a possessive and the plural of the last word make no difference. Join facts by
    the keys of their entities, not by the names, which are as somebody wrote them.
    """
    key = " ".join(unicodedata.normalize("NFKC", name).casefold().strip(" \t\n\"'`“”‘’«»「」『』.,;:!?").split())
    key = re.sub(r"^(?:the|an|a)\s+(?=\S)", "", key)
    key = re.sub(r"['’]s?$", "", key)
    head, blank, last = key.rpartition(" ")
    if len(last) <= 3 or not last.isascii() or not last.isalpha():
        return key
    return f"{head}{blank}{_PLURAL.sub(_singular_ending, last)}"


def _singular_ending(match: re.Match[str]) -> str:
    """What `queries` and `query`, `caches` and `cache`, `boxes` and `box` have in common."""
    return {"ies": "y", "sses": "ss"}.get(match.group(), "")


@lru_cache(maxsize=4_096)
def entities_of(text: str) -> tuple[str, ...]:
    """What the statement names, in order of appearance, each once, twelve at most.

    Names, acronyms, identifiers (`cache-7`, `v2.3`, `get_user()`) and quoted terms as written; nouns in lower case,
    with one noun before them (`connection pool`). Of scripts without blanks between words, runs of characters.

    `The cache of Larkspur Shop dropped v2.3 requests.` names `cache`, `Larkspur Shop`, `v2.3`, `requests`.
    """
    found: list[_Found] = []
    for match in _QUOTED.finditer(text):
        if len(match[1].split()) <= 4 and any(map(str.isalpha, match[1])):
            _take(found, match.start(), match.end(), match[1].strip())
    for pattern in (_NAME, _CODE, _ACRONYM, _SINGLE):
        for match in pattern.finditer(text):
            start, name = _trimmed(match)
            if name:
                _take(found, start, match.end(), name)
    for match in _CJK_TERM.finditer(text):
        _take(found, match.start(), match.end(), match.group())
    for noun in _nouns(text, sorted(found)):
        _take(found, *noun)
    named: dict[str, str] = {}
    for one in sorted(found):
        named.setdefault(entity_key(one.name), one.name)
    named.pop("", None)
    return tuple(named.values())[:_MAX_ENTITIES]


def _take(found: list[_Found], start: int, end: int, name: str) -> None:
    """Keep the name, unless its place is taken by one that was found before."""
    if not any(other.start < end and start < other.end for other in found):
        found.append(_Found(start, end, name))


def _trimmed(match: re.Match[str]) -> tuple[int, str]:
    """Where the name starts and the name, without a sentence's first word and without a possessive; else no name."""
    words = match.group().split()
    dropped = 0
    while words and (words[0] in _STARTERS or (dropped and words[0].islower())):
        words.pop(0)
        dropped += 1
    if not words or (len(words) == 1 and words[0] in _NO_NAMES) or all(word[0].isdigit() for word in words):
        return match.start(), ""
    start = match.end() - len(match.group().split(None, dropped)[-1])
    name = re.sub(r"['’]s?$", "", " ".join(words))
    return start, name if len(name) > 1 else ""


def nouns_of(text: str) -> tuple[str, ...]:
    """Noun phrases of the text in lower case, in order, by the same rules, each with the noun before it if any."""
    return tuple(found.name for found in _nouns(text, ()))


# Nouns


class _Token(NamedTuple):
    text: str
    start: int
    end: int
    is_taken: bool
    """Part of a name that was found before."""


def _nouns(text: str, taken: Sequence[_Found]) -> Iterator[_Found]:
    """Nouns at the end of their phrase, each with the noun right before it if there is one."""
    tokens = [
        _Token(m.group(), m.start(), m.end(), any(one.start < m.end() and m.start() < one.end for one in taken))
        for m in _TOKEN.finditer(text)
    ]
    run: list[_Token] = []
    before = ""
    for token in (*tokens, None):
        if token is not None and not token.is_taken and _may_be_noun(token.text, before, bool(run)):
            run.append(token)
            continue
        yield from _of_run(run, before, tokens[0].start if tokens else 0)
        run = []
        before = "" if token is None else token.text.lower()


def _may_be_noun(word: str, before: str, goes_on: bool) -> bool:
    lowered = word.lower()
    if not word[0].isalpha() or len(word) < 3 or not word.isascii():
        return False
    if lowered in _FUNCTION_WORDS or lowered.endswith("ly") or "'" in word or "’" in word:
        return False
    is_verb = lowered in VERBS or is_event(lowered) or is_event(stem(lowered))
    if is_verb and not _NOUN_ENDS.search(lowered):
        return not goes_on and before in _DETERMINERS and not lowered.endswith(("ed", "ing"))
    return True


def _of_run(run: list[_Token], before: str, first: int) -> Iterator[_Found]:
    """The noun phrase of a run of words that are neither function words nor verbs."""
    while run and _is_modifier(run[-1].text.lower()):
        run = run[:-1]
    if not run:
        return
    head, lowered = run[-1], run[-1].text.lower()
    noun = singular(lowered)
    is_marked = before in _BEFORE_NOUN_PHRASES or len(run) > 1 or lowered != noun or _NOUN_ENDS.search(lowered)
    is_generic = noun in _GENERIC or lowered in _GENERIC
    if (is_generic and noun not in _OF_SOMETHING) or not (is_marked or head.start == first or before[:1].isdigit()):
        return
    if len(run) > 1:
        other = run[-2].text.lower()
        if singular(other) not in _GENERIC and not _is_modifier(other):
            yield _Found(run[-2].start, head.end, f"{other} {lowered}")
            return
    if not is_generic:
        yield _Found(head.start, head.end, lowered)


def _is_modifier(word: str) -> bool:
    """Whether the word describes a noun rather than being one, as far as its form tells."""
    if word in _NOT_ADJECTIVES or singular(word) in _NOT_ADJECTIVES:
        return False
    return word in _ADJECTIVES or word.endswith(("ed", "ing", "ic")) or _ADJECTIVE_ENDS.search(word) is not None
