"""What each measure of an assessment says to a review board, in plain words."""

from dataclasses import replace

from sfumato.catalogue.descriptions import describe, plain_meaning, title_of
from sfumato.contracts import Measure
from sfumato.reports.release.figure import Words

_NEAR_CHANCE = "Near what chance gives."
_LOW_IS_GOOD = "Near 0 %."
_LEAK_GOOD = "Near 0 %: the file tells no more of those in it than of others."
_LEAK_BAD = (
    "Clearly above 0 %. The verdict on leaks allows for chance over all that was tried: one interval a little above 0 "
    "proves nothing."
)

MEASURE_WORDS: dict[str, Words] = {
    "distance_linkage": Words(
        "Nearest record is the right one",
        "Somebody who has exact original values and takes the nearest record is right for {value} of the records, on "
        "average over how many of the numbers are known.",
        _NEAR_CHANCE,
        "Above 5 %: the nearest record is often the person looked for. Who has other numbers may find more, see below.",
        "The share of released records whose nearest original record, over the standardised numbers, is the one that "
        "they came from; the mean over intruders who know one number, two, and so on up to seven, keys first and then "
        "in the order of the file.",
        "linkage",
    ),
    "best_subset_linkage": Words(
        "Nearest record is the right one, by the numbers that tell most",
        "Somebody who has the exact original values that were found to help most, and takes the nearest record, is "
        "right for {value} of the records.",
        _NEAR_CHANCE,
        "Above 10 %: the nearest record is often the person looked for.",
        "The share of released records whose nearest original record, over some of the standardised numbers, is the "
        "one that they came from; of all numbers, each by itself, the best two, and those that grow from the best two "
        "by the number that adds most, the set that finds most. Sets are chosen by up to 1,000 records, and counted "
        "over all. Records without a gap are looked for among all originals, or among those without one, as it "
        "finds more.",
        "linkage",
    ),
    "interval_disclosure": Words(
        "Original value lies near the released one",
        "Of the original numbers, {value} lie in a narrow interval around the released value, counted by ranks.",
        "Low where numbers are confidential. High is normal where numbers are released nearly as they were.",
        "High in columns that should not be learnt: an intruder who finds the record learns the value nearly.",
        "The share of values whose original is among the released values that are at most so many percent of all ranks "
        "above or below the released one, averaged over 1, 2 ... 10 %. The baseline takes the values of other persons.",
        "interval disclosure",
    ),
    "deviation_interval_disclosure": Words(
        "Original value lies near the released one, in standard deviations",
        "Of the original numbers, {value} lie in a narrow interval around the released value, counted in standard "
        "deviations.",
        "Low where numbers are confidential.",
        "High in columns that should not be learnt.",
        "The share of values whose original lies within a share of the standard deviation around the released value, "
        "averaged over 1, 2 ... 10 % of it.",
        "interval disclosure",
    ),
    "k_anonymity": Words(
        "In smaller groups than promised",
        "{value} of the records share their keys with fewer others than was promised.",
        "0 %.",
        "Anything above 0 %: some records stand out by what others may know.",
        "The share of records whose combination of keys fewer than k records show, a gap fitting every value.",
        "k-anonymity",
    ),
    "shared_records": Words(
        "Copies of unique records",
        "{value} of the released records are, in all compared columns, copies of an original record that nobody else "
        "equals.",
        "Near the share of the control where there is one, else near 0 %. Chance makes some records equal, so that "
        "synthetic files without any would show who was there; and a little noise on every value makes it 0.",
        "High: many records are released as they were.",
        "The share of released records that equal, in all compared columns, an original record which is unique in "
        "them.",
        "copies",
    ),
    "worst_case_linkage": Words(
        "The worst intruder that was tried",
        "Somebody who has everybody's original values in all compared columns, knows the recipe but not the seed, and "
        "tries every attack that Sfumato has, finds {value} of the records.",
        "A few percent, or what chance gives.",
        "Tens of percent: against an insider, or somebody with the same source, the file does not protect.",
        "The largest share of records that any of the attacks of Sfumato links to the right original, each with all "
        "that the recipe tells.",
        "worst case",
    ),
    "attribute_disclosure": Words(
        "Confidential answers guessed right",
        "Somebody who looks up the records with a person's keys and guesses the confidential answer from them is "
        "right for {value} of the persons.",
        "About what guessing without any key achieves (the baseline).",
        "Far above the baseline: keys tell the confidential answer.",
        "The chance that a record drawn from those with the keys of a person has the right confidential value, "
        "averaged over persons.",
        "attribute disclosure",
    ),
    "singling_out": Words(
        "Singling out",
        "Descriptions taken from the released file fit just one person whom it was made from oftener than one outside "
        "it: the excess is {value} of the largest that there could be.",
        _LEAK_GOOD,
        _LEAK_BAD,
        "How much oftener a description that fits one released record fits exactly one person of the original than one "
        "of the control; without a control, how often at all.",
        "singling out",
    ),
    "linkability": Words(
        "Linkability",
        "Two sets of columns of a person are put together through the released file oftener for persons in it than for "
        "others: the excess is {value} of the largest that there could be.",
        _LEAK_GOOD,
        _LEAK_BAD,
        "How much oftener the nearest released records to two halves of a person's columns are the same one, for "
        "persons in the file than for those of the control; without a control, how often at all.",
        "linkability",
    ),
    "inference": Words(
        "Inference",
        "An unknown value is guessed right from the released file oftener for persons in it than for others: in the "
        "column where that is most, the excess is {value} of the largest that there could be.",
        _LEAK_GOOD,
        _LEAK_BAD,
        "How much oftener an unknown value is guessed right from the nearest released record, for persons in the file "
        "than for those of the control; without a control, how often at all.",
        "inference",
    ),
    "membership_inference": Words(
        "Telling who took part",
        "The strongest of several attacks finds {value} of those who took part when it takes 1 % of the others for "
        "participants, too.",
        "About 1 %: no better than guessing.",
        "Clearly above 1 %: the file tells who took part.",
        "The share of the persons in the original whom the strongest attack takes for members where it is wrong for "
        "1 % of the control; without a control, the share of persons whose unique record is copied whole.",
        "membership",
    ),
    "household_membership": Words(
        "Telling which households took part",
        "The strongest attack by somebody who knows whole households finds {value} of those that took "
        "part when it takes "
        "1 % of the others for participants, too.",
        "About 1 %: no better than guessing.",
        "Clearly above 1 %: the file tells which households took part.",
        "As telling who took part, with households as wholes.",
        "membership",
    ),
    "replicated_uniques": Words(
        "Unique persons whose keys come back once",
        "{value} of the original records are unique by their keys, and exactly one released record shows these keys.",
        "A few percent, or what a control shows too.",
        "Many: readers may believe that they found somebody, rightly or not.",
        "The share of original records whose combination of keys occurs once in the original and once in the released "
        "file. It does not say that the rest of the record is true.",
        "uniqueness",
    ),
    "disco": Words(
        "Keys that tell a right answer",
        "For {value} of the original records all released records with the same keys agree in a confidential value, "
        "and it is the true one; ages and amounts are put into 20 classes.",
        "What a control shows too: rules such as that children are not married hold for everybody.",
        "Clearly more than a control shows: keys tell the answers of those who took part.",
        "The share of original records whose keys occur in the released file with one value only of a confidential "
        "column, which is true; of the column that has most. Numbers of many values count by 20 classes of equal size.",
        "attribute disclosure",
    ),
    "distance_to_closest_record": Words(
        "Very near to an original record",
        "{value} of the released records are nearer to an original record than 95 % of the originals are to their "
        "nearest neighbour. A description and no proof of safety: one true value can give a person away.",
        "About 5 %, as persons of the same population have.",
        "Clearly above 5 %: some records are near copies.",
        "The share of released records nearer to some original than the distance that 5 % of the originals have to "
        "their nearest neighbour.",
        "copies",
    ),
    "information_loss": Words(
        "Information loss",
        "Values, means, variances, covariances and correlations of the numbers changed by {value} of what they "
        "were, on average.",
        "Below 10 %: most analyses of the numbers give about the same.",
        "Above 30 %: analyses of the numbers need care.",
        "The mean of five relative changes: of values, means, covariances, variances and correlations (IL). It has no "
        "upper bound: values near 0 change by large factors easily.",
        "information loss",
    ),
    "standardised_information_loss": Words(
        "Mean change of a number",
        "Numbers moved by {value} of what exchanging them among all records would make, roughly.",
        "A few percent.",
        "Tens of percent: single values say little. About 80 % is a random exchange.",
        "The mean distance between original and released values, divided by 1.41 standard deviations of the column "
        "(IL1s).",
        "information loss",
    ),
    "probabilistic_information_loss": Words(
        "Statistics moved beyond chance",
        "Statistics of the numbers moved farther than chance would, with a probability of {value} on average.",
        "Up to about 60 %, which another sample of the same persons' population would have.",
        "Near 100 %: all statistics moved beyond what sampling explains. Large files have high figures more easily.",
        "The mean probability that sampling moves a mean, variance, covariance, correlation or quantile less than the "
        "protection did.",
        "information loss",
    ),
    "categorical_distance": Words(
        "Mean change of a category",
        "The answers in categories changed by {value} of the farthest that they could, on average.",
        "A few percent.",
        "Tens of percent: single answers say little.",
        "The share of categories that changed or were taken out, over the categorical variables; of ordered ones, the "
        "steps that they moved in percent of all steps.",
        "information loss",
    ),
    "contingency_table_loss": Words(
        "Change of tables",
        "In tables of one or more of the categorical variables, {value} of the records count in another cell, on "
        "average.",
        "A few percent.",
        "Tens of percent: tables need care. 100 % where all variables were recoded into new categories.",
        "The sum of the differences of the counts of both files, in percent of the largest possible one, averaged over "
        "tables.",
        "information loss",
    ),
    "suppressions": Words(
        "Values taken out",
        "{value} of the values that released records had in the compared variables were taken out.",
        "A few percent, spread over several columns.",
        "Tens of percent in one column: analyses of it lose cases, and perhaps not at random.",
        "The share of values that the original has and the released file lacks, over the variables that are compared: "
        "content in both files, also where it was recoded. Weights, numbers of households, and variables and records "
        "that are left out altogether are not counted, nor are variables without a value left.",
        "suppression",
    ),
    "marginal_distance": Words(
        "Change of single distributions",
        "The distributions of single variables differ by {value} on average.",
        "A few percent.",
        "Tens of percent: even simple percentages are off.",
        "The mean Hellinger distance between the distributions of a variable in both files.",
        "distributions",
    ),
    "pairwise_distance": Words(
        "Change of tables of two variables",
        "The cross tables of each two variables differ by {value} on average.",
        "A few percent; small files have some by chance.",
        "Tens of percent: relations between variables are lost.",
        "The mean Hellinger distance between the cross tables of two variables in both files.",
        "distributions",
    ),
    "prosecutor_risk": Words(
        "Largest risk if it is known who is in the file",
        "The record that is found most surely is found with a chance of {value} by somebody who knows that the person "
        "is in the file.",
        "Below the threshold that was set.",
        "100 %: somebody is unique and known to be in the file.",
        "One over the size of the smallest group of records with equal keys, in percent.",
        "individual risk",
    ),
}
"""By the name of the measure."""


WITHOUT_CONTROL = {
    "Singling out": "{value} of the descriptions taken from the released file fit just one person whom it was made "
    "from.",
    "Linkability": "{value} of the persons can be put together from two sets of columns through the released file.",
    "Inference": "Of the column that is guessed best, {value} of the values are guessed right from the released file.",
}
"""What attacks say where no control was given, by their labels."""


def words_without_control(words: Words) -> Words:
    """Return the words of an attack that had no control: nothing then tells what is true of everybody."""
    if words.label not in WITHOUT_CONTROL:
        return words
    has_baseline = words.label == "Inference"  # of which the commonest value is one
    return replace(
        words,
        sentence=f"{WITHOUT_CONTROL[words.label]} This counts what is true of everybody, too, as no control was given.",
        good="About the baseline." if has_baseline else "Not known: there is no baseline without a control.",
        bad=f"{'Far above the baseline' if has_baseline else 'High'}, though without a control much of it may be what "
        f"anybody would guess.",
    )


def words_of(measure: type[Measure]) -> Words:
    """Return the words of a measure; of one that has none here, what its docstring says."""
    if measure.name() in MEASURE_WORDS:
        return MEASURE_WORDS[measure.name()]
    return Words(
        title_of(measure),
        f"{title_of(measure)} is {{value}}.",
        "Low.",
        "High.",
        plain_meaning(describe(measure)),
        "other measures",
    )
