"""Published score: half information loss, a quarter distance linkage, a quarter interval disclosure.

Lower is better: 0 is a file that has lost nothing and tells an intruder nothing, and a file released as it is has 50.

Examples
--------
>>> published_score.formula
'0.5 IL + 0.25 DLD + 0.25 ID'
>>> published_score.score({"IL": 0.0, "DLD": 100.0, "ID": 100.0})
50.0
"""

from sfumato.scores.weighted_score import WeightedScore

published_score = WeightedScore(
    name="published_score",
    symbol="score",
    weights={"IL": 0.5, "DLD": 0.25, "ID": 0.25},
    source=(
        "Sebé, Domingo-Ferrer, Mateo-Sanz and Torra (2002), Post-masking optimization of the tradeoff between "
        "information loss and disclosure risk in masked microdata sets, equation 2"
    ),
)
