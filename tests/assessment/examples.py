"""One example or more of every measure, and two files to try them on."""

import numpy as np
import polars as pl

from sfumato.contracts import Correspondence, Measure
from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.loss import (
    AnalyticValidity,
    CategoricalDistance,
    ClusteringLoss,
    ContingencyTableLoss,
    EntropyLoss,
    FunctionLoss,
    FuzzyClusteringLoss,
    InformationLoss,
    MarginalDistance,
    MomentAndFactorLoss,
    PairwiseDistance,
    ProbabilisticInformationLoss,
    PropensityLoss,
    RecordEntropyLoss,
    RegressionLoss,
    StandardisedInformationLoss,
    SubdomainInformationLoss,
    Suppressions,
    SymmetricInformationLoss,
    TablePropensityLoss,
    TreePropensityLoss,
    UnexplainedVariance,
)
from sfumato.risk import (
    AttributeDisclosure,
    AttributeInference,
    BestSubsetLinkage,
    BetaLikeness,
    DeltaPresence,
    DeviationIntervalDisclosure,
    Disco,
    DistanceLinkage,
    DistanceToClosestRecord,
    EntropyLDiversity,
    ExpectationMaximisationLinkage,
    HouseholdMembership,
    HouseholdRisk,
    IndividualRankingLinkage,
    IndividualRisk,
    Inference,
    IntervalDisclosure,
    JournalistRisk,
    KAnonymity,
    LDiversity,
    LikelihoodLinkage,
    Linkability,
    LogLinearRisk,
    MarketerRisk,
    MembershipInference,
    ProbabilisticLinkage,
    ProsecutorRisk,
    RankIntervalLinkage,
    RecursiveLDiversity,
    ReplicatedUniques,
    SelfTrainedLinkage,
    SharedRecords,
    SinglingOut,
    Suda,
    TCloseness,
    Uniqueness,
    WorstCaseLinkage,
)

MONEY = ("income", "tax")
LEVELS = ("region", "health")
NEAREST = Correspondence.NEAREST_RECORD
PERSONS = {
    "region": ["north", "south", "west"] * 3,
    "health": ["bad"] * 3 + ["fair"] * 3 + ["good"] * 3,
    "count": [60, 65, 70, 75, 80, 85, 90, 95, 100],
}
EXAMPLES: list[Measure] = [
    AnalyticValidity(columns=MONEY, within=("region",), min_records=5),
    AnalyticValidity(columns=MONEY, within=LEVELS, min_records=4, tolerance=0.5),
    AttributeDisclosure(columns=("health",), given=("region",)),
    AttributeDisclosure(columns=("health",), given=("region",), missing="category"),
    AttributeInference(columns=("region", "income"), sensitive=("health", "tax")),
    AttributeInference(columns=("tax",), sensitive=("income",), max_candidates=5, seed=3),
    BestSubsetLinkage(columns=MONEY),
    BetaLikeness(columns=("region",), sensitive=("health",), beta=0.2),
    BetaLikeness(columns=("region",), sensitive=("health",), is_enhanced=True, missing="category"),
    CategoricalDistance(columns=LEVELS),
    ClusteringLoss(columns=MONEY, clusters=3),
    ContingencyTableLoss(columns=LEVELS),
    ContingencyTableLoss(columns=LEVELS, max_dimensions=1),
    DeltaPresence(columns=LEVELS, population=PERSONS),
    DeviationIntervalDisclosure(columns=MONEY),
    DeviationIntervalDisclosure(columns=MONEY, correspondence=NEAREST),
    Disco(columns=LEVELS, sensitive=MONEY, classes=4),
    DistanceLinkage(columns=MONEY),
    DistanceLinkage(columns=MONEY, correspondence=NEAREST),
    DistanceLinkage(columns=MONEY, distance="manhattan", scenarios=(("income",), ("tax", "income"))),
    DistanceLinkage(columns=MONEY, distance="joint_deviations", ties="any"),
    DistanceLinkage(columns=MONEY, distance="mahalanobis_difference"),
    DistanceLinkage(columns=MONEY, distance="mahalanobis_sum", direction="original_to_masked"),
    DistanceLinkage(columns=MONEY, distance="kernel", direction="original_to_masked"),
    DistanceToClosestRecord(columns=(*LEVELS, *MONEY)),
    EntropyLDiversity(columns=("region",), sensitive=("health",), l=2.5),
    EntropyLoss(columns=LEVELS),
    FunctionLoss(columns=MONEY, analysis="quantiles"),
    FunctionLoss(columns=LEVELS, analysis="counts", divergence="mean_absolute", false_positive_cost=3),
    FuzzyClusteringLoss(columns=MONEY, clusters=3),
    ExpectationMaximisationLinkage(columns=(*MONEY, *LEVELS), metric="rank"),
    ExpectationMaximisationLinkage(columns=MONEY, metric="logarithmic"),
    HouseholdRisk(columns=LEVELS, household="region"),
    IndividualRankingLinkage(columns=MONEY),
    IndividualRisk(columns=LEVELS),
    IndividualRisk(columns=(*LEVELS, "tax"), missing="category", max_risk=50),
    Inference(columns=(*LEVELS, *MONEY)),
    Inference(columns=(*LEVELS, *MONEY), sensitive=("tax",), tolerance=0.2, attacks=20),
    InformationLoss(columns=MONEY),
    InformationLoss(columns=MONEY, correspondence=NEAREST),
    IntervalDisclosure(columns=MONEY),
    IntervalDisclosure(columns=MONEY, ties="mid", correspondence=NEAREST),
    JournalistRisk(columns=LEVELS, population=PERSONS),
    KAnonymity(columns=LEVELS),
    KAnonymity(columns=LEVELS, k=5, combinations=1, missing="category"),
    LDiversity(columns=("region",), sensitive=("health",), l=3),
    Linkability(columns=(*LEVELS, *MONEY)),
    LogLinearRisk(columns=LEVELS, population_size=1000),
    LogLinearRisk(columns=(*LEVELS, "tax"), model="region * health + tax"),
    MarginalDistance(columns=(*LEVELS, *MONEY)),
    MarketerRisk(columns=LEVELS, population=PERSONS),
    LikelihoodLinkage(columns=MONEY),
    LikelihoodLinkage(columns=(*LEVELS, *MONEY), max_candidates=5, seed=3),
    MembershipInference(columns=(*LEVELS, *MONEY)),
    HouseholdMembership(columns=("health", *MONEY), household="region"),
    MomentAndFactorLoss(columns=MONEY),
    PairwiseDistance(columns=(*LEVELS, *MONEY)),
    ProbabilisticInformationLoss(columns=MONEY),
    PropensityLoss(columns=(*LEVELS, *MONEY)),
    TablePropensityLoss(columns=(*LEVELS, *MONEY)),
    TreePropensityLoss(columns=(*LEVELS, *MONEY), permutations=2),
    PropensityLoss(columns=MONEY, has_interactions=False),
    ProbabilisticLinkage(columns=MONEY),
    ProbabilisticLinkage(columns=(*MONEY, "health"), weights={"income": 2, "tax": 1.5, "health": 1}, tolerance=0.3),
    ProbabilisticLinkage(columns=MONEY, metric="standardised", blocking=("region",), precision=50),
    ProbabilisticLinkage(columns=MONEY, max_keys=2),
    ProbabilisticLinkage(columns=MONEY, correspondence=NEAREST),
    ProsecutorRisk(columns=LEVELS),
    RankIntervalLinkage(columns=MONEY),
    RankIntervalLinkage(columns=MONEY, window=20.0, correspondence=NEAREST),
    RecordEntropyLoss(columns=LEVELS),
    RecursiveLDiversity(columns=("region",), sensitive=("health",), c=1.0),
    ReplicatedUniques(columns=LEVELS),
    RegressionLoss(columns=("income",), given=("tax",)),
    RegressionLoss(columns=MONEY, given=LEVELS),
    SelfTrainedLinkage(columns=MONEY),
    SharedRecords(columns=(*LEVELS, *MONEY)),
    SinglingOut(columns=(*LEVELS, *MONEY), attacks=50),
    StandardisedInformationLoss(columns=MONEY),
    SubdomainInformationLoss(columns=MONEY, within=("region",), min_records=5),
    SubdomainInformationLoss(columns=MONEY, within=LEVELS, min_records=2),
    Suda(columns=LEVELS),
    Suda(columns=(*LEVELS, "tax"), max_size=2, sampling_percent=5, missing="category"),
    Suppressions(columns=(*LEVELS, *MONEY)),
    SymmetricInformationLoss(columns=MONEY),
    TCloseness(
        columns=("health",),
        sensitive=("region",),
        hierarchies={"region": [["north", "up"], ["west", "up"], ["south", "down"]]},
    ),
    TCloseness(columns=("region",), sensitive=("health",), t=0.1),
    UnexplainedVariance(columns=(*LEVELS, *MONEY)),
    Uniqueness(columns=LEVELS),
    Uniqueness(columns=(*LEVELS, "tax"), population_size=1000),
    WorstCaseLinkage(columns=MONEY),
    WorstCaseLinkage(columns=(*MONEY, "health"), window=10, individual_ranking=True),
]
HEALTH = ("bad", "fair", "good")
SCHEMA = Schema(
    variables=(
        Variable(name="region", kind=Kind.NOMINAL),
        Variable(name="health", kind=Kind.ORDINAL, categories=HEALTH),
        Variable(name="income", kind=Kind.CONTINUOUS),
        Variable(name="tax", kind=Kind.CONTINUOUS, missing_codes=(-9,)),
    )
)


def survey(n: int = 60) -> pl.DataFrame:
    """Return made records, some of their values missing."""
    rng = np.random.default_rng(5)
    income = np.round(rng.lognormal(7, 1, n), 2)
    health = np.array(HEALTH)[rng.integers(3, size=n)]
    return pl.DataFrame(
        {
            "region": np.array(["north", "south", "west"])[np.arange(n) % 3],
            "health": pl.Series([None if i % 17 == 5 else str(level) for i, level in enumerate(health)]),
            "income": pl.Series([None if i % 20 == 3 else float(x) for i, x in enumerate(income)], dtype=pl.Float64),
            "tax": np.where(np.arange(n) % 30 == 7, -9.0, np.rint(income / 4)),
        }
    )


def changed(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the records with noise on their numbers and some categories exchanged."""
    rng = np.random.default_rng(6)
    noise = rng.normal(0, 50, len(frame))
    tax = pl.when(pl.col("tax") == -9).then(-9.0).otherwise(pl.col("tax") + pl.Series(noise))
    moved = pl.Series(rng.random(len(frame)) < 0.2)
    return frame.with_columns(
        income=pl.col("income") * 1.1 + pl.Series(noise),
        tax=tax,
        region=pl.when(moved).then(pl.col("region").shift(1, fill_value="west")).otherwise("region"),
        health=pl.when(moved & pl.col("health").is_not_null()).then(pl.lit("fair")).otherwise("health"),
    )


def pair() -> tuple[Microdata, Microdata]:
    """Return the survey and its changed form."""
    return Microdata(survey(), SCHEMA), Microdata(changed(survey()), SCHEMA)
