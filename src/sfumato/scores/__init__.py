"""One figure from several measures; `SCORES` lists the published ones by name."""

from sfumato.scores.published import PUBLISHED, overall_score, simplified_score
from sfumato.scores.score import Score
from sfumato.scores.weighted_score import WeightedScore

SCORES: dict[str, Score] = {score.name: score for score in PUBLISHED}
USUAL_SCORES: tuple[Score, ...] = (simplified_score, overall_score)
"""What an assessment shows when nothing else is asked for."""

__all__ = ["SCORES", "USUAL_SCORES", "Score", "WeightedScore"]
