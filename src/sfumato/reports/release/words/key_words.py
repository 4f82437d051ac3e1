"""What each figure on who stands out by the keys says to a review board, in plain words."""

from dataclasses import replace

from sfumato.reports.release.figure import Words

_FITS = "a gap fitting every value"
_GAP = "a gap being a value of its own"

KEY_WORDS: dict[str, Words] = {
    "k": Words(
        f"Records that fit a record (k), {_FITS}",
        "What any record shows of its keys fits {value} at least, itself included.",
        "The k that was promised, or more.",
        "1: somebody is alone with what is known of them.",
        "The smallest number of records that fit the keys that some record shows; a value that was taken out fits "
        "every value. Whoever knows a person knows the values that were taken out, too: see records that fit a person.",
        "k-anonymity",
    ),
    "strict_k": Words(
        f"Records equal to a record (strict k), {_GAP}",
        "The rarest combination of keys, gaps read as they stand, is that of {value}.",
        "The k that was promised, or more.",
        "1: a gap together with the other keys is seen once only, which helps whoever knows that it was made.",
        "The smallest number of records with exactly the same keys, where a value that was taken out is a value of its "
        "own.",
        "k-anonymity",
    ),
    "violations": Words(
        f"In groups below k, {_FITS}",
        "{value} are in smaller groups than asked for.",
        "None.",
        "Any: these stand out.",
        "The number of records that fit fewer records than k by their keys; a gap fits every value.",
        "k-anonymity",
    ),
    "strict_violations": Words(
        f"In groups below k, {_GAP}",
        "{value} are in smaller groups than asked for, where a gap is read as a value of its own.",
        "None, or few where gaps are common.",
        "Many: somebody who knows that a value was taken out finds these.",
        "The number of records in groups of fewer than k with exactly the same keys and gaps.",
        "k-anonymity",
    ),
    "uniques": Words(
        f"Alone with their keys, {_FITS}",
        "{value} are the only ones with their keys.",
        "None.",
        "Any: each is found by whoever knows the keys and that the person is in the file.",
        "The number of records whose keys no other record fits; a gap fits every value.",
        "uniqueness",
    ),
    "strict_uniques": Words(
        f"Alone with their keys, {_GAP}",
        "{value} are the only ones with their keys, where a gap is read as a value of its own.",
        "None, or few where gaps are common.",
        "Many.",
        "The number of records whose keys and gaps no other record has.",
        "uniqueness",
    ),
    "global_risk": Words(
        "Mean risk of a record from a register",
        "A record is recognised with a probability of {value}, on average, by somebody who knows everybody's keys but "
        "not who took part.",
        "Well below 1 %.",
        "Several percent: one record in fewer than a hundred is recognised.",
        "The mean over all records of the individual risk: the expected value of one over the number of persons in the "
        "population with the same keys, given how many records of the file have them and their weights (negative "
        "binomial model of Benedetti and Franconi).",
        "individual risk",
    ),
    "expected_reidentifications": Words(
        "Records recognised if all are looked for",
        "If somebody looks for everybody, {value} are expected to be recognised.",
        "Below one.",
        "Many.",
        "The sum of the risks of all records.",
        "individual risk",
    ),
    "largest_risk": Words(
        "Highest risk of any record from a register",
        "The record at most risk is recognised with a probability of {value}.",
        "Below the threshold of the house, often 5 to 10 %.",
        "Tens of percent: at least one person is easily recognised.",
        "The largest of the risks of all records.",
        "individual risk",
    ),
    "household_risk": Words(
        "Mean risk of a household from a register",
        "Taking members one by one, somebody of a household is recognised with a probability of {value}, on average.",
        "Well below 1 %.",
        "Several percent: families are recognised although persons are not.",
        "The mean over records of the chance that at least one member of the household is recognised, each looked for "
        "by the own keys alone.",
        "individual risk",
    ),
    "population_uniques": Words(
        "Unique in the population, estimated",
        "About {value} of the population have keys that nobody else in the population has.",
        "None or few.",
        "Many: whoever is found among them is found for sure.",
        "An estimate, from the sampling weights, of how many persons of the population have keys that "
        "nobody else there "
        "has, whether they are in the file or not.",
        "uniqueness",
    ),
    "single_valued": Words(
        f"Keys that tell a confidential answer, {_FITS}",
        "{value} share their keys only with records that give the same confidential answer.",
        "None, or few with answers that are no secret.",
        "Many: knowing the keys is knowing the answer, without finding the record.",
        "The number of records in groups of equal keys with one value only of some confidential variable; a gap fits "
        "every value.",
        "attribute disclosure",
    ),
    "strict_single_valued": Words(
        f"Keys that tell a confidential answer, {_GAP}",
        "{value} share their keys only with records that give the same confidential answer, where a gap is read as a "
        "value of its own.",
        "None, or few.",
        "Many.",
        "As above, with groups of exactly the same keys and gaps.",
        "attribute disclosure",
    ),
    "special_uniques": Words(
        "Stand out by three keys or fewer",
        "{value} are alone already with three of their keys or fewer.",
        "None.",
        "Many: little needs to be known to find them.",
        "The number of records that are unique in the file by some set of at most three keys (special uniques).",
        "uniqueness",
    ),
}
"""By the name of the figure in `sfumato.reports.risk_figures`."""

FITTING_RECORDS = Words(
    "Records that fit a person by the keys alone, the fewest",
    "By the keys alone an acquaintance is left with {value} at least.",
    "10 or more: a chance of at most 10 %.",
    "1: somebody is found by the keys.",
    "The smallest number of released records that fit the keys that some person had before any was taken out, in the "
    "classes of the release; a gap fits every value.",
    "k-anonymity",
)
FEW_RECORDS = Words(
    "Persons whom fewer than 10 records fit",
    "{value} are left with fewer than 10 records by an acquaintance, who finds each with a chance above 10 %.",
    "None.",
    "Many.",
    "The number of persons whose keys, as they were, fewer than 10 released records fit.",
    "k-anonymity",
)
FITTING_PERSONS = Words(
    "Persons who fit a record, the fewest",
    "Whoever takes one record and asks whose it is, is left with {value} at least.",
    "10 or more: a chance of at most 10 %.",
    "1: it is known whose the record is.",
    "The smallest number of persons whose keys, as they were, fit what some released record shows.",
    "k-anonymity",
)
FEW_PERSONS = Words(
    "Records that fewer than 10 persons fit",
    "{value} are of one of fewer than 10 persons: whoever asks whose they are is right with a chance above 10 %.",
    "None.",
    "Many.",
    "The number of released records that the keys of fewer than 10 persons fit, as they were.",
    "k-anonymity",
)
SIDES = {"records": FITTING_RECORDS, "few": FEW_RECORDS, "persons": FITTING_PERSONS, "few_persons": FEW_PERSONS}
"""What is counted from the side of the person, and of the record held against persons."""

WHOLE_HOUSEHOLDS = Words(
    "Persons found by their whole household",
    "Whoever knows the keys of all members of a household, that it is in the file, and which keys were taken out of "
    "whom, finds {value}.",
    "None, or few.",
    "Many: k protects persons one by one, and not families.",
    "The number of persons in households whose members' keys no other household of the same size has; a value that was "
    "taken out is a value of its own. Who does not know what was taken out of whom finds fewer.",
    "uniqueness",
)

HOUSEHOLDS_BY_FIT = Words(
    "Persons found by their whole household, by the keys alone",
    "Whoever knows the keys of all members of a household and that it is in the file, and not what was taken out, "
    "finds {value}.",
    "None, or few.",
    "Many: k protects persons one by one, and not families.",
    "The number of persons in households whose members' keys, as they were, fit the records of no other household of "
    "the same size; a gap fits every value. Of more than 3,000 households so many are looked for, and scaled up.",
    "uniqueness",
)

A_REGISTER_OF_HOUSEHOLDS = " A register that tells who lives together finds more."
"""What the risk of households adds where the file shows who lives together."""


def words_of_keys(name: str, *, shows_homes: bool) -> Words:
    """Return the words of a figure on keys, by whether the file shows who lives together."""
    words = KEY_WORDS[name]
    more = A_REGISTER_OF_HOUSEHOLDS if name == "household_risk" and shows_homes else ""
    return replace(words, sentence=f"{words.sentence}{more}")


MEASURES = {
    "k": "k_anonymity",
    "strict_k": "k_anonymity",
    "violations": "k_anonymity",
    "strict_violations": "k_anonymity",
    "uniques": "k_anonymity",
    "strict_uniques": "k_anonymity",
    "global_risk": "individual_risk",
    "expected_reidentifications": "individual_risk",
    "largest_risk": "individual_risk",
    "household_risk": "household_risk",
    "population_uniques": "uniqueness",
    "single_valued": "l_diversity",
    "strict_single_valued": "l_diversity",
    "special_uniques": "suda",
}
"""The measure that each figure is from."""
