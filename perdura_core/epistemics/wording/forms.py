"""Forms of wording that tell a judgement from an observation, as far as words in a list do not."""

import re

from perdura_core.epistemics.wording.words import listed

__all__ = [
    "ADJECTIVE",
    "AFTER_A_VERDICT",
    "ARTICLE_OF_LAW",
    "ATTRIBUTED_BY",
    "ATTRIBUTION",
    "BARE_PLURAL",
    "BEFORE_A_VERDICT",
    "CALENDAR",
    "CANNOT",
    "CAUSED_BY",
    "COMPARE",
    "COMPOUND",
    "CONDITIONAL",
    "CONTRAST",
    "COPULAR",
    "COUNTERFACTUAL",
    "DEFINITION",
    "DENIAL",
    "DIGIT",
    "EXPLAIN",
    "FUTURE",
    "GRAPH_MEASURE",
    "GRAPH_RESULT",
    "IDENTIFIER",
    "IDENTIFYING",
    "JARGON",
    "KIND",
    "LINKING",
    "LINKING_AT_ALL",
    "MANNER",
    "MEASURE_READ",
    "MENTION",
    "NAMES",
    "NOT_A_NOUN",
    "NO_SPEAKER",
    "NUMBER",
    "NUMBER_FIRST",
    "OPINION",
    "PARTICIPLE",
    "PASSIVE",
    "PAST",
    "PERFECT",
    "POINTING",
    "PREDICATE",
    "PREFIXED",
    "REFUSAL",
    "SHIFT",
    "SIMILE",
    "SPEAKER",
    "SPEECH",
    "SPEECH_WORDS",
    "STATISTIC",
    "SUPERLATIVE",
    "UNIT",
]

# What makes a judgement

FUTURE = re.compile(r"\bwill (?!(?:was|is|of|had|and|that)\b)(?=[a-z])", re.IGNORECASE)
EXPLAIN = re.compile(
    r"^(?:so|therefore|thus|hence|clearly|obviously|evidently|because|consequently|such|that)\b"
    r"|[,;]\s*(?:so|therefore|thus|hence|which (?:is why|means|suggests|shows|makes|hints|explains)|hinting"
    r"|suggesting)\b"
    r"|\b(?:because|since (?:the|it|they|no|there)|that is why|the reason)\b",
    re.IGNORECASE,
)
CONDITIONAL = re.compile(r"\bwould\b|\bwould've\b|\bif\b|\bunless\b|\bwithout which\b|\botherwise\b", re.IGNORECASE)
PREFIXED = re.compile(
    r"\b(?:over(?!all|night|time|see|h|w|n|s|t|l)|under(?!stand|go|w|l|t|s|p)|mis(?!s)|un(?!i|t|d|l)|dis(?!t"
    r"|c|p|e)|out(?!p|l|s|c|b|d|r|e))[a-z]{4,}\b"
)
COMPOUND = re.compile(
    r"\b(?:ill|half|short|far|heavy|high|cold|soft|thick|thin|narrow|single|open|absent|light|even|wrong|big"
    r"|self|double|one|two|clear|tone|cut|bone)"
    r"-(?!hand\b|time\b|term\b|year\b|day\b)(?:\w+ed|\w+ing|deaf|sided|cost)\b"
)
MANNER = re.compile(r"\b\w{3,}(?:ly|ness)\b")
PERFECT = re.compile(
    r"\b(?:has|have) (?:\w+ly |already |now |long |not |never |also )*(?:\w+ed|become|been|lost|made|grown"
    r"|set|kept|led|won|given|taken|gone|come)\b"
)
REFUSAL = re.compile(r"\b(?:do|does)(?: not|n't|n’t)\b")
DENIAL = re.compile(
    r"\b(?:do|does|did|is|are|was|were|has|have)(?: not|n't|n’t)\b|\bno (?:longer|\w+ (?:to|in|for|of|that))\b"
)
JARGON = re.compile(
    r"\b(?:partial|positive|negative|weighted|rank) correlations?\b|\b(?:supporting|contradicting|refining"
    r"|answering) (?:edges?|claims?)\b"
    r"|\b(?:supporting and|two|three) contradicting\b|\bof type \w+\b|\b(?:most|least) (?:central|connected"
    r"|similar|cited|frequent)\b"
    r"|\b(?:authority|hub|quality|confidence) scores?\b|\bconfidence (?:intervals?|of \d|level)|\bhigh confidence\b"
    r"|\b(?:singular|eigen) ?values?\b|\bstatistically significant\b|\bsignifican\w+ (?:at|level)\b"
    r"|\b(?:strongest|weakest|heaviest) edge\b"
    r"|\bin favou?r of\b|\b(?:pleaded|pled|found) (?:not )?guilty\b|\bvariance explained\b"
    r"|\b(?:short|long)est paths?\b|\bpositive(?:ly)? for\b|\brelative risk\b|\bcoefficient of \w+\b"
    r"|\b(?:upper|lower) bound\b|\bcentral (?:bank|bankers|station|office|committee|government|heating)\b",
    re.IGNORECASE,
)
"""Words that judge elsewhere, and here name a measure or a thing of a graph."""
COUNTERFACTUAL = re.compile(
    r"\b(?:would|could|should|might|must|need) (?:not |never |only |have |hardly )*have\b", re.IGNORECASE
)
OPINION = re.compile(
    r"\b(?:I|we) (?:think|believe|feel|suspect|doubt|assume|guess|expect|conclude|consider|find|hold|argue)\b"
    r"|\bin (?:my|our) (?:view|opinion|judgement|judgment|experience)\b|\bto (?:my|our) mind\b|\bIMHO?\b"
    r"|\b(?:my|our) (?:guess|hunch|impression|suspicion|view)\b|\bit is (?:fair|safe|hard|easy|tempting"
    r"|no accident)\b",
    re.IGNORECASE,
)
COMPARE = re.compile(
    r"\b(?:more|less|rather|fewer) (?:[\w-]+ ){0,4}?than\b|\b\w{2,}(?:er|ier) than\b|\bas \w+ as\b|\bbetter\b"
    r"|\bworse\b"
    r"|\bfar (?:too|more|less)\b|\bcompared to what\b|\bunlike\b",
    re.IGNORECASE,
)
SUPERLATIVE = re.compile(
    r"\bthe (?:\w+ )?(?:most|least) [a-z]+|\bthe (?:\w{2,}est|best|worst|only|first \w+ to|real"
    r"|true)\b",
    re.IGNORECASE,
)
SIMILE = re.compile(
    r"\b(?:reads?|smells?|looks?|feels?|sounds?|works?|acts?|behaves?|is|are|was|were) (?:more "
    r"|much )?like (?:an?|the|one)\b"
    r"|\bpoint(?:s|ed)? towards?\b|\b(?:instead of|in place of|at the expense of)\b|\ball about\b",
    re.IGNORECASE,
)
CAUSED_BY = re.compile(
    r"\b(?:caused|driven|triggered|intensified|fuell?ed|sparked|shaped|brought about|worsened|amplified|exacerbated"
    r"|aggravated|prompted|provoked|undermined|influenced|motivated|explained|strengthened|weakened|hampered"
    r"|accelerated)"
    r"(?: \w+ly| in part| above all)? by\b",
    re.IGNORECASE,
)
POINTING = re.compile(r"^(?:this|these|such|that) (?!(?:year|week|month|morning|evening)\b)[a-z]", re.IGNORECASE)
MEASURE_READ = re.compile(
    r"^(?:(?:an?|the|such an?|those|these) (?:[\w-]+ ){1,2}of (?:about |over |only |just )?"
    r"|(?:at|with)(?: (?:an?|the|only|just|its|their))?(?: [\w-]+){0,2}(?: of)? |(?:(?:the|an?|those|these) )?"
    r"|(?:raising|cutting|adding|limiting|having) (?:[\w-]+ ){1,4}(?:to|by|of) )"
    r"(?!(?:1[5-9]|20)\d\d\b)[$€£]?[\d.,]*\d[^\d;]{15,}$",
    re.IGNORECASE,
)
CANNOT = re.compile(
    r"\b(?:cannot|can't|can hardly|can not|can only|can be|out of reach|no way|no match|no longer|not worth"
    r"|no sense|in vain"
    r"|nobody|no one|never)\b",
    re.IGNORECASE,
)
LINKING = (
    r"(?:is|are|was|were|be|been|being|looks?|looked|sounds?|sounded|remains?|remained|becom(?:es?|ing)"
    r"|became|feels?|felt|stays?|stayed)"
)
PREDICATE = re.compile(
    rf"\b{LINKING} (?:not |still |also |already |now |all |clearly |simply |merely |just |both )*"
    r"(?:[a-z]+ly )?(?P<adjective>[a-z]{2,}(?:-[a-z]+)*)\b(?! by\b| at \d| in \d| on \d)",
)
CONTRAST = re.compile(
    r"\b(?:and|but) not\b(?! \w+ed\b)|, not (?:an?|the|its|his|her|their|merely|just|because|from|by|to|for|in)\b"
)
SHIFT = re.compile(
    r"\b(?:become|becomes|became|grown|grew|grows|is|are|was|were|getting|got) (?:ever |far |much |even |no )?"
    r"(?:more|less) (?!than\b|or\b)[a-z]{3,}"
)
MENTION = re.compile(r"[\"“][\w-]+(?: [\w-]+){0,2}[\"”]")
"""A word or term that is spoken of rather than used."""
ADJECTIVE = re.compile(r"(?:ous|ful|less|able|ible|ive|ical|ish|ant|ent|ary|ial|ual|onal|ic)$")
PARTICIPLE = re.compile(r"(?:ed|en|wn|ught|ound|eld|ent|ade|ut|et|ead|old|one|un|id|orn|ung|ost|uilt|eft)$")
LINKING_AT_ALL = re.compile(rf"\b{LINKING}\b(?! \w+(?:ed|en|wn|ught|ound)\b)")
IDENTIFYING = re.compile(rf"\b{LINKING} (?:the|our|their|its|his|her|what|who|where) (?!same\b)[a-z]", re.IGNORECASE)
NUMBER_FIRST = re.compile(
    r"^(?:an?|at|with|such|the|that|those|these|only)\b[^,.;]{0,60}?(?<![\w-])[\d.,]*\d[^\d;]{12,}$", re.IGNORECASE
)
BARE_PLURAL = re.compile(
    r"^(?!(?:This|Its|His|Hers|Is|Was|Has|Does|As|Us)\b)(?:[A-Z][a-z]+ing|[A-Z][a-z]+[^sui\W]s"
    r"|[A-Z][a-z]+ [a-z]{2,}[^sui\W]s|Children|People"
    r"|Women|Men) (?!of\b|in\b|from\b|with\b|on\b|at\b)(?:are|have|do|[a-z]+ly|[a-z]*[^s\W]|\w+ss)\b"
)
COPULAR = re.compile(
    rf"\b{LINKING} (?:not |still |also |already |now |all |simply |merely |just |both |rather |quite |nothing but )*"
    r"(?:an?|the|all|worth|behind|about|out|too|little|no|never|beyond|against|full of|short of|in (?:decline"
    r"|trouble|crisis|danger|need|vain)"
    r"|on the (?:brink|verge|way|rise)|at (?:odds|heart|risk|stake))\b"
)

# What makes an observation

NUMBER = re.compile(
    r"(?<![\w.])[-−]?\.?\d[\d.,:/–-]*|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|thirteen|fourteen|fifteen"
    r"|sixteen|eighteen|twenty|thirty|forty|fifty|sixty|eighty|ninety|hundred|dozen|twice|half)\b",
    re.IGNORECASE,
)
DIGIT = re.compile(r"(?<![A-Za-z])\d")
KIND = re.compile(
    r"^(?:An?|The) [\w-]+(?: [\w-]+){0,2} (?:is|are) (?:an?|the) (?:[\w-]+ ){1,4}(?:that|which|of|with|for|in"
    r"|by|used|between|whose)\b"
)
UNIT = re.compile(
    r"\d\s?(?:%|‰|°|percent|per cent|[kKMGTmµun]?(?:g|m|s|W|Wh|V|A|Hz|B|L|l|Pa|N|J|bit|bits|mol|eV)\b|ms\b"
    r"|kg\b|km\b|km/h\b|cm\b"
    r"|mm\b|mg\b|ppm\b|bar\b|rpm\b|dB\b|kN\b|MPa\b|hours?\b|minutes?\b|seconds?\b|days?\b|weeks?\b|months?\b|years?\b"
    r"|metres?\b|meters?\b|miles?\b|litres?\b|liters?\b|tonnes?\b|euros?\b|dollars?\b|pounds?\b|million\b"
    r"|billion\b|thousand\b"
    r"|degrees?\b|points?\b|tokens?\b|nodes?\b|edges?\b|pages?\b|hops?\b|g/dL\b|/\w+)"
    r"|[$€£]\s?\d"
)
STATISTIC = re.compile(
    r"\b[rRpnNkKQFtz] ?[=<>≈] ?[-−]?\.?\d|[κρχβσ]|\bCI\b|\bSE\b|\bSD\b|\bstandard (?:error|deviation)\b|\bmedian\b"
    r"|\bmean\b|\baverage\b|\bhazard ratio\b|\bodds ratio\b|\bcoefficient\b|\bp-value\b|\bscore of\b|\bindex of\b",
)
GRAPH_MEASURE = re.compile(
    r"\b(?:pagerank|degree|betweenness|closeness|eigenvector|katz|centrality|modularity"
    r"|clustering coefficient|density|"
    r"correlation|spearman\S*|pearson\S*|cosine|similarity|distance|weight|lift|gini|silhouette|eigenvalues?"
    r"|singular values?"
    r"|inertia|assortativity|k-core|diameter|path length|shortest path|mutual information|entropy|rank"
    r"|triads?|motifs?"
    r"|components?|clusters?|communit(?:y|ies)|nodes?|edges?|hops?|embedding|partition)\b",
    re.IGNORECASE,
)
GRAPH_RESULT = re.compile(
    r"\b(?:biopsy|x-ray|MRI|CT|autopsy|inspection|audit|excavation|microscopy|culture|imaging|examination"
    r"|analysis|bootstrap|louvain|leiden|k-means|dbscan|label propagation|pca|svd|t-sne|umap|node2vec|hits"
    r"|algorithm|detection|regression|centrality|"
    r"test|matrix|simulation|model|dating|survey|census|sensor|gauge|satellite|log|query|scan|count"
    r"|index)\b[^,;]{0,40}?"
    r"\b(?:found|puts?|places?|placed|ranks?|ranked|assigns?|assigned|returned|returns|gives?|gave|yields?|yielded"
    r"|converged|lists|listed|splits?|shows?|showed|contains?|counted|recorded|measured|read|reads|reported"
    r"|has|had)\b",
    re.IGNORECASE,
)
SPEECH = (
    r"(?:said|says|told|tells|testified|admitted|admits|announced|announces|wrote|writes|stated|states"
    r"|reported|reports"
    r"|replied|answered|explained to|claimed|claims|argued|argues|called|calls|named|names|describes"
    r"|described|noted|notes"
    r"|warned|warns|insisted|insists|acknowledged|acknowledges|declared|declares|conceded|complained"
    r"|complains|rated|rates"
    r"|promised|promises|recommended|recommends|requires|expects|lists|mentions|mentioned|cites|cited"
    r"|quotes|quoted"
    r"|recalled|recalls|denied|denies|confirmed|predicts|predicted|considers|concludes|concluded|advises|advised"
    r"|(?:say|tell|claim|argue|report|state|note|warn|write|insist|maintain|admit|believe|complain)(?= that\b))"
)
NOT_A_NOUN = "".join(
    rf"(?<!\b{word} )"
    for word in sorted(
        listed(
            "the two three four five of all most many some these those that both no a more few other new same"
            " such its"
            " his her their our between and for on"
        )
    )
)
SPEAKER = (
    r"(?:he|she|they|minister|president|coach|player|captain|witness|counsel|judge|justice|court|dissent"
    r"|author|authors"
    r"|analysts?|economists?|historians?|chronicler|chronicle|surgeon|doctor|patient|nurse|ranger|inspector"
    r"|engineer|vendor"
    r"|CEO|CFO|CTO|officer|spokes\w+|ambassador|governor|mayor|senator|panel|committee|commission|guideline"
    r"|guidelines"
    r"|manual|standard|RFC|licence|license|statute|memo|letter|postmortem|report|reviewer|reviewers|critics?"
    r"|editor|letter"
    r"|referees?|informants?|respondents?|customers?|users?|operator|founder|manager|director|board|union|teacher"
    r"|professor|study"
    r"|paper|abstract|article|grammar|newspaper|magazine|diary|document|documentation|page|notice|contract"
    r"|policy|lawyer"
    r"|attorney|prosecutor|defendant|plaintiff|passenger|pilot|driver|resident|residents|farmers?|scientists?"
    r"|researchers?"
    r"|team|company|bank|agency|regulator|auditor|auditors|consultant|expert|experts|developer|maintainer)"
)
SPEECH_WORDS = frozenset(re.findall("[a-z]{3,}", SPEECH)) - {"that"} | {"according"}
"""What to look for before the slower forms are tried."""
ATTRIBUTION = re.compile(
    rf"^according to\b|^(?:(?:in|on|at|during|after|before) [^,]{{2,40}}, )?(?:[A-Z][\w.'’-]*|(?:the|a|an|one"
    rf"|two|three|several|both|his|her|their|its|our)\b|\d[\d.,]*(?: ?%)?)[^,;.]{{0,45}}?\b{NOT_A_NOUN}{SPEECH}\b"
    rf"(?:\s(?:that|in|to (?:the|an?|him|her|them|his|their|parliament|reporters|(?-i:[A-Z])\w*)|him|her|them|his|their"
    rf"|parliament|reporters|the|a|an|as|how|with|\w+['’]s)\b|:|,)",
    re.IGNORECASE,
)
ATTRIBUTED_BY = re.compile(
    rf"^(?:\S+\s){{0,5}}?[\"“'(]?{SPEAKER}\b[^,;]{{0,50}}?\b{NOT_A_NOUN}{SPEECH}\b", re.IGNORECASE
)
NO_SPEAKER = re.compile(
    r"^(?:it|this|that|these|those|the (?:data|results?|figures?|numbers?|graph|pattern|trend)) ", re.IGNORECASE
)
PASSIVE = re.compile(
    r"\b(?:was|were|has been|have been|had been) (?:first |last |then |also |later |only )*(?:\w+ed|\w+(?:wn"
    r"|en|ught|ound|eld|ent|ade|uilt|et|ut|ung|old|eft|orn|ead|un))\b"
)
PAST = re.compile(
    r"(?<!\ba )(?<!\ban )(?<!\bthe )(?<!\bof )(?<!\bno )\b(?:[a-z]{2,}ed|began|rose|fell|grew|took|gave|made"
    r"|ran|came|went|won|lost|held|kept|met|paid|sent|sold|bought|broke"
    r"|cut|hit|shut|set|put|left|led|built|wrote|drew|flew|spoke|stood|struck|swam|threw|wore|had|was|were|did)\b"
)
DEFINITION = re.compile(
    r"^(?:An? )?(?!(?:The|This|That|These|Those|It|He|She|They|We|I|There|Our|Their|His|Her|Its|What|Here"
    r"|Such|Both)\b)(?![a-z]\d)"
    r"[\w'’-]+(?: [\w-]+){0,2} (?:is|are) (?:an?|the|one of the) (?=[\w-]+ )"
    r"|\b(?:is|are) defined as\b|\brefers? to (?:an?|the)\b|\bstands? for\b|\bis called\b|\bis (?:short"
    r"|the abbreviation) for\b"
)
NAMES = re.compile(r"(?<=[a-z,] )(?:[A-Z][a-z]+|[A-Z]{2,})\b")
IDENTIFIER = re.compile(
    r"\b[a-z][a-z0-9]*[-_]\d+\b|\bv\d+(?:\.\d+)+\b|\b[fiqeb]\d+\b|\b\w+\(\)|\b[a-z]+_[a-z_]+\b|\b[a-z]+-(?:db"
    r"|api|service)\b"
)
ARTICLE_OF_LAW = re.compile(r"\b(?:Article|Section|Clause|Rule|Paragraph|Chapter|PEP|RFC|ISO)\s?\d|§\s?\d")
CALENDAR = re.compile(
    r"\b(?:january|february|march|april|june|july|august|september|october|november|december|monday|tuesday|wednesday"
    r"|thursday|friday|saturday|sunday|yesterday|last (?:week|month|year|night)|this week|quarter|century"
    r"|Q[1-4]|B\.?C\.?|midnight|noon)\b",
    re.IGNORECASE,
)


BEFORE_A_VERDICT = re.compile(
    rf"\b(?:{LINKING}|makes?|made|considered|deemed|found|too|very|so|more|less|far|quite|rather|how|hardly"
    rf"|most|least|an?) "
    r"(?:\w+ly |an? |the |not |too |very |no |still |also |more |less )*$",
    re.IGNORECASE,
)
AFTER_A_VERDICT = re.compile(r" (?:enough|for|to)\b", re.IGNORECASE)
