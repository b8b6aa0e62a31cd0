"""Cues in the wording of a statement that tell a judgement from an observation.

Each cue is a family of words or a form, found in any field. What a cue is worth is for `layering` to weigh: none
decides alone, because observations quote judgements and judgements quote numbers.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from perdura_core.epistemics.wording import forms
from perdura_core.epistemics.wording.families import hits_of
from perdura_core.epistemics.wording.quantities import moments

__all__ = ["CUES", "OBSERVING", "cues_of"]

_PLAINLY_JUDGING_FAMILIES = frozenset(
    {
        "HEDGING", "PRESCRIBING", "FORETELLING", "GENERALISING", "FIGURES", "VERDICTS", "CAUSING", "READING", "STANCE",
        "JUDGING", "DEGREE",
    }
)  # fmt: skip
_PLAINLY_JUDGING_FORMS = (
    forms.SIMILE,
    forms.PREFIXED,
    forms.EXPLAIN,
    forms.CONDITIONAL,
    forms.OPINION,
    forms.CANNOT,
    forms.CAUSED_BY,
    forms.CONTRAST,
    forms.SHIFT,
)


@dataclass(eq=False)
class _Statement:
    """One text with what several cues ask of it, worked out once."""

    text: str

    @cached_property
    def families(self) -> Counter[str]:
        """How often each family of words occurs."""
        return Counter(hit.family for hit in hits_of(self.text))

    @cached_property
    def has_number(self) -> bool:
        return forms.NUMBER.search(self.text) is not None

    @cached_property
    def has_digit(self) -> bool:
        return forms.DIGIT.search(self.text) is not None

    @cached_property
    def evaluates(self) -> bool:
        """Whether an evaluating word is used to judge: beside numbers it often is part of a name (`central bank`)."""
        if not self.has_digit:
            return self.families["EVALUATING"] > 0
        text = self.text
        return any(
            forms.AFTER_A_VERDICT.match(text, hit.end) or forms.BEFORE_A_VERDICT.search(text, 0, hit.start)
            for hit in hits_of(text)
            if hit.family == "EVALUATING"
        )

    @cached_property
    def judges_manner(self) -> bool:
        """Whether an adverb or a noun is made of an adjective that judges: `carelessly`, `weakness`."""
        return any(_is_evaluating(form) for match in forms.MANNER.finditer(self.text) for form in _bases(match.group()))

    @cached_property
    def foretells(self) -> bool:
        return self.families["FORETELLING"] > 0 or forms.FUTURE.search(self.text) is not None

    @cached_property
    def judged(self) -> int:
        """How many families and forms of plainly judging words it has."""
        families = self.families.keys() & _PLAINLY_JUDGING_FAMILIES - {"FORETELLING"}
        count = len(families) + self.foretells + self.evaluates
        count += sum(1 for form in _PLAINLY_JUDGING_FORMS if form.search(self.text))
        return count + bool(forms.COMPOUND.search(self.text) or self.judges_manner) + self.reads_a_measure

    @cached_property
    def reads_a_measure(self) -> bool:
        """Whether it begins with a value and then says something that is none: `A Gini of 0.58 is high`."""
        return forms.MEASURE_READ.match(self.text) is not None and not forms.PAST.search(self.text)

    @cached_property
    def defines(self) -> bool:
        """Whether it says what a word means, without a judging word: `A tort is a civil wrong`."""
        return forms.DEFINITION.search(self.text) is not None and not self.judged

    @cached_property
    def is_bare(self) -> bool:
        """Whether nothing ties it to a measurement, a time or a name."""
        text = self.text
        return not (self.defines or self.has_number or forms.CALENDAR.search(text) or forms.NAMES.search(text))

    @cached_property
    def predicates(self) -> bool:
        """Whether something is called by an adjective."""
        return any(
            _is_evaluating(word) or (forms.ADJECTIVE.search(word) and not forms.PARTICIPLE.search(word))
            for word in (match["adjective"] for match in forms.PREDICATE.finditer(self.text))
        )


def _is_evaluating(word: str) -> bool:
    return any(hit.family == "EVALUATING" and hit[1:] == (0, len(word)) for hit in hits_of(word))


def _bases(word: str) -> tuple[str, ...]:
    """What an adverb or a noun of manner may be made of."""
    base = word.lower().removesuffix("ness") if word.endswith("ness") else word.lower().removesuffix("ly")
    return (base, f"{base[:-1]}y" if base.endswith("i") else base, f"{base}le")


def _attributes(text: str) -> bool:
    """Whether the statement as a whole says that somebody said something."""
    if forms.SPEECH_WORDS.isdisjoint(text.lower().replace(",", " ").split()) or forms.NO_SPEAKER.match(text):
        return False
    return forms.ATTRIBUTION.search(text) is not None or forms.ATTRIBUTED_BY.search(text) is not None


_Cue = Callable[[_Statement], float]


def _form(name: str) -> _Cue:
    pattern = getattr(forms, name)
    return lambda said: 1.0 if pattern.search(said.text) else 0.0


def _family(name: str) -> _Cue:
    return lambda said: 1.0 if said.families[name] else 0.0


def _without_number(name: str) -> _Cue:
    pattern = getattr(forms, name)
    return lambda said: 1.0 if not said.has_number and pattern.search(said.text) else 0.0


def _if(holds: Callable[[_Statement], object]) -> _Cue:
    return lambda said: 1.0 if holds(said) else 0.0


def _characterises(said: _Statement) -> bool:
    text = said.text
    return not (said.has_digit or said.defines or forms.KIND.search(text)) and forms.COPULAR.search(text) is not None


def _generalises(said: _Statement) -> bool:
    text = said.text
    return not said.has_number and forms.BARE_PLURAL.match(text) is not None and not forms.PASSIVE.search(text)


def _acts(said: _Statement) -> bool:
    return not (said.judged or forms.LINKING_AT_ALL.search(said.text) or forms.PERFECT.search(said.text))


_JUDGING_CUES: Mapping[str, _Cue] = {
    "hedge": _family("HEDGING"),
    "prescription": _family("PRESCRIBING"),
    "prediction": _if(lambda said: said.foretells),
    "evaluation": lambda said: min(said.families["EVALUATING"], 2) / 2 if said.evaluates else 0.0,
    "verdict": _family("VERDICTS"),
    "cause": _family("CAUSING"),
    "agent of a cause": _form("CAUSED_BY"),
    "pointing": _without_number("POINTING"),
    "reading": _family("READING"),
    "stance": _family("STANCE"),
    "generality": _family("GENERALISING"),
    "inference": _form("EXPLAIN"),
    "condition": _form("CONDITIONAL"),
    "opinion": _form("OPINION"),
    "judging verb": _family("JUDGING"),
    "figure of speech": _family("FIGURES"),
    "abstraction": _family("ABSTRACT"),
    "simile": _form("SIMILE"),
    "comparison": _without_number("COMPARE"),
    "measured comparison": _if(lambda said: said.has_number and forms.COMPARE.search(said.text)),
    "superlative": _without_number("SUPERLATIVE"),
    "degree": _family("DEGREE"),
    "impossibility": _form("CANNOT"),
    "predicate": _if(lambda said: said.predicates),
    "characterisation": _if(_characterises),
    "identification": _without_number("IDENTIFYING"),
    "prefixed": _if(
        lambda said: forms.PREFIXED.search(said.text) or forms.COMPOUND.search(said.text) or said.judges_manner
    ),
    "perfect": _without_number("PERFECT"),
    "denial": _form("DENIAL"),
    "contrast": _form("CONTRAST"),
    "shift": _form("SHIFT"),
    "refusal": _without_number("REFUSAL"),
    "counterfactual": _form("COUNTERFACTUAL"),
    "number judged": _if(lambda said: said.judged and forms.NUMBER_FIRST.search(said.text)),
    "measure read": _if(lambda said: said.reads_a_measure),
    "general subject": _if(_generalises),
    "bare": _if(lambda said: said.is_bare),
    "bare and judged": _if(lambda said: said.is_bare and said.judged),
    "judged": lambda said: min(said.judged, 3) / 3,
}
_OBSERVING_CUES: Mapping[str, _Cue] = {
    "plain action": _if(_acts),
    "plain measurement": _if(lambda said: said.has_digit and not said.judged),
    "plain count": _if(lambda said: said.has_number and not said.judged),
    "plain event": _if(lambda said: not said.judged and forms.PAST.search(said.text)),
    "kind": _form("KIND"),
    "numbers": lambda said: min(len(forms.NUMBER.findall(said.text)), 3) / 3,
    "unit": _form("UNIT"),
    "statistic": _form("STATISTIC"),
    "graph measure": _if(lambda said: said.has_number and forms.GRAPH_MEASURE.search(said.text)),
    "analysis result": _form("GRAPH_RESULT"),
    "moment": _if(lambda said: forms.CALENDAR.search(said.text) or moments(said.text)),
    "attribution": _if(lambda said: _attributes(said.text)),
    "passive record": _form("PASSIVE"),
    "past": _form("PAST"),
    "definition": _if(lambda said: said.defines),
    "structure": _family("DESCRIBING"),
    "name": _form("NAMES"),
    "identifier": _form("IDENTIFIER"),
    "provision": _form("ARTICLE_OF_LAW"),
}
CUES: Mapping[str, _Cue] = {**_JUDGING_CUES, **_OBSERVING_CUES}
"""Every cue by its name: a number in 0..1 for a statement."""
OBSERVING = frozenset(_OBSERVING_CUES)
"""Cues that speak for an observation; the others speak for a judgement."""

_OF_MEASURES = frozenset({"graph measure", "statistic", "analysis result", "unit", "numbers"})
"""Cues that also read the terms of graphs and statistics; for the others these are left out."""
_OF_QUOTATIONS = frozenset({"attribution", "numbers", "unit", "moment", "name", "past"})


@lru_cache(maxsize=4_096)
def cues_of(text: str) -> tuple[float, ...]:
    """The cues of a text, in the order of CUES.

    What somebody is quoted with counts for nothing: that it was said is what was observed.
    """
    whole, stripped = _Statement(text), forms.JARGON.sub("it", forms.MENTION.sub("it", text))
    plain = whole if stripped == text else _Statement(stripped)
    is_quoted = _attributes(text)
    return tuple(
        0.0 if is_quoted and name not in _OF_QUOTATIONS else find(whole if name in _OF_MEASURES else plain)
        for name, find in CUES.items()
    )
