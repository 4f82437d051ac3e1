"""The published combinations of measures, in percent; lower is better.

Examples
--------
>>> simplified_score.formula
'0.5 IL + 0.25 DLD + 0.25 ID'
>>> simplified_score.score({"IL": 0.0, "DLD": 100.0, "ID": 100.0})  # a file released as it is
50.0
"""

from collections.abc import Mapping

from sfumato.scores.weighted_score import WeightedScore

POST_MASKING = (
    "Sebé, Domingo-Ferrer, Mateo-Sanz and Torra (2002), Post-masking optimization of the tradeoff between "
    "information loss and disclosure risk in masked microdata sets"
)
SLIDES = "Torra (2013), Masking methods, slides"
CENSUS_REPORT = "Yancey, Winkler and Creecy (2002), Disclosure risk assessment in perturbative microdata protection"


def _mean(*symbols: str) -> dict[str, float]:
    return {symbol: 1 / len(symbols) for symbol in symbols}


def _half_of_each(one: Mapping[str, float], other: Mapping[str, float]) -> dict[str, float]:
    return {symbol: weight / 2 for part in (one, other) for symbol, weight in part.items()}


simplified_score = WeightedScore(
    name="simplified_score",
    symbol="score",
    weights={"IL": 0.5, "DLD": 0.25, "ID": 0.25},
    source=f"{POST_MASKING}, equation 2",
)
overall_score = WeightedScore(
    name="overall_score",
    symbol="overall",
    weights={"IL": 0.5, "DLD": 0.125, "PLD": 0.125, "ID": 0.25},
    source=f"{POST_MASKING}, equation 1; {SLIDES}: (IL + DR) / 2",
)

slides_risk = WeightedScore(
    name="slides_risk", symbol="DRslides", weights={"DLD": 0.25, "PLD": 0.25, "ID": 0.5}, source=f"{SLIDES}: DR"
)
slides_risk_with_rank_linkage = WeightedScore(
    name="slides_risk_with_rank_linkage",
    symbol="DRrank",
    weights=_half_of_each(_mean("RSLD", "DLD", "PLD"), {"ID": 1.0}),
    source=f"{SLIDES}: DR with RSLD",
)
slides_score_with_rank_linkage = WeightedScore(
    name="slides_score_with_rank_linkage",
    symbol="overall_rank",
    weights=_half_of_each({"IL": 1.0}, slides_risk_with_rank_linkage.weights),
    source=f"{SLIDES}: (IL + DR) / 2 with RSLD",
)

s0 = WeightedScore(name="s0", symbol="s0", weights=_mean("IL2", "IL3", "IL4", "IL5"), source=f"{CENSUS_REPORT}, 3.5")
s1 = WeightedScore(
    name="s1", symbol="s1", weights=_mean("IL1sym", "IL2", "IL3", "IL4", "IL5"), source=f"{CENSUS_REPORT}, 3.5"
)
s2 = WeightedScore(name="s2", symbol="s2", weights=_mean("IL1s", "IL2", "IL4", "IL5"), source=f"{CENSUS_REPORT}, 3.5")
ascore, dscore, sscore = (
    WeightedScore(
        name=name, symbol=symbol, weights=_half_of_each(loss.weights, {"PLD": 1.0}), source=f"{CENSUS_REPORT}, 3.5"
    )
    for name, symbol, loss in (("ascore", "Ascore", s0), ("dscore", "Dscore", s1), ("sscore", "Sscore", s2))
)

PUBLISHED = (
    simplified_score,
    overall_score,
    slides_risk,
    slides_risk_with_rank_linkage,
    slides_score_with_rank_linkage,
    s0,
    s1,
    s2,
    ascore,
    dscore,
    sscore,
)
