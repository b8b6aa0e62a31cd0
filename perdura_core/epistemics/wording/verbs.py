"""Verbs that we know, and where a sentence's main verb stands."""

from collections.abc import Sequence

from perdura_core.epistemics.wording.words import Word, listed, stem, words

__all__ = ["AUXILIARIES", "VERBS", "is_event", "verb_at"]

AUXILIARIES = listed(
    "is are was were be been am has have had do does did can could may might must shall should will would cannot"
)
VERBS = listed(
    """
    add allow argue agree affect appear apply ask accept avoid accord act aim begin become break bring build buy call
    cause change claim close come compute conclude conflict confirm contain contribute continue convert cost cover
    create crash cut declare decide decline decrease define delay deliver demand depend deploy describe determine
    disable discover do double drive drop emit enable encourage end enforce ensure exceed exclude exist expand expect
    explain express expire fail fall find finish fit fix follow forbid force form freeze generate get give go grow
    guarantee handle happen have help hit hold identify ignore implement imply improve include increase indicate
    influence introduce involve join keep know lack last launch lead leave let limit live load lose lower make mean
    measure melt miss move need note occur offer open operate oppose own pass pay peak perform permit point prefer
    preserve prevent produce prohibit promise propose prove provide publish raise reach read receive recommend record
    recover reduce refer refuse reject release rely remain remove replace report represent require resolve respond
    restart return reuse reveal rise roll run say see seem select sell send serve set share show shrink shut sign slow
    solve specify spend stand start state stay stop store succeed suffer suggest support suppose take tell tend
    terminate test think time track treat trigger try turn understand update upgrade use validate vary view vote want
    warm warn win work worsen write retain remain outline originate consume absorb rank consist belong estimate host
    feature star direct marry graduate attend play earn debut compete premiere fly publish found establish form bear
    die marry discover adopt approve accept elect appoint reboot deploy migrate rotate page alert escalate roll merge
    log measure estimate invent flow spread copy check suppress respect bump rename refactor install
    join click arise emerge last persist
    """
)
_BEFORE_NOUNS = listed("that which who to a an the this these those of in on for with by from its their our your")
_VERB_STEMS = frozenset(w.stem for verb in VERBS for w in words(verb))


def verb_at(found: Sequence[Word]) -> int | None:
    """Where the main verb stands: the first known verb after the first word that is not part of a noun phrase.

    Words that are verbs and nouns alike (`cost`, `use`) give way to an auxiliary close behind.
    """
    for at, word in enumerate(found):
        lowered = word.text.lower()
        if at == 0:
            continue
        if lowered in AUXILIARIES and found[at - 1].text.lower() not in ("that", "which", "who", "what"):
            return at
        if word.stem not in _VERB_STEMS or found[at - 1].text.lower() in _BEFORE_NOUNS or lowered.endswith("ing"):
            continue
        if any(w.text.lower() in AUXILIARIES for w in found[at + 1 : at + 5]) and not lowered.endswith("ed"):
            continue
        return at
    return None


def is_event(word: str) -> bool:
    """Whether the word is a verb that we know, other than an auxiliary."""
    return word.lower() not in AUXILIARIES and stem(word) in _VERB_STEMS
