"""One figure from several measures; `SCORES` lists the published ones, and ours for files without pairs, by name."""

from sfumato.scores.published import PUBLISHED, overall_score, simplified_score
from sfumato.scores.score import Score
from sfumato.scores.strongest_attack_score import StrongestAttackScore, synthetic_score
from sfumato.scores.weighted_score import WeightedScore

SCORES: dict[str, Score] = {score.name: score for score in (*PUBLISHED, synthetic_score)}
USUAL_SCORES: tuple[Score, ...] = (simplified_score, overall_score)
"""What an assessment shows when nothing else is asked for."""

__all__ = ["SCORES", "USUAL_SCORES", "Score", "StrongestAttackScore", "WeightedScore", "synthetic_score"]
