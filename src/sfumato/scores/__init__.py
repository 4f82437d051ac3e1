"""One figure from several measures; `SCORES` lists the published ones by name."""

from sfumato.scores.published_score import published_score
from sfumato.scores.score import Score
from sfumato.scores.weighted_score import WeightedScore

SCORES: dict[str, Score] = {score.name: score for score in (published_score,)}

__all__ = ["SCORES", "Score", "WeightedScore", "published_score"]
