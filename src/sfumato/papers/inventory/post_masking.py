"""Post-masking, in its order: Sebé, Domingo-Ferrer, Mateo-Sanz and Torra (2002)."""

from sfumato.papers.inventory.item import ItemKind, experiment, explained, measure, method, printed_figures

POST_MASKING = (
    measure(
        "IL: mean variation of values, means, covariances and variances, mean absolute error of correlations",
        "information_loss",
    ),
    measure("DLD, over one to seven known variables", "distance_linkage"),
    measure("PLD, over one to seven known variables", "probabilistic_linkage"),
    measure("ID, over widths from 1 % to 10 %", "interval_disclosure"),
    measure("overall score and simplified score, equations 1 and 2", "overall_score", "simplified_score"),
    measure(
        "masked records held against the nearest original one",
        "distance_linkage",
        note="`correspondence: nearest_record`",
    ),
    measure("files with another number of records than the original", "distance_linkage", "probabilistic_linkage"),
    method(
        "post-masking optimisation: the model and Algorithm 1",
        "post_masking_optimisation",
        note="IL1 on raw values: on standardised ones, as printed, the printed gains do not come out",
    ),
    method(
        "equations 3 to 8: the sums of the model, IL1 by the nearest record, E, and the bounds on IL1",
        "post_masking_optimisation",
    ),
    experiment(
        "rank swapping with window 14, microaggregation of four variables by ten records", "rank_swapping", "mdav"
    ),
    printed_figures("Tables 1 and 2: first rows, and scores from their parts", "post-masking,"),
    printed_figures("Tables 1 and 2: optimised rows, and what is said of them", "post-masking optimised"),
    explained(
        ItemKind.FIGURES,
        "Tables 1 and 2: E of the optimised rows",
        "the target at which the algorithm stops, and ours stops at it too",
        "post_masking_optimisation",
    ),
    method("synthetic data by optimising a random file", "post_masking_optimisation"),
    method("moments up to order m", "post_masking_optimisation"),
)
