"""What the outliers paper finds in its pictures of information loss."""

from sfumato.papers.outliers.relation import beside_census, each, ranges, within
from sfumato.papers.outliers.wording import (
    falls,
    farther_apart,
    great_influence,
    highest_at_low_parameters,
    lowest,
    much_higher,
    outliers_a_bit_higher,
    outliers_higher,
    outliers_lower,
    outliers_much_lower,
    outliers_on_both_sides,
    outliers_similar,
    similar,
    stays_low,
    steady,
)

MORE, LESS, SAME = "more loss for outliers", "less loss for outliers", "the same loss for outliers"

IL1_CENSUS = (
    *each(1, "J N M", LESS, outliers_lower),
    *each(1, "R", MORE, outliers_higher),
    *each(1, "R", "the loss stays low", stays_low),
    *each(1, "R", "the loss moves little with the parameter", steady),
    within(1, "JPEG at low parameters: the highest loss of all", lambda seen: highest_at_low_parameters("J", seen)),
    *each(1, "J", "the loss follows the parameter", falls),
    within(1, "resampling: the lowest loss of all", lambda seen: lowest("RS", seen)),
    *each(1, "N", "the parameter has a great influence", great_influence),
    ranges(1, "additive noise: the parameter has less influence than with JPEG", "J", "N"),
)

IL1_EIA = (
    *each(2, "J N", LESS, outliers_lower),
    *each(2, "J N", "the difference is very sharp", outliers_much_lower),
    *beside_census(2, "J N", "much more loss than in Census", much_higher),
    *each(2, "R", "the parameter decides whether outliers lose more or less", outliers_on_both_sides),
    *beside_census(
        2,
        "R",
        "about the loss as in Census",
        lambda eia, census: similar([eia.mean, census.mean], min(eia.height, census.height)),
    ),
    *beside_census(2, "M", "much less loss than in Census", lambda eia, census: much_higher(census, eia)),
    *each(2, "M", f"{SAME} below 15", lambda line: outliers_similar(line.at(line.parameters < 15))),
    *each(
        2,
        "M",
        "a bit more loss for outliers beyond 15",
        lambda line: outliers_a_bit_higher(line.at(line.parameters > 15)),
    ),
)

IL1S_CENSUS = (
    *each(3, "J R RS M", MORE, outliers_higher),
    *each(3, "N", SAME, outliers_similar),
    within(3, "additive noise and resampling: the lowest losses", lambda seen: lowest("N RS", seen)),
    ranges(3, "JPEG and rank swapping: wide ranges; microaggregation: a narrower one", "J R", "M"),
)

IL1S_EIA = (
    *each(4, "J R RS M", MORE, outliers_higher),
    *each(4, "N", SAME, outliers_similar),
    *beside_census(4, "R", "a larger difference than in Census", farther_apart),
    ranges(4, "JPEG and rank swapping: wide ranges; microaggregation: a narrower one", "J R", "M"),
    within(4, "resampling and microaggregation: the lowest losses", lambda seen: lowest("RS M", seen)),
)

LOSSES = (*IL1_CENSUS, *IL1_EIA, *IL1S_CENSUS, *IL1S_EIA)
