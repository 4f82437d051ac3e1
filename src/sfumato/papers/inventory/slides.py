"""Slides, in their order: Torra (2013), Masking methods."""

from sfumato.papers.inventory.item import ItemKind, experiment, explained, measure, method, not_offered, printed_figures

SLIDES = (
    not_offered(
        ItemKind.METHOD,
        "other types of data: graphs of social networks, search and access logs, documents and their indices",
        "the slides name them and describe no method; Sfumato is for files of records and for tables",
    ),
    method("tables of frequencies and of magnitudes with totals", "tables.Table"),
    experiment(
        "external attack, internal attack, internal attack with dominance",
        "tables.find_unsafe",
        "tables.Insiders",
    ),
    method("rule (n, k)", "tables.Dominance"),
    method(
        "rule p %",
        "tables.PPercent",
        note="the example divides by the total in place of the largest contribution; both call the cell sensitive",
    ),
    method(
        "primary and secondary suppression by optimisation",
        "optimal_suppression",
        "heuristic_suppression",
        "tables.audit",
    ),
    printed_figures("the table of salaries: sensitive cells, suppressed cells and what they cost", "slides, table"),
    experiment(
        "Table of perturbative methods by data",
        "METHODS",
        note="as in chapter 5, with microaggregation of categories too",
    ),
    method(
        "additive noise, uncorrelated and correlated, and what each preserves",
        "additive_noise",
        "correlated_noise",
        "corrected_moments",
    ),
    method("microaggregation: partition, aggregation, replacement", "mdav"),
    method("optimal univariate microaggregation by a shortest path", "univariate_microaggregation"),
    method("projected microaggregation", "projected_microaggregation"),
    method("MDAV", "mdav"),
    method("microaggregation of other types of data by a plurality rule", "categorical_microaggregation"),
    experiment(
        "all variables microaggregated together imply k-anonymity",
        "mdav",
        "k_anonymity",
        note="of all continuous columns in one call; `columns_at_a_time` does not give it",
    ),
    experiment("correlated variables together or not", "correlated_columns"),
    method("rank swapping", "rank_swapping"),
    experiment(
        "rank swapping of ten records with four variables: DLD and RS-RL", "distance_linkage", "rank_interval_linkage"
    ),
    printed_figures("the example: possible records, links, DR and scores", "slides, example"),
    explained(
        ItemKind.FIGURES,
        "the example: IL 39.22, ID 44.81, PLD 0 and the links of RS-RL, 0, 2, 7 and 8 of 10",
        "no rule that is printed or natural gives them; the scores are taken from them as they are",
    ),
    measure("record linkage inside the window of ranks, RS-RL", "rank_interval_linkage"),
    measure(
        "re-identifications that are achieved and detected", "rank_interval_linkage", note="the part of sure links"
    ),
    measure("DR and Score, with and without RS-RL", "slides_risk", "overall_score", "slides_risk_with_rank_linkage"),
    printed_figures("rank swapping of Census and EIA, windows from 2 to 20 %", "slides, rank swapping"),
    explained(
        ItemKind.FIGURES,
        "rank swapping of EIA: the ten figures of PLD",
        "the weights are not printed, and seventy links one to one of 4092 records would take minutes",
        "probabilistic_linkage",
    ),
    method("rank swapping p-distribution and p-buckets", "rank_swapping_distribution", "rank_swapping_buckets"),
    measure("attack on individual ranking", "individual_ranking_linkage"),
    method("data distortion by probability distribution", "distribution_distortion"),
    method("resampling", "resampling"),
    method("lossy compression", "lossy_compression"),
    method("multiple imputation", "multiple_imputation"),
    method("camouflage", "camouflage"),
    method("PRAM", "pram"),
    experiment(
        "Table of nonperturbative methods by data",
        "METHODS",
        note="as Table 4 of chapter 5; each method names its kinds",
    ),
    method("rounding, univariate and multivariate", "rounding", "multivariate_rounding"),
    method("sampling", "sampling"),
    method("global recoding, top and bottom coding", "recoding", "discretisation", "top_coding", "bottom_coding"),
    method("local suppression", "local_suppression"),
    measure(
        "re-identification of synthetic data by quasi-identifiers",
        "distance_linkage",
        "likelihood_linkage",
        "linkability",
    ),
    method("IPSO-A, IPSO-B and IPSO-C", "ipso_a", "ipso_b", "ipso_c"),
    printed_figures("IPSO on EIA: records linked by five distances", "slides, IPSO"),
    explained(
        ItemKind.FIGURES,
        "IPSO on EIA: the nine figures of probabilistic linkage",
        "neither its comparison nor its weights are described",
        "probabilistic_linkage",
    ),
    measure(
        "IL_f = divergence(f(X), f(X')), symmetric or with dearer false positives", "function_loss", "register_analysis"
    ),
    measure(
        "three requirements on a divergence: 0 for equal results, never below 0, the same with the files exchanged",
        "function_loss",
        note="all four divergences have the first two, `symmetric_variation` has all three",
    ),
    measure("analytically valid and analytically interesting files", "analytic_validity"),
    measure("generic measures for continuous data: V, R, RF, C, F", "moment_and_factor_loss"),
    measure(
        "generic measures for categories: distances, CTBIL, EBIL, PRIL",
        "categorical_distance",
        "contingency_table_loss",
        "entropy_loss",
        "record_entropy_loss",
    ),
    explained(
        ItemKind.FIGURES,
        "New York City and Albany given their state",
        "the figures of chapter 5, Example 7, where they are computed",
    ),
    measure("clusters compared by Rand, Jaccard, adjusted Rand, Wallace and Mantaras", "clustering_loss"),
    experiment("do generic measures approximate specific ones", "Study.correlations"),
    measure("aPIL, the averaged probabilistic information loss", "probabilistic_information_loss"),
    printed_figures("clusters of Census after microaggregation of three variables at a time", "slides, clustering"),
    explained(
        ItemKind.FIGURES,
        "correlations of five indices with aPIL over 215 and over 162 files",
        "the masked files are not listed",
        "clustering_loss",
        "probabilistic_information_loss",
    ),
    measure("fuzzy clusters: distances between centres and between memberships", "fuzzy_clustering_loss"),
    printed_figures("fuzzy clusters of Census with noise: objectives", "slides, fuzzy clustering"),
    explained(
        ItemKind.FIGURES,
        "fuzzy clusters of Census with noise: 44 distances d1 and d2",
        "they hang on which optimum each run ended in, and are not defined in print",
        "fuzzy_clustering_loss",
    ),
    experiment("R-U map and score", "Study.ru_map", "overall_score"),
)
