"""Judging a sentence by itself: can it stand alone, how firmly is it said, is it about the world or about the text."""

import re
from functools import lru_cache
from pathlib import PurePosixPath

from perdura_core.epistemics.wording.verbs import VERBS, verb_at
from perdura_core.epistemics.wording.words import content, words

__all__ = [
    "document_of",
    "is_hedged",
    "is_record",
    "is_routine",
    "restate",
    "said",
    "stands_alone",
]

_UNRESOLVED_START = re.compile(
    r"^[\"'“(]*(?:\w+ed (?:by|on|in|at|from|with)|this|that|these|those|it|its|they|them|their|he|she|his|her|such"
    r"|here|there(?= would| may| might)|so|then|now|though"
    r"|also|and|but|or|nor|yet|instead|likewise|similarly|otherwise|conversely|alternatively|the same|the (?:latter"
    r"|former|"
    r"above|following|first|second|third|next|last|previous|other|rest|remainder|only|one|most|key|main|biggest"
    r"|crucial|"
    r"goal|idea|reason|reasons|point|problem|answer|result|same|issue|question|author|authors|risk|list)\b|both|each"
    r"|neither|"
    r"either|one|another|some of|most of|all of|none of|many of|two of|first|second|third|finally|lastly|secondly"
    r"|thirdly|"
    r"firstly|for (?:example|instance|this|that|these|those)|in (?:this|that|these|such|either|both|addition|any case"
    r"|the "
    r"(?:first|second|former|latter|same))|at (?:this|that) |as (?:such|a result|we|mentioned|described|noted"
    r"|discussed|"
    r"shown|above|stated|well|per)|with (?:this|that|these|those)|(?:when|if|since|as|because|while|although|once|by"
    r"|with|under|for|in|on|at|of) (?:its|their|it|they|them)\b|from this|by this|to this|on the other|if (?:this|that"
    r"|it|"
    r"so|not)\b|when (?:this|that|it|they)\b|again|note that|consider|suppose|imagine|let|say|even (?:then|so|worse"
    r"|if this)|"
    r"after (?:this|that|some)|besides|because (?:this|that|it|they)|since (?:this|that|it|they)|while (?:this|that|it"
    r"|they|"
    r"these|those)|although (?:this|that|it|they)|what |how |why |who |where |whether |which |perhaps|maybe|well"
    r"|of course|"
    r"sure|ok|okay|yes|no,|hi|hello|thanks|thank|please|sorry|sadly|unfortunately|thankfully|fortunately|all that)\b",
    re.IGNORECASE,
)
_DROPPABLE = re.compile(
    r"^(?:however|therefore|furthermore|moreover|additionally|in addition|consequently|also|besides|nevertheless"
    r"|nonetheless"
    r"|importantly|clearly|obviously|specifically|in particular|in general|indeed|thus|hence|meanwhile|finally|and|but"
    r"|so"
    r"|first of all|second of all|of course|as a rule|in fact|in short|overall|again|further|similarly|likewise"
    r"|unfortunately|fortunately|sadly|note that"
    r"|note|essentially|second|third|first|secondly|thirdly|firstly|lastly|even so),?\s+(?=\S)",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"\b(?:this|these|those|that) (?:is|was|are|were|would|will|can|could|may|might|means|makes|allows|approach|idea"
    r"|issue|"
    r"problem|feature|mechanism|point|section|example|case|case,|question|suggestion|option|restriction|change"
    r"|technique|"
    r"behaviou?r|functionality|format|reason|reasons|way|information|data|method|code|function|rule|process|discussion|"
    r"situation|requirement|document|page|article|proposal|paper|chapter|list|table|figure|text|statement|claim|post"
    r"|thread|"
    r"message|mail|email|version|draft|review|note|time|area|kind|sort|type|regard|sense|respect|context|point|one"
    r"|ones)\b"
    r"|\b(?:the (?:above|following|latter|former|aforementioned|previous(?:ly)? \w+|same (?:way|reason|thing|problem))|"
    r"(?:mentioned|described|listed|shown|discussed|defined|noted|presented|linked|cited) (?:above|below|earlier|later|"
    r"previously|here|in this)|see (?:above|below|the)|(?:above|below)\b,?$|as follows|as we see|we'll|let's|i'm|i've"
    r"|i'd|"
    r"do(?:ing)? (?:so|that|this)\b|does so|doing so|did so|the rest of this|the author of this|likewise|vice versa"
    r"|the (?:described|mentioned|aforementioned) \w+|the (?:issue|problem|idea|approach|technique|case"
    r"|point)s?(?=[.,;:]|$)"
    r"|both (?:problems|cases|approaches|ideas|issues|forms|options|ways|sides|of them)|all (?:the )?above|all three"
    r"|all four)\b",
    re.IGNORECASE,
)
_DEMONSTRATIVE = re.compile(
    r"\b(?:this|these|those(?! (?:who|that|which|of|in|with|using|whose)\b)|such(?! as\b)|that(?= (?:is|was|will"
    r"|would|can)\b))"
    r"(?! (?:year|month|week|century|decade|day|morning)\b)(?: (?:\w+ )?\w+)?|\b(?P<group>we|us|our|here)\b",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"\b(?:I|me|my|mine)\b|\bIMO\b|\bIMHO\b")
_META = re.compile(
    r"\b(?:this (?:document|section|page|article|file|memo|report|paper|chapter|note|table|post|appendix|example|text)"
    r"|the (?:following|remainder|next section)|section|reference implementation|acknowledg\w+|copyright|public domain"
    r"|licen[sc]e[ds]?\b|each file|sentences? (?:that )?(?:supports?|contradicts?)|the claims? and"
    r"|further (?:discussion|details|information)|previous version of|is available (?:at|on|here)|can be found|see also"
    r"|table of contents|footnote|(?:as of|at the time of) (?:this )?writing|first draft"
    r"|prototype|discuss(?:ed|ion)s? (?:on|at|happened|in)|mailing list|for (?:more|"
    r"further) |todo|tbd)\b",
    re.IGNORECASE,
)
_RHETORICAL = re.compile(r"\?|!|\.\.\.|…$|\betc\.?$|\be\.g\.?$|:$|;$", re.IGNORECASE)
_QUOTES_UNEVEN = re.compile(r"^[^\"]*(?:\"[^\"]*\"[^\"]*)*\"[^\"]*$")
_HEDGE = re.compile(
    r"\b(?:may|might|could|possibly|probably|perhaps|maybe|likely|unlikely|apparently|seems?|seemed|appears? to"
    r"|suggests?|"
    r"suspect(?:s|ed)?|guess|i think|we think|believe[sd]?|presumably|roughly|supposedly|allegedly|reportedly|not sure|"
    r"unclear|unconfirmed|from memory|rumou?rs?|expected to|should be|in theory|estimated?|assum(?:e[sd]?|ing)"
    r"|feels?)\b",
    re.IGNORECASE,
)
_HYPOTHETICAL = re.compile(r"^(?:if|unless|when|whenever|suppose|assuming|were|had|should)\b|\bwould\b", re.IGNORECASE)
_MEASURED = re.compile(r"\d")
_RECORD = re.compile(r"^(?:The log of )?\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d")
_RECORD_PARTS = re.compile(
    r"^\[?(?P<day>\d{4}-\d\d-\d\d)[T ](?P<time>\d\d:\d\d(?::\d\d)?)(?:[.,]\d+)?(?:Z|[ +]00:?00| UTC)\]?\s+"
    r"(?:\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\]?:?\s+)?(?P<said>\S.*)$"
)
_ROUTINE = re.compile(r"\b(?:TRACE|DEBUG|INFO|NOTICE)\b")


def stands_alone(text: str, *, beside_another: bool = False) -> bool:
    """Whether a reader who sees only this sentence knows what it says. Strict: a doubtful one is refused.

    `beside_another` is for a sentence that is shown with the one it conflicts with: then it may point to its
    surroundings in passing (`this wildfire`).
    """
    bare = said(text)
    if is_record(bare):
        return True
    count = len(bare.split())
    if not 5 <= count <= 48 or verb_at(words(bare)) is None:
        return False
    if _is_imperative(bare):
        return False
    if (
        _UNRESOLVED_START.match(bare)
        or _POINTING.search(bare)
        or _RHETORICAL.search(bare)
        or _FIRST_PERSON.search(bare)
    ):
        return False
    if not beside_another and _points_outside(bare):
        return False
    if _META.search(bare) or _QUOTES_UNEVEN.match(bare) or bare.count("(") != bare.count(")"):
        return False
    return len(content(bare)) >= (2 if _MEASURED.search(bare) else 3)


def _points_outside(text: str) -> bool:
    """Whether a demonstrative has nothing in the sentence itself to point to: `scripts and such scripts` has."""
    for match in _DEMONSTRATIVE.finditer(text):
        if match["group"] or not content(match.group()) & content(text[: match.start()]):
            return True
    return False


def _is_imperative(text: str) -> bool:
    """Whether the sentence tells the reader to do something: it begins with a bare verb."""
    first, _, rest = text.partition(" ")
    following = rest.split(" ", 1)[0].lower()
    return (
        first.lower() in VERBS
        and first.lower() not in ("host", "return", "support", "access")
        and following
        not in ("of", "for", "in", "is", "are", "was", "were", "has", "have", "can", "will", "on", "and", "to")
    )


def is_hedged(text: str) -> bool:
    """Whether the sentence says of itself that it is unsure, or speaks of what would be."""
    return _HEDGE.search(text) is not None or _HYPOTHETICAL.search(said(text)) is not None


def is_record(text: str) -> bool:
    """Whether the sentence is an entry that a machine wrote at a time."""
    return _RECORD.match(text) is not None


def is_routine(text: str) -> bool:
    """Whether the sentence is a log entry that its program itself calls unremarkable."""
    return is_record(text) and _ROUTINE.search(text) is not None


def restate(text: str, source: str | None) -> str:
    """The sentence as a claim: without the connective that tied it to the one before, with `this X` named.

    `This ADR` in a file `adr-0007.md` becomes `ADR 7`, and an entry of a log says that it is one; nothing else of the
    wording changes.
    """
    record = _RECORD_PARTS.match(text)
    if record is not None:
        return f"The log of {record['day']} {record['time']} UTC says: {record['said'].rstrip('.')}."
    speaker, separator, wording = _speaker(text)
    shorter = _DROPPABLE.sub("", wording, count=1)
    if shorter != wording:
        wording = shorter[:1].upper() + shorter[1:]
    wording = _unquoted(wording)
    name = _own_name(source)
    if name is not None:
        kind = re.escape(name.split()[0])
        wording = re.sub(rf"\b(?:this|the|the present) {kind}\b(?! \d)", name, wording, flags=re.IGNORECASE)
    return f"{speaker}{separator}{wording}"


def document_of(source: str | None) -> str | None:
    """The file of a source, without its line."""
    return None if source is None else source.rpartition("#")[0] or source


def _unquoted(wording: str) -> str:
    """A sentence that is one quotation from end to end, without the marks around it."""
    match = re.fullmatch(r"[\"“]([^\"“”]+)[\"”](\.?)", wording)
    return wording if match is None else match.group(1).rstrip(".") + (match.group(2) or ".")


def _own_name(source: str | None) -> str | None:
    """`PEP 722` for `docs/pep-0722.txt#L20`: files named by a kind and a number."""
    document = document_of(source)
    if document is None:
        return None
    match = re.fullmatch(r"([A-Za-z]{2,12})[-_ ]?0*(\d{1,6})", PurePosixPath(document).stem.split(".")[0])
    if match is None:
        return None
    kind, number = match.groups()
    return f"{kind.upper() if len(kind) <= 4 else kind.capitalize()} {number}"


def _speaker(text: str) -> tuple[str, str, str]:
    match = re.match(r"^([@A-Za-z][\w.-]{1,24}(?: [A-Z][\w.-]+)?(?: at [\d:.TZ UTC-]+)?)(: )(?=\S)", text)
    return (
        (match.group(1), match.group(2), text[match.end() :]) if match and " at " in match.group(1) else ("", "", text)
    )


@lru_cache(maxsize=4_096)
def said(text: str) -> str:
    """The text without the speaker that a chat line begins with."""
    return _speaker(text)[2]
