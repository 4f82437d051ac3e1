"""The outliers paper: what it finds in its ten pictures, held against the pictures drawn anew.

Mateo-Sanz, Sebé and Domingo-Ferrer (2004), Outlier protection in continuous microdata masking. The paper prints
pictures and no tables, so that what can come out again is what it says of them, sentence by sentence.
"""

from collections.abc import Iterator
from math import ceil

from sfumato.papers.figure import Figure, FigureKind
from sfumato.papers.files import Files
from sfumato.papers.outliers.conclusions import CONCLUSIONS
from sfumato.papers.outliers.lines import Pictures
from sfumato.papers.outliers.loss_findings import LOSSES
from sfumato.papers.outliers.relation import Relation
from sfumato.papers.outliers.risk_findings import RISKS
from sfumato.papers.outliers.runs import outlier_pictures

RELATIONS: tuple[Relation, ...] = (*LOSSES, *RISKS, *CONCLUSIONS)
ASKED = ceil(len(RELATIONS) * 8 / 9)
"""How many must hold: draws decide some, and words read off a picture cannot all be rules."""
HOLDS, FAILS = "holds", "does not hold"


def outlier_findings(files: Files, seed: int) -> Iterator[Figure]:
    """Yield each relation of the paper with how it came out, then how many hold."""
    yield from judge_relations(outlier_pictures(files, seed))


def judge_relations(pictures: Pictures) -> Iterator[Figure]:
    """Yield each relation of the paper as these pictures show it, then how many hold."""
    held = 0
    for relation in RELATIONS:
        found = relation.judge(pictures)
        held += found.holds
        name = f"outliers paper, {relation.place}, {relation.text}"
        yield Figure(name, FigureKind.REPORT, HOLDS, HOLDS if found.holds else FAILS, note=found.figures)
    yield Figure(
        "outliers paper: relations that hold",
        FigureKind.STATISTICAL,
        len(RELATIONS),
        held,
        tolerance=len(RELATIONS) - ASKED,
        note="a relation holds as the rules of sfumato.papers.outliers.wording read the paper's words",
    )
