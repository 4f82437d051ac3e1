"""Chapter 5, in its order: Domingo-Ferrer and Torra (2001), Disclosure control methods and information loss."""

from sfumato.papers.inventory.item import ItemKind, experiment, explained, measure, method, not_offered, printed_figures

CHAPTER_5 = (
    method("matrix masking A V B + C, and what it has as special cases", "matrix_masking", "mask_by_matrices"),
    experiment(
        "Tables 1 and 4: which methods are for continuous and which for categorical data",
        "METHODS",
        note="each method names its kinds; more are allowed where that is safe",
    ),
    method(
        "additive noise: of each column, and with the correlations of the data", "additive_noise", "correlated_noise"
    ),
    method("variances recovered from noisy data", "corrected_moments"),
    method("the bias problem: E(V | V' = w) < w", "expected_values"),
    method(
        "data distortion by probability distribution: continuous and categorical, frequency-imposed where none fits",
        "distribution_distortion",
        "categorical_distortion",
    ),
    method(
        "choice of a density by Kolmogorov-Smirnov, chi-square and Anderson-Darling",
        "distribution_distortion",
        note="`criterion`",
    ),
    not_offered(
        ItemKind.METHOD,
        "multivariate densities for distortion",
        "the chapter calls them no trivial undertaking with poor fits; joint distributions are kept by other methods",
        "sequential_synthesis",
        "latin_hypercube",
    ),
    explained(
        ItemKind.EXPERIMENT,
        "Example 1: the best fit of ten values",
        "the distribution of the chapter has the distance that it prints, .1138; a Weibull distribution, which it does "
        "not try, is nearer with .1086, and is what is chosen here",
        "distribution_distortion",
    ),
    printed_figures(
        "Example 1: mode, scale and distance of the fitted distribution, and the nearest one", "chapter 5, Example 1"
    ),
    explained(ItemKind.FIGURES, "Example 1: ten masked values", "one draw, whose generator is not known"),
    method("microaggregation with groups of fixed size", "mdav", "individual_ranking"),
    method(
        "microaggregation with groups of variable size, and Figure 1",
        "variable_size_mdav",
        "univariate_microaggregation",
    ),
    method("groups that no member dominates", "undominated_microaggregation"),
    method(
        "the best partition, which is NP-hard to find",
        "near_optimal_microaggregation",
        "microaggregation_bound",
        note="partitions are compared with a proven bound",
    ),
    method("one variable at a time: individual ranking or blurring", "individual_ranking"),
    method("projection on the first principal component or the sum of z-scores", "projected_microaggregation"),
    method("two, three, ... variables at a time", "mdav", note="`columns_at_a_time`, `column_groups`"),
    method("resampling, of microdata and of contingency tables", "resampling", "contingency_resampling"),
    method("lossy compression", "lossy_compression"),
    experiment("Example 2: JPEG of quality 80", "lossy_compression"),
    printed_figures("Table 2: the 64 cells after compression", "chapter 5, Table 2"),
    method("multiple imputation, variable by variable with normal errors", "multiple_imputation"),
    method("camouflage: intervals that hold the exact answers of queries", "camouflage"),
    method("PRAM, with noise, suppression and recoding as special cases", "pram", "invariant_pram"),
    method("rank swapping", "rank_swapping"),
    experiment("Example 3: ten records with a window of 15 %", "rank_swapping"),
    printed_figures("Table 3: which value each record gets", "chapter 5, Table 3"),
    method(
        "rounding of one variable to multiples of a base, and Example 4",
        "rounding",
        note="Example 4 rounds to a set of points: `points`",
    ),
    method("multivariate rounding", "multivariate_rounding"),
    method("sampling, and what it means for continuous variables", "sampling"),
    printed_figures("Example 5: sampling factor and largest error", "chapter 5, Example 5"),
    method(
        "global recoding of categorical and of continuous variables, and Example 6",
        "recoding",
        "discretisation",
        "generalisation",
    ),
    method("top and bottom coding", "top_coding", "bottom_coding"),
    method(
        "local suppression, alone and together with global recoding",
        "local_suppression",
        "full_domain_recoding",
        "protect",
    ),
    measure(
        "Table 5: mean square error, mean absolute error and mean variation of X, V, R, RF, C and F, and of means and "
        "variances alone",
        "moment_and_factor_loss",
        "information_loss",
    ),
    measure("analytically valid and analytically interesting files", "analytic_validity"),
    measure("distance between nominal and between ordinal categories", "categorical_distance"),
    measure("CTBIL, as a sum and divided by the number of cells", "contingency_table_loss"),
    measure("number of suppressions, half the distance between tables of one dimension", "suppressions"),
    measure("EBIL, the entropy of the original given the masked category", "entropy_loss"),
    measure("PRIL and its sum, from original and masked category", "record_entropy_loss"),
    printed_figures("Example 7: towns given their state", "chapter 5, Example 7"),
)
