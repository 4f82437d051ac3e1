"""The outliers paper: what it finds in its ten pictures, held against the pictures drawn anew.

Mateo-Sanz, Sebé and Domingo-Ferrer (2004), Outlier protection in continuous microdata masking. The paper prints
pictures and no tables, so that what can come out again is what it says of them, sentence by sentence.
"""

from collections.abc import Iterator

from sfumato.papers.figure import Figure, finding
from sfumato.papers.files import Files
from sfumato.papers.outliers.conclusions import CONCLUSIONS
from sfumato.papers.outliers.lines import Pictures
from sfumato.papers.outliers.loss_findings import LOSSES
from sfumato.papers.outliers.relation import Relation
from sfumato.papers.outliers.risk_findings import RISKS
from sfumato.papers.outliers.runs import outlier_pictures

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


def outlier_findings(files: Files, seed: int, strength: float = 1.0) -> Iterator[Figure]:
    """Yield each relation of the paper with how it came out; none is about how much noise there is."""
    yield from judge_relations(outlier_pictures(files, seed))


def judge_relations(pictures: Pictures) -> Iterator[Figure]:
    """Yield each relation of the paper as these pictures show it."""
    for relation in RELATIONS:
        found = relation.judge(pictures)
        name = f"{relation.place}, {relation.text}"
        why = "does not hold here" if name in FAILED and not found.holds else "hangs on the draws"
        why = why if name in FAILED | DRAWN else ""
        unjudged = f"not judged: {why}; {found.figures}" if why else ""
        yield finding(f"outliers paper, {name}", found.holds, found.figures, unjudged)
