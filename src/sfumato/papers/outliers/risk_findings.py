"""What the outliers paper finds in its pictures of disclosure risk."""

from sfumato.papers.outliers.lines import Picture
from sfumato.papers.outliers.relation import beside_census, each, ranges, within
from sfumato.papers.outliers.wording import (
    VERY_LOW,
    Finding,
    always_lower,
    close_to_maximum,
    farther_apart,
    great_influence,
    highest,
    in_all,
    in_most,
    lower,
    lowest,
    outliers_higher,
    outliers_lower,
    outliers_similar,
    outliers_very_far,
    ranges_narrow,
    similar,
    stays_low,
    steady,
)

MORE, LESS, SAME = "more risk for outliers", "less risk for outliers", "the same risk for outliers"
HIGHEST = "resampling: the highest risk of all"
WIDE_TO_NARROW = "ranges: JPEG and rank swapping wide, additive noise moderate, microaggregation narrow"


def _resampling_highest(seen: Picture) -> Finding:
    return highest("RS", seen)


def _most_follow_the_parameter(seen: Picture) -> Finding:
    return in_most([great_influence(line) for line in seen.lines.values()])


def _difference_in_between(seen: Picture) -> Finding:
    large, moderate, small = [seen.lines["J"], seen.lines["N"]], seen.lines["M"], seen.lines["R"]
    return in_all([*(farther_apart(line, moderate) for line in large), farther_apart(moderate, small)])


def _similar_risks(seen: Picture) -> Finding:
    lines = [seen.lines["J"].up_to_medium(), seen.lines["R"].from_medium(), seen.lines["M"]]
    return similar([line.mean for line in lines], seen.lines["M"].height)


def _noise_widest(seen: Picture) -> Finding:
    others = [seen.lines["J"].up_to_medium(), seen.lines["R"].from_medium(), seen.lines["M"]]
    return ranges_narrow([seen.lines["N"]], others)


DLD = (
    *each(5, "J N RS", MORE, outliers_higher),
    *each(5, "R M", LESS, outliers_lower),
    within(5, HIGHEST, _resampling_highest),
    within(5, "microaggregation: the lowest risk of all", lambda seen: lowest("M", seen)),
    ranges(5, WIDE_TO_NARROW, "J R", "N", "M"),
    *each(6, "J N RS M", MORE, outliers_higher),
    *each(6, "R", LESS, outliers_lower),
    *each(6, "J N", "the difference is very large", outliers_very_far),
    *each(6, "M", "the difference is very small", outliers_similar),
    within(6, "most methods: the risk depends much on the parameter", _most_follow_the_parameter),
    *each(6, "M", "the risk is fairly stable", steady),
    *each(6, "R", "the risk is very low beyond 12", lambda line: stays_low(line.at(line.parameters > 12), VERY_LOW)),
)

RID = (
    *each(7, "J R N", MORE, outliers_higher),
    *each(7, "M", LESS, outliers_lower),
    within(7, HIGHEST, _resampling_highest),
    *each(7, "RS", "the risk is close to the maximum", close_to_maximum),
    within(
        7,
        "microaggregation: always less risk than additive noise",
        lambda seen: always_lower(seen.lines["M"], seen.lines["N"]),
    ),
    ranges(7, WIDE_TO_NARROW, "J R", "N", "M"),
    *each(8, "J R N RS M", MORE, outliers_higher),
    *each(8, "J N", "the difference is very large", outliers_very_far),
    within(
        8,
        "microaggregation: a smaller difference than JPEG and additive noise, a larger one than rank swapping",
        _difference_in_between,
    ),
    *each(8, "R", "the difference is small", outliers_similar),
    *each(8, "RS", "the risk is close to the maximum", close_to_maximum),
    ranges(8, WIDE_TO_NARROW, "J R", "N", "M"),
    within(8, "additive noise: less risk than microaggregation", lambda seen: lower(seen.lines["N"], seen.lines["M"])),
)

SDID = (
    *each(9, "R RS M", LESS, outliers_lower),
    *each(9, "J", f"{LESS} at low and medium parameters", lambda line: outliers_lower(line.up_to_medium())),
    *each(9, "J", f"{SAME} at high parameters", lambda line: outliers_similar(line.high())),
    *each(9, "N", SAME, outliers_similar),
    within(9, HIGHEST, _resampling_highest),
    within(9, "microaggregation: less risk than additive noise", lambda seen: lower(seen.lines["M"], seen.lines["N"])),
    within(
        9,
        "JPEG up to medium parameters, rank swapping from medium ones on, microaggregation: similar risks",
        _similar_risks,
    ),
    within(9, "additive noise: a wider range than those three", _noise_widest),
    *each(9, "J", "a small range up to medium parameters", lambda line: steady(line.up_to_medium())),
    *each(9, "R", "a small range from medium parameters on", lambda line: steady(line.from_medium())),
    *each(9, "M", "a small range", steady),
    *each(10, "R RS M", LESS, outliers_lower),
    *each(10, "J", f"{LESS} at low and medium parameters", lambda line: outliers_lower(line.up_to_medium())),
    *each(10, "J", f"{SAME} at high parameters", lambda line: outliers_similar(line.high())),
    *each(10, "N", SAME, outliers_similar),
    *beside_census(10, "R RS M", "a larger difference than in Census", farther_apart),
    *beside_census(
        10,
        "J",
        "a larger difference than in Census at low and medium parameters",
        lambda eia, census: farther_apart(eia.up_to_medium(), census.up_to_medium()),
    ),
    within(10, HIGHEST, _resampling_highest),
    ranges(
        10, "ranges: additive noise wide, JPEG and rank swapping moderate, microaggregation narrow", "N", "J R", "M"
    ),
)

RISKS = (*DLD, *RID, *SDID)
