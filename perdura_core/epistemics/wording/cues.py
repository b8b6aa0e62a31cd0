"""Cues in the wording of a statement that tell a judgement from an observation.

Each cue is a family of words or a form, found in any field. What a family is worth is for `layering` to weigh: no cue
decides alone, because observations quote judgements and judgements quote numbers.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from perdura_core.epistemics.wording.lexicon import (
    ABSTRACT,
    FIGURES,
    CAUSING,
    DEGREE,
    DESCRIBING,
    EVALUATING,
    FORETELLING,
    GENERALISING,
    HEDGING,
    JUDGING,
    PRESCRIBING,
    READING,
    STANCE,
    VERDICTS,
)
from perdura_core.epistemics.wording.quantities import moments
from perdura_core.epistemics.wording.words import listed

__all__ = ["CUES", "cues_of"]


def _any(words: str) -> re.Pattern[str]:
    """Any of these words or phrases: `_` stands for a blank, `+` for any ending of a word."""
    branches = sorted((word.replace("_", r"\s+").replace("+", r"\w*") for word in listed(words)), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(branches)})\b", re.IGNORECASE)


# What makes a judgement

_HEDGE = _any(HEDGING)
_PRESCRIBE = _any(PRESCRIBING)
_FUTURE = re.compile(rf"{_any(FORETELLING).pattern}|\bwill (?!(?:was|is|of|had|and|that)\b)(?=[a-z])", re.IGNORECASE)
_EVALUATE = _any(EVALUATING)
_VERDICT = _any(VERDICTS)
_CAUSAL = _any(CAUSING)
_READING = _any(READING)
_STANCE = _any(STANCE)
_GENERAL = _any(GENERALISING)
_EXPLAIN = re.compile(
    r"^(?:so|therefore|thus|hence|clearly|obviously|evidently|because|consequently|such|that)\b"
    r"|[,;]\s*(?:so|therefore|thus|hence|which (?:is why|means|suggests|shows|makes|hints|explains)|hinting|suggesting)\b"
    r"|\b(?:because|since (?:the|it|they|no|there)|that is why|the reason)\b",
    re.IGNORECASE,
)
_CONDITIONAL = re.compile(r"\bwould\b|\bwould've\b|\bif\b|\bunless\b|\bwithout which\b|\botherwise\b", re.IGNORECASE)
_PREFIXED = re.compile(
    r"\b(?:over(?!all|night|time|see|h|w|n|s|t|l)|under(?!stand|go|w|l|t|s|p)|mis(?!s)|un(?!i|t|d|l)|dis(?!t|c|p|e)|out(?!p|l|s|c|b|d|r|e))[a-z]{4,}\b"
)
_COMPOUND = re.compile(
    r"\b(?:ill|half|short|far|heavy|high|cold|soft|thick|thin|narrow|single|open|absent|light|even|wrong|big|self|double|one|two|clear|tone|cut|bone)"
    r"-(?!hand\b|time\b|term\b|year\b|day\b)(?:\w+ed|\w+ing|deaf|sided|cost)\b"
)
_MANNER = re.compile(r"\b\w{3,}(?:ly|ness)\b")
_PERFECT = re.compile(r"\b(?:has|have) (?:\w+ly |already |now |long |not |never |also )*(?:\w+ed|become|been|lost|made|grown|set|kept|led|won|given|taken|gone|come)\b")
_REFUSAL = re.compile(r"\b(?:do|does)(?: not|n't|n’t)\b")
_DENIAL = re.compile(r"\b(?:do|does|did|is|are|was|were|has|have)(?: not|n't|n’t)\b|\bno (?:longer|\w+ (?:to|in|for|of|that))\b")
_ABSTRACT = _any(ABSTRACT)
_FIGURE = _any(FIGURES)
_JARGON = re.compile(
    r"\b(?:partial|positive|negative|weighted|rank) correlations?\b|\b(?:supporting|contradicting|refining|answering) (?:edges?|claims?)\b"
    r"|\b(?:supporting and|two|three) contradicting\b|\bof type \w+\b|\b(?:most|least) (?:central|connected|similar|cited|frequent)\b"
    r"|\b(?:authority|hub|quality|confidence) scores?\b|\bconfidence (?:intervals?|of \d|level)|\bhigh confidence\b"
    r"|\b(?:singular|eigen) ?values?\b|\bstatistically significant\b|\bsignifican\w+ (?:at|level)\b|\b(?:strongest|weakest|heaviest) edge\b"
    r"|\b(?:short|long)est paths?\b|\bpositive(?:ly)? for\b|\brelative risk\b|\bcoefficient of \w+\b|\b(?:upper|lower) bound\b",
    re.IGNORECASE,
)
"""Words that judge elsewhere, and here name a measure or a thing of a graph."""
_COUNTERFACTUAL = re.compile(
    r"\b(?:would|could|should|might|must|need) (?:not |never |only |have |hardly )*have\b", re.IGNORECASE
)
_OPINION = re.compile(
    r"\b(?:I|we) (?:think|believe|feel|suspect|doubt|assume|guess|expect|conclude|consider|find|hold|argue)\b"
    r"|\bin (?:my|our) (?:view|opinion|judgement|judgment|experience)\b|\bto (?:my|our) mind\b|\bIMHO?\b"
    r"|\b(?:my|our) (?:guess|hunch|impression|suspicion|view)\b|\bit is (?:fair|safe|hard|easy|tempting|no accident)\b",
    re.IGNORECASE,
)
_JUDGING = _any(JUDGING)
_COMPARE = re.compile(
    r"\b(?:more|less|rather|fewer) (?:[\w-]+ ){0,4}?than\b|\b\w{2,}(?:er|ier) than\b|\bas \w+ as\b|\bbetter\b|\bworse\b"
    r"|\bfar (?:too|more|less)\b|\bcompared to what\b|\bunlike\b",
    re.IGNORECASE,
)
_SUPERLATIVE = re.compile(
    r"\bthe (?:\w+ )?(?:most|least) [a-z]+|\bthe (?:\w{2,}est|best|worst|only|first \w+ to|real|true)\b", re.IGNORECASE
)
_DEGREE = _any(DEGREE)
_SIMILE = re.compile(
    r"\b(?:reads?|smells?|looks?|feels?|sounds?|works?|acts?|behaves?|is|are|was|were) (?:more |much )?like (?:an?|the|one)\b"
    r"|\bpoint(?:s|ed)? towards?\b|\b(?:instead of|in place of|at the expense of)\b|\ball about\b",
    re.IGNORECASE,
)
_CANNOT = re.compile(
    r"\b(?:cannot|can't|can hardly|can not|can only|can be|out of reach|no way|no match|no longer|not worth|no sense|in vain"
    r"|nobody|no one|never)\b",
    re.IGNORECASE,
)
_LINKING = r"(?:is|are|was|were|be|been|being|looks?|looked|sounds?|sounded|remains?|remained|becom(?:es?|ing)|became|feels?|felt|stays?|stayed)"
_PREDICATE = re.compile(
    rf"\b{_LINKING} (?:not |still |also |already |now |all |clearly |simply |merely |just |both )*"
    r"(?:[a-z]+ly )?(?P<adjective>[a-z]{2,}(?:-[a-z]+)*)\b(?! by\b| at \d| in \d| on \d)",
)
_ADJECTIVE = re.compile(
    r"(?:ous|ful|less|able|ible|ive|ical|ish|ant|ent|ary|ial|ual|onal|ic)$"
)
_PARTICIPLE = re.compile(r"(?:ed|en|wn|ught|ound|eld|ent|ade|ut|et|ead|old|one|un|id|orn|ung|ost|uilt|eft)$")
_LINKING_AT_ALL = re.compile(rf"\b{_LINKING}\b(?! \w+(?:ed|en|wn|ught|ound)\b)")
_IDENTIFYING = re.compile(rf"\b{_LINKING} (?:the|our|their|its|his|her|what|who|where) (?!same\b)[a-z]", re.IGNORECASE)
_NUMBER_FIRST = re.compile(
    r"^(?:an?|at|with|such|the|that|those|these|only)\b[^,.;]{0,60}?(?<![\w-])[\d.,]*\d[^\d;]{12,}$", re.IGNORECASE
)
_BARE_PLURAL = re.compile(
    r"^(?!(?:This|Its|His|Hers|Is|Was|Has|Does|As|Us)\b)(?:[A-Z][a-z]+ing|[A-Z][a-z]+[^sui\W]s|[A-Z][a-z]+ [a-z]{2,}[^sui\W]s|Children|People"
    r"|Women|Men) (?!of\b|in\b|from\b|with\b|on\b|at\b)(?:are|have|do|[a-z]+ly|[a-z]*[^s\W]|\w+ss)\b"
)
_COPULAR = re.compile(
    rf"\b{_LINKING} (?:not |still |also |already |now |all |simply |merely |just |both |rather |quite |nothing but )*"
    r"(?:an?|the|all|worth|behind|about|out|too|little|no|never|beyond|against|full of|short of|in (?:decline|trouble|crisis|danger|need|vain)"
    r"|on the (?:brink|verge|way|rise)|at (?:odds|heart|risk|stake))\b"
)

# What makes an observation

_NUMBER = re.compile(
    r"(?<![\w.])[-−]?\.?\d[\d.,:/–-]*|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    r"|sixteen|eighteen|twenty|thirty|forty|fifty|sixty|eighty|ninety|hundred|dozen|twice|half)\b",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"(?<![A-Za-z])\d")
_KIND = re.compile(r"^(?:An?|The) [\w-]+(?: [\w-]+){0,2} (?:is|are) (?:an?|the) (?:[\w-]+ ){1,4}(?:that|which|of|with|for|in|by|used|between|whose)\b")
_UNIT = re.compile(
    r"\d\s?(?:%|‰|°|percent|per cent|[kKMGTmµun]?(?:g|m|s|W|Wh|V|A|Hz|B|L|l|Pa|N|J|bit|bits|mol|eV)\b|ms\b|kg\b|km\b|km/h\b|cm\b"
    r"|mm\b|mg\b|ppm\b|bar\b|rpm\b|dB\b|kN\b|MPa\b|hours?\b|minutes?\b|seconds?\b|days?\b|weeks?\b|months?\b|years?\b"
    r"|metres?\b|meters?\b|miles?\b|litres?\b|liters?\b|tonnes?\b|euros?\b|dollars?\b|pounds?\b|million\b|billion\b|thousand\b"
    r"|degrees?\b|points?\b|tokens?\b|nodes?\b|edges?\b|pages?\b|hops?\b|g/dL\b|/\w+)"
    r"|[$€£]\s?\d"
)
_STATISTIC = re.compile(
    r"\b[rRpnNkKQFtz] ?[=<>≈] ?[-−]?\.?\d|[κρχβσ]|\bCI\b|\bSE\b|\bSD\b|\bstandard (?:error|deviation)\b|\bmedian\b"
    r"|\bmean\b|\baverage\b|\bhazard ratio\b|\bodds ratio\b|\bcoefficient\b|\bp-value\b|\bscore of\b|\bindex of\b",
)
_GRAPH_MEASURE = re.compile(
    r"\b(?:pagerank|degree|betweenness|closeness|eigenvector|katz|centrality|modularity|clustering coefficient|density|"
    r"correlation|spearman\S*|pearson\S*|cosine|similarity|distance|weight|lift|gini|silhouette|eigenvalues?|singular values?"
    r"|inertia|assortativity|k-core|diameter|path length|shortest path|mutual information|entropy|rank|triads?|motifs?"
    r"|components?|clusters?|communit(?:y|ies)|nodes?|edges?|hops?|embedding|partition)\b",
    re.IGNORECASE,
)
_GRAPH_RESULT = re.compile(
    r"\b(?:biopsy|x-ray|MRI|CT|autopsy|inspection|audit|excavation|microscopy|culture|imaging|examination|analysis|bootstrap|louvain|leiden|k-means|dbscan|label propagation|pca|svd|t-sne|umap|node2vec|hits|algorithm|detection|regression|centrality|"
    r"test|matrix|simulation|model|dating|survey|census|sensor|gauge|satellite|log|query|scan|count|index)\b[^,;]{0,40}?"
    r"\b(?:found|puts?|places?|placed|ranks?|ranked|assigns?|assigned|returned|returns|gives?|gave|yields?|yielded"
    r"|converged|lists?|listed|splits?|shows?|showed|contains?|counted|recorded|measured|read|reads|reported|has|had)\b",
    re.IGNORECASE,
)
_SPEECH = (
    r"(?:said|says|told|tells|testified|admitted|admits|announced|announces|wrote|writes|stated|states|reported|reports"
    r"|replied|answered|explained to|claimed|claims|argued|argues|called|calls?|named|names|describes?|described|noted|notes"
    r"|warned|warns|insisted|insists|acknowledged|acknowledges|declared|declares|conceded|complained|complains|rated|rates"
    r"|promised|promises|recommended|recommends|requires|expects?|lists?|mentions?|mentioned|cites?|cited|quotes?|quoted"
    r"|recalled|recalls|denied|denies|confirmed|predicts?|predicted|considers?|concludes?|concluded|advises?|advised)"
)
_NOT_A_NOUN = "".join(
    rf"(?<!\b{word} )"
    for word in (
        "the", "two", "three", "four", "five", "of", "all", "most", "many", "some", "these", "those", "that", "both", "no", "a",
        "more", "few", "other", "new", "same", "such", "its", "his", "her", "their", "our", "between", "and", "for", "on",
    )
)  # fmt: skip
_SPEAKER = (
    r"(?:he|she|they|minister|president|coach|player|captain|witness|counsel|judge|justice|court|dissent|author|authors"
    r"|analysts?|economists?|historians?|chronicler|chronicle|surgeon|doctor|patient|nurse|ranger|inspector|engineer|vendor"
    r"|CEO|CFO|CTO|officer|spokes\w+|ambassador|governor|mayor|senator|panel|committee|commission|guideline|guidelines"
    r"|manual|standard|RFC|licence|license|statute|memo|letter|postmortem|report|reviewer|reviewers|critics?|editor|letter"
    r"|informants?|respondents?|customers?|users?|operator|founder|manager|director|board|union|teacher|professor|study"
    r"|paper|abstract|article|grammar|newspaper|magazine|diary|document|documentation|page|notice|contract|policy|lawyer"
    r"|attorney|prosecutor|defendant|plaintiff|passenger|pilot|driver|resident|residents|farmers?|scientists?|researchers?"
    r"|team|company|bank|agency|regulator|auditor|auditors|consultant|expert|experts|developer|maintainer)"
)
_ATTRIBUTION = re.compile(
    rf"^according to\b|^(?:(?:in|on|at|during|after|before) [^,]{{2,40}}, )?(?:[A-Z][\w.'’-]*|(?:the|a|an|one|two|three|several|both|his|her|their|its|our)\b)[^,;.]{{0,45}}?\b{_NOT_A_NOUN}{_SPEECH}\b"
    rf"(?:\s(?:that|in|to|him|her|them|his|their|parliament|reporters|the|a|an|as|how|with|\w+['’]s)\b|:|,)",
    re.IGNORECASE,
)
_ATTRIBUTED_BY = re.compile(rf"^(?:\S+\s){{0,5}}?[\"“'(]?{_SPEAKER}\b[^,;]{{0,50}}?\b{_NOT_A_NOUN}{_SPEECH}\b", re.IGNORECASE)
_NO_SPEAKER = re.compile(r"^(?:it|this|that|these|those|the (?:data|results?|figures?|numbers?|graph|pattern|trend)) ", re.IGNORECASE)
_PASSIVE = re.compile(r"\b(?:was|were|has been|have been|had been) (?:first |last |then |also |later |only )*(?:\w+ed|\w+(?:wn|en|ught|ound|eld|ent|ade|uilt|et|ut|ung|old|eft|orn|ead|un))\b")
_PAST = re.compile(
    r"(?<!\ba )(?<!\ban )(?<!\bthe )(?<!\bof )(?<!\bno )\b(?:[a-z]{2,}ed|began|rose|fell|grew|took|gave|made|ran|came|went|won|lost|held|kept|met|paid|sent|sold|bought|broke"
    r"|cut|hit|shut|set|put|left|led|built|wrote|drew|flew|spoke|stood|struck|swam|threw|wore|had|was|were|did)\b"
)
_DEFINITION = re.compile(
    r"^(?:An? )?(?!(?:The|This|That|These|Those|It|He|She|They|We|I|There|Our|Their|His|Her|Its|What|Here|Such|Both)\b)(?![a-z]\d)"
    r"[\w'’-]+(?: [\w-]+){0,2} (?:is|are) (?:an?|the|one of the) (?=[\w-]+ )"
    r"|\b(?:is|are) defined as\b|\brefers? to (?:an?|the)\b|\bstands? for\b|\bis called\b|\bis (?:short|the abbreviation) for\b"
)
_STRUCTURE = _any(DESCRIBING)
_NAMES = re.compile(r"(?<=[a-z,] )(?:[A-Z][a-z]+|[A-Z]{2,})\b")
_IDENTIFIER = re.compile(r"\b[a-z][a-z0-9]*[-_]\d+\b|\bv\d+(?:\.\d+)+\b|\b[fiqeb]\d+\b|\b\w+\(\)|\b[a-z]+_[a-z_]+\b|\b[a-z]+-(?:db|api|service)\b")
_ARTICLE_OF_LAW = re.compile(r"\b(?:Article|Section|Clause|Rule|Paragraph|Chapter|PEP|RFC|ISO)\s?\d|§\s?\d")
_CALENDAR = re.compile(
    r"\b(?:january|february|march|april|june|july|august|september|october|november|december|monday|tuesday|wednesday"
    r"|thursday|friday|saturday|sunday|yesterday|last (?:week|month|year|night)|this week|quarter|century|Q[1-4]|B\.?C\.?|midnight|noon)\b",
    re.IGNORECASE,
)


def _has(pattern: re.Pattern[str]) -> Callable[[str], float]:
    return lambda text: 1.0 if pattern.search(text) else 0.0


def _count(pattern: re.Pattern[str], most: int) -> Callable[[str], float]:
    """How often, up to `most`, as a share of it."""
    return lambda text: min(len(pattern.findall(text)), most) / most


def _numbers(text: str) -> int:
    return len(_NUMBER.findall(text))


def _predicate(text: str) -> float:
    """Whether something is called by an adjective, and no number says how much of it."""
    for match in _PREDICATE.finditer(text):
        word = match["adjective"]
        if _EVALUATE.fullmatch(word) or (_ADJECTIVE.search(word) and not _PARTICIPLE.search(word)):
            return 1.0
    return 0.0


def _attribution(text: str) -> float:
    """Whether the statement as a whole says that somebody said something."""
    if _NO_SPEAKER.match(text):
        return 0.0
    return 1.0 if _ATTRIBUTION.search(text) or _ATTRIBUTED_BY.search(text) else 0.0


def _judges_manner(text: str) -> bool:
    """Whether an adverb or a noun is made of an adjective that judges: `carelessly`, `weakness`."""
    for match in _MANNER.finditer(text):
        word = match.group().lower()
        base = word.removesuffix("ness") if word.endswith("ness") else word.removesuffix("ly")
        if any(_EVALUATE.fullmatch(form) for form in (base, f"{base[:-1]}y" if base.endswith("i") else base, f"{base}le")):
            return True
    return False


_SAID_OF = re.compile(
    rf"\b(?:{_LINKING}|makes?|made|considered|deemed|found|too|very|so|more|less|far|quite|rather|how|hardly|most|least|an?) "
    rf"(?:\w+ly |an? |the |not |too |very |no |still |also |more |less )*{_EVALUATE.pattern}|{_EVALUATE.pattern} (?:enough|for|to)\b",
    re.IGNORECASE,
)


def _evaluates(text: str) -> bool:
    """Whether an evaluating word is used to judge: beside numbers it often is part of a name (`central bank`)."""
    return bool((_SAID_OF if _DIGIT.search(text) else _EVALUATE).search(text))


@lru_cache(maxsize=1_024)
def _judged(text: str) -> int:
    """How many families of plainly judging words it has."""
    families = sum(1 for family in _PLAINLY_JUDGING if family.search(text)) + _evaluates(text)
    return families + bool(_COMPOUND.search(text) or _judges_manner(text))


_PLAINLY_JUDGING = (
    _HEDGE, _PRESCRIBE, _FUTURE, _GENERAL, _SIMILE, _FIGURE, _PREFIXED, _VERDICT, _CAUSAL, _READING, _STANCE, _EXPLAIN, _CONDITIONAL, _OPINION, _JUDGING, _DEGREE,
    _CANNOT,
)  # fmt: skip


def _defines(text: str) -> bool:
    """Whether it says what a word means, without a judging word: `A tort is a civil wrong`."""
    return bool(_DEFINITION.search(text)) and not _judged(text)


def _unmeasured(pattern: re.Pattern[str]) -> Callable[[str], float]:
    return lambda text: 1.0 if pattern.search(text) and not _NUMBER.search(text) else 0.0


def _bare(text: str) -> float:
    """Whether nothing ties it to a measurement, a time or a name."""
    return 0.0 if _defines(text) or _NUMBER.search(text) or _CALENDAR.search(text) or _NAMES.search(text) else 1.0


def _general_subject(text: str) -> float:
    return 1.0 if _BARE_PLURAL.match(text) and not _NUMBER.search(text) and not _PASSIVE.search(text) else 0.0


def _plain_past(text: str) -> float:
    return 1.0 if _PAST.search(text) else 0.0


CUES: Mapping[str, Callable[[str], float]] = {
    "hedge": _has(_HEDGE),
    "prescription": _has(_PRESCRIBE),
    "prediction": _has(_FUTURE),
    "evaluation": lambda text: min(len(_EVALUATE.findall(text)), 2) / 2 if _evaluates(text) else 0.0,
    "verdict": _has(_VERDICT),
    "cause": _has(_CAUSAL),
    "reading": _has(_READING),
    "stance": _has(_STANCE),
    "generality": _has(_GENERAL),
    "inference": _has(_EXPLAIN),
    "condition": _has(_CONDITIONAL),
    "opinion": _has(_OPINION),
    "judging verb": _has(_JUDGING),
    "figure of speech": _has(_FIGURE),
    "abstraction": _has(_ABSTRACT),
    "simile": _has(_SIMILE),
    "comparison": _unmeasured(_COMPARE),
    "measured comparison": lambda text: 1.0 if _COMPARE.search(text) and _NUMBER.search(text) else 0.0,
    "superlative": _unmeasured(_SUPERLATIVE),
    "degree": _has(_DEGREE),
    "impossibility": _has(_CANNOT),
    "predicate": _predicate,
    "characterisation": lambda text: (
        1.0 if _COPULAR.search(text) and not _DIGIT.search(text) and not _KIND.search(text) and not _defines(text) else 0.0
    ),
    "identification": _unmeasured(_IDENTIFYING),
    "prefixed": lambda text: 1.0 if _PREFIXED.search(text) or _COMPOUND.search(text) or _judges_manner(text) else 0.0,
    "perfect": _unmeasured(_PERFECT),
    "denial": _has(_DENIAL),
    "refusal": _unmeasured(_REFUSAL),
    "counterfactual": _has(_COUNTERFACTUAL),
    "number judged": lambda text: 1.0 if _NUMBER_FIRST.search(text) and _judged(text) else 0.0,
    "general subject": _general_subject,
    "bare": _bare,
    "bare and judged": lambda text: _bare(text) if _judged(text) else 0.0,
    "plain action": lambda text: 1.0 if not (_judged(text) or _LINKING_AT_ALL.search(text) or _PERFECT.search(text)) else 0.0,
    "judged": lambda text: min(_judged(text), 3) / 3,
    "plain measurement": lambda text: 1.0 if _DIGIT.search(text) and not _judged(text) else 0.0,
    "plain count": lambda text: 1.0 if _NUMBER.search(text) and not _judged(text) else 0.0,
    "kind": _has(_KIND),
    "plain event": lambda text: 1.0 if _PAST.search(text) and not _judged(text) else 0.0,
    "numbers": lambda text: min(_numbers(text), 3) / 3,
    "unit": _has(_UNIT),
    "statistic": _has(_STATISTIC),
    "graph measure": lambda text: 1.0 if _GRAPH_MEASURE.search(text) and _NUMBER.search(text) else 0.0,
    "analysis result": _has(_GRAPH_RESULT),
    "moment": lambda text: 1.0 if moments(text) or _CALENDAR.search(text) else 0.0,
    "attribution": _attribution,
    "passive record": _has(_PASSIVE),
    "past": _plain_past,
    "definition": lambda text: 1.0 if _defines(text) else 0.0,
    "structure": _has(_STRUCTURE),
    "name": _has(_NAMES),
    "identifier": _has(_IDENTIFIER),
    "provision": _has(_ARTICLE_OF_LAW),
}
"""Every cue by its name: a number in 0..1 for a text."""


_OF_MEASURES = frozenset({"graph measure", "statistic", "analysis result", "unit", "numbers"})
_OF_QUOTATIONS = frozenset({"attribution", "numbers", "unit", "moment", "name", "past"})


@lru_cache(maxsize=4_096)
def cues_of(text: str) -> tuple[float, ...]:
    """The cues of a text, in the order of CUES. What somebody is quoted with counts for nothing: that it was said is what was observed."""
    is_quoted = bool(_attribution(text))
    plain = _JARGON.sub("it", text)
    return tuple(
        0.0 if is_quoted and name not in _OF_QUOTATIONS else find(text if name in _OF_MEASURES else plain)
        for name, find in CUES.items()
    )
