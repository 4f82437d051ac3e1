"""Census report, in its order: Yancey, Winkler and Creecy (2002)."""

from sfumato.papers.inventory.item import ItemKind, experiment, explained, measure, method, not_offered, printed_figures

CONFIDENTIAL = "the file, tax records matched to a survey, is confidential"

CENSUS_REPORT = (
    method("rank swapping", "rank_swapping"),
    method("additive noise with the covariance of the data", "correlated_noise"),
    method("estimates from noisy data, on subdomains too", "corrected_moments"),
    method("regression coefficients and interactions recovered from noisy data", "corrected_regression"),
    method("mixtures of additive noise", "mixture_noise"),
    not_offered(
        ItemKind.METHOD,
        "Roque's own mixture: more components than variables, with means found by nonlinear optimisation",
        "the report replaces it by mixtures along a root of the covariance, which need no optimisation and have the "
        "same moments",
        "mixture_noise",
    ),
    method(
        "masked data rescaled to the covariance of the original",
        "mixture_noise",
        note="`rescaled`, with the sign of the appendix: that of equation 1 would move the means",
    ),
    method("multiplicative noise, also in logarithms", "multiplicative_noise", "logarithmic_noise"),
    method("add01_sw: noise, and then swaps of the records that a linkage re-identifies", "swap_reidentified"),
    measure("Fellegi-Sunter linkage with the d and the l metric, one to one", "probabilistic_linkage"),
    measure("weights by expectation and maximisation", "expectation_maximisation_linkage"),
    not_offered(
        ItemKind.MEASURE,
        "equation 3: weights of three variables from seven equations with seven unknowns",
        "the case of agreement and disagreement that expectation and maximisation generalises",
        "expectation_maximisation_linkage",
    ),
    not_offered(
        ItemKind.MEASURE,
        "weights of agreement by the relative frequency of a value, such as of a rare surname",
        "named as a possibility of names; the columns here are numbers, which agree by degrees",
        "probabilistic_linkage",
    ),
    measure("links, possible links and non-links by two bounds on errors", "link_decisions"),
    measure(
        "distance linkage and interval disclosure, which the report leaves aside",
        "distance_linkage",
        "interval_disclosure",
    ),
    measure("IL1 with the mean of both values as denominator", "symmetric_information_loss"),
    measure("IL1s", "standardised_information_loss"),
    measure("IL2, IL3, IL4 and IL5", "information_loss"),
    measure("s0, s1 and s2", "s0", "s1", "s2"),
    measure("Ascore, Dscore and Sscore", "ascore", "dscore", "sscore"),
    experiment("thirteen maskings of the Census file", "rank_swapping", "correlated_noise", "mixture_noise"),
    printed_figures("Table 1: information loss", "Census report, Table 1"),
    printed_figures("Table 2: rates of re-identification", "Census report, Table 2"),
    printed_figures("Table 3: scores", "Census report, Table 3"),
    printed_figures("what is said of Tables 1 to 3 and in the conclusions", "Census report, findings"),
    printed_figures(
        "Tables 1, 3, 4, 5, 7, 8 and 9: what follows from other figures in print, without a run",
        "Census report, from print",
    ),
    explained(
        ItemKind.EXPERIMENT,
        "thirteen maskings of the matched file",
        f"never run: {CONFIDENTIAL}",
        "rank_swapping",
        "correlated_noise",
        "mixture_noise",
    ),
    explained(
        ItemKind.FIGURES,
        "Tables 4 and 5: IL1, IL3, and the other losses of noise, of the whole file",
        f"{CONFIDENTIAL}; IL1s, IL2, IL4 and IL5 are held against laws of noise",
    ),
    explained(ItemKind.FIGURES, "Table 6: 26 rates of re-identification", f"{CONFIDENTIAL}; Table 7 follows from it"),
    measure(
        "matches above a cut-off: the zone with 20 % true ones",
        "probabilistic_linkage",
        "expectation_maximisation_linkage",
        note="the parts PLDz and EMLDz, with `precision`",
    ),
    measure("losses on subpopulations", "subdomain_information_loss"),
    explained(
        ItemKind.FIGURES,
        "Tables 8 and 9: losses of two subpopulations",
        f"{CONFIDENTIAL}; what follows from other figures in print is judged",
    ),
    experiment(
        "appendix: mixtures of two normal distributions along a root of the covariance",
        "mixture_noise",
        note="Z = X + sqrt(d) Y, as the laws of noise show; the appendix prints X + d Y",
    ),
)
