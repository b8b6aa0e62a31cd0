"""Statements that give a value of a statistic or of a measure of a graph."""

import re

__all__ = ["gives_analysis", "may_be_analysis"]

_NUMBER = re.compile(
    r"(?<![\w.])[-−]?\.?\d[\d.,:/–-]*|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|thirteen|fourteen|fifteen"
    r"|sixteen|eighteen|twenty|thirty|forty|fifty|sixty|eighty|ninety|hundred|dozen|twice|half)\b",
    re.IGNORECASE,
)
_STATISTIC = re.compile(
    r"\b[rRpnNkKQFtz] ?[=<>≈] ?[-−]?\.?\d|[κρχβσ]|\bCI\b|\bSE\b|\bSD\b|\bstandard (?:error|deviation)\b|\bmedian\b"
    r"|\bmean\b|\baverage\b|\bhazard ratio\b|\bodds ratio\b|\bcoefficient\b|\bp-value\b|\bscore of\b|\bindex of\b",
)
_GRAPH_MEASURE = re.compile(
    r"\b(?:pagerank|degree|betweenness|closeness|eigenvector|katz|centrality|modularity"
    r"|clustering coefficient|density|"
    r"correlation|spearman\S*|pearson\S*|cosine|similarity|distance|weight|lift|gini|silhouette|eigenvalues?"
    r"|singular values?"
    r"|inertia|assortativity|k-core|diameter|path length|shortest path|mutual information|entropy|rank"
    r"|triads?|motifs?"
    r"|components?|clusters?|communit(?:y|ies)|nodes?|edges?|hops?|embedding|partition)\b",
    re.IGNORECASE,
)
_GRAPH_RESULT = re.compile(
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


def may_be_analysis(text: str) -> bool:
    """Whether it has a term of statistics or of graphs."""
    return any(form.search(text) for form in (_STATISTIC, _GRAPH_MEASURE, _GRAPH_RESULT))


def gives_analysis(text: str) -> bool:
    """Whether it gives such a value: of a term of graphs, only beside a number."""
    return bool(
        _STATISTIC.search(text) or _GRAPH_RESULT.search(text) or (_NUMBER.search(text) and _GRAPH_MEASURE.search(text))
    )
