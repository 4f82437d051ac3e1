"""What the conclusions of the outliers paper add to what it finds in its single pictures."""

from collections.abc import Callable

from sfumato.papers.outliers.lines import Line, Pictures, mean_line
from sfumato.papers.outliers.relation import Relation
from sfumato.papers.outliers.wording import (
    Finding,
    falls,
    farther_apart,
    highest,
    in_all,
    in_most,
    lower,
    lowest,
    outliers_similar,
    ranges_narrow,
    rises,
    similar,
    stays_low,
)

LOSS_PICTURES = {"Census": (1, 3), "EIA": (2, 4)}
RISK_PICTURES = {"Census": (5, 7, 9), "EIA": (6, 8, 10)}


def _conclusion(text: str, judge: Callable[[Pictures], Finding]) -> Relation:
    return Relation("conclusions", text, judge)


def _of_file(file: str) -> tuple[Relation, ...]:
    """Return what is concluded alike for each file."""
    values, all_pictures = LOSS_PICTURES[file][0], (*LOSS_PICTURES[file], *RISK_PICTURES[file])
    return (
        _conclusion(
            f"JPEG, {file}: the less loss, the more risk",
            lambda seen: in_all([falls(seen[values].lines["J"]), rises(_mean_risk("J", file, seen))]),
        ),
        _conclusion(
            f"rank swapping, {file}: the mean risk stays low at moderately high parameters",
            lambda seen: stays_low(_mean_risk("R", file, seen).upper_half()),
        ),
        _conclusion(
            f"rank swapping, {file}: IL1 hardly grows over moderately high parameters",
            lambda seen: _unchanged(seen[values].lines["R"].upper_half()),
        ),
        _conclusion(
            f"microaggregation, {file}: in each picture a narrower range than rank swapping",
            lambda seen: in_all(
                [ranges_narrow([seen[number].lines["R"]], [seen[number].lines["M"]]) for number in all_pictures]
            ),
        ),
    )


def _mean_risk(letter: str, file: str, seen: Pictures) -> Line:
    return mean_line([seen[number].lines[letter] for number in RISK_PICTURES[file]])


def _unchanged(line: Line) -> Finding:
    return similar([float(line.overall.min()), float(line.overall.max())], line.height)


def _noise_mostly_riskier(seen: Pictures) -> Finding:
    risks = [seen[number].lines for numbers in RISK_PICTURES.values() for number in numbers]
    return in_most([lower(line, lines["N"]) for lines in risks for letter, line in lines.items() if letter != "N"])


CONCLUSIONS = (
    _conclusion("resampling: the lowest IL1 of all in EIA too", lambda seen: lowest("RS", seen[2])),
    _conclusion("resampling: the lowest IL1s of all in Census", lambda seen: lowest("RS", seen[3])),
    _conclusion("resampling: the lowest IL1s of all in EIA", lambda seen: lowest("RS", seen[4])),
    _conclusion("resampling: the highest DLD of all in EIA too", lambda seen: highest("RS", seen[6])),
    _conclusion("resampling: the highest RID of all in EIA too", lambda seen: highest("RS", seen[8])),
    _conclusion(
        "additive noise: more IL1 in EIA than rank swapping, resampling and microaggregation",
        lambda seen: in_all([lower(seen[2].lines[letter], seen[2].lines["N"]) for letter in ("R", "RS", "M")]),
    ),
    _conclusion("additive noise: mostly more risk than the other methods", _noise_mostly_riskier),
    _conclusion(
        "JPEG: outliers stand out by DLD in EIA more than in Census",
        lambda seen: farther_apart(seen[6].lines["J"], seen[5].lines["J"]),
    ),
    _conclusion(
        "JPEG: outliers stand out by RID in EIA more than in Census",
        lambda seen: farther_apart(seen[8].lines["J"], seen[7].lines["J"]),
    ),
    _conclusion(
        "rank swapping: a small difference of RID for outliers in Census too",
        lambda seen: outliers_similar(seen[7].lines["R"]),
    ),
    _conclusion(
        "microaggregation: less risk in Census than in EIA",
        lambda seen: lower(_mean_risk("M", "Census", seen), _mean_risk("M", "EIA", seen)),
    ),
    _conclusion(
        "microaggregation: less IL1s in EIA than in Census", lambda seen: lower(seen[4].lines["M"], seen[3].lines["M"])
    ),
    *_of_file("Census"),
    *_of_file("EIA"),
)
