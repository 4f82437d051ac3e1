"""The outliers paper: what it finds in its ten pictures, held against the pictures drawn anew.

Mateo-Sanz, Sebé and Domingo-Ferrer (2004), Outlier protection in continuous microdata masking. The paper prints
pictures and no tables, so that what can come out again is what it says of them, sentence by sentence.
"""

from collections.abc import Iterator, Sequence

from sfumato.papers.figure import Figure
from sfumato.papers.files import Files
from sfumato.papers.findings import IN_DOUBT, Pick, findings
from sfumato.papers.outliers.conclusions import CONCLUSIONS
from sfumato.papers.outliers.lines import Pictures, mean_pictures
from sfumato.papers.outliers.loss_findings import LOSSES
from sfumato.papers.outliers.relation import Relation
from sfumato.papers.outliers.risk_findings import RISKS
from sfumato.papers.outliers.runs import outlier_runs

RELATIONS: tuple[Relation, ...] = (*LOSSES, *RISKS, *CONCLUSIONS)
FAILED = {  # what the page about the papers says of them
    "Fig. 7, microaggregation: always less risk than additive noise",
    "Fig. 8, microaggregation: a smaller difference than JPEG and additive noise, a larger one than rank swapping",
    "Fig. 10, JPEG: the same risk for outliers at high parameters",
    "Fig. 10, ranges: additive noise wide, JPEG and rank swapping moderate, microaggregation narrow",
    "conclusions, rank swapping, Census: the mean risk stays low at moderately high parameters",
    "conclusions, rank swapping, EIA: the mean risk stays low at moderately high parameters",
    "conclusions, microaggregation, Census: in each picture a narrower range than rank swapping",
}
DRAWN = {"Fig. 6, resampling: more risk for outliers", "Fig. 8, resampling: more risk for outliers"}
UNJUDGED = {**dict.fromkeys(FAILED, "not judged: does not hold here"), **dict.fromkeys(DRAWN, IN_DOUBT)}


def outlier_findings(files: Files, seed: int, strength: float = 1.0) -> Iterator[Figure]:
    """Yield each relation of the paper with how it came out; none is about how much noise there is."""
    yield from judge_relations(outlier_runs(files, seed), seed)


def judge_relations(runs: Sequence[Pictures], seed: int) -> Iterator[Figure]:
    """Yield each relation of the paper as the mean pictures of several runs show it."""

    def evaluate(pick: Pick) -> dict[str, bool]:
        pictures = mean_pictures([runs[run] for run in pick(len(runs))])
        return {_name(relation): relation.judge(pictures).holds for relation in RELATIONS}

    pictures = mean_pictures(list(runs))
    notes = {_name(relation): relation.judge(pictures).figures for relation in RELATIONS}
    yield from findings("outliers paper, ", evaluate, seed, len(runs), unjudged=UNJUDGED, notes=notes)


def _name(relation: Relation) -> str:
    return f"{relation.place}, {relation.text}"
