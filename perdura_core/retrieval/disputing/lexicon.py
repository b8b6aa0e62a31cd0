"""Words that give away which way a sentence leans: for or against, up or down, denied or doubted."""

import re

from perdura_core.epistemics.wording.words import listed, stem

__all__ = ["AFFIRMING", "DENYING", "DOUBTING", "DOWN", "EXCLUDING", "GOOD", "ILL", "OPPOSING", "SHOULD", "UP"]

GOOD = listed(
    """
    good benefit beneficial help helps improve improves protect protects safe safer healthy effective efficient
    important valuable success better right fair freedom progress essential necessary useful encourage promote
    promotes strengthen opportunity solve solution save saves positive increase gain justice
    """
)
ILL = listed(
    """
    bad harm harms harmful hurt damage dangerous risk violate violates destroy worse wrong unfair ineffective
    inefficient useless fail fails failure problem cost costly expensive threaten threat undermine undermines cruel
    immoral abuse discriminate discrimination lead discourage weaken waste negative decrease loss lose impossible
    unnecessary suffer death kill crime corrupt
    """
)
UP = frozenset(
    map(
        stem,
        listed(
            """
            increase rise grow expand climb double triple raise accelerate soar improve surge gain widen swell warm hot
            more higher larger greater bigger faster stronger worse intense frequent exceed record most best top high
            above multiply boost strengthen
            """
        ),
    )
)
DOWN = frozenset(
    map(
        stem,
        listed(
            """
            decrease fall decline shrink drop reduce lower halve diminish dwindle retreat narrow contract thin cool cold
            less fewer smaller slower weaker slow lose loss melt low below least worst cut weaken lack minimal small
            little tiny insignificant negligible
            """
        ),
    )
)
DENYING = listed(
    "not no never none nobody nothing neither nor without cannot hardly barely refuse refused fail failed incapable "
    "unable lack avoid deny denied reject"
)
EXCLUDING = re.compile(
    r"\b(only|exclusively|solely|just|entirely|incapable|unable|refused|yet to|failed)\b", re.IGNORECASE
)
OPPOSING = re.compile(
    r"\b(ban|banned|abolish|abolished|scrap|drop|end|stop|outlaw|illegal|prohibit\w*|not|never|no|against|waste|wrong"
    r"|unjustified|forbid\w*|criminali[sz]e\w*|reject|oppose|repeal|remove|eliminate|bad|harm\w*|worse|too)\b",
    re.IGNORECASE,
)
SHOULD = re.compile(r"\b(should|must|ought|needs? to)\b", re.IGNORECASE)
DOUBTING = re.compile(
    r"\b(no evidence|hoax|myth|alarmis\w*|skeptic\w*|exaggerat\w*|overestimat\w*|fake|scam|not caused|natural|naturally"
    r"|nothing|never|wrong|false|mislead\w*|fail\w*|claims?|actually|flawed|incorrect|unfounded)\b",
    re.IGNORECASE,
)
AFFIRMING = re.compile(
    r"\b(consensus|confirmed|evidence|caused by|due to|because of|human|anthropogenic|likely|significant|agree"
    r"|show[sn]?|found|accelerat\w*|unprecedented)\b",
    re.IGNORECASE,
)
