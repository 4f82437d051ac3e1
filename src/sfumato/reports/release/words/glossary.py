"""The words of a report that not everybody knows."""

GLOSSARY: dict[str, str] = {
    "area": "Of all pairs of somebody who took part and somebody who did not, the share in which an attack gives the "
    "first the higher score: 50 % is guessing, 100 % tells everybody apart.",
    "attribute disclosure": "Somebody learns a confidential answer of a person without having to find the record: all "
    "records that fit the person agree in it, or nearly all.",
    "audit": "A calculation, by linear programmes, of how narrowly each intruder can bound every cell that is not "
    "published, from the published ones and how tables add up.",
    "baseline": "What somebody achieves without the released file, or by chance: only what goes beyond it is a risk of "
    "the release.",
    "cell": "A place of a table: a total, or what the records with certain categories add up to.",
    "classifier": "An attack that learns to tell released records from those of a part of the control, and takes for "
    "participants whom it takes for released.",
    "confidential variable": "A variable that nobody should learn about a person, such as income or health.",
    "contributor": "A person, household or firm that a cell adds up.",
    "control": "Persons of the same population whom the file was not made from. An attack that finds as much "
    "about them learns nothing from the file about those who are in it.",
    "copies": "Released records that are, or nearly are, original ones.",
    "correlation": "How closely two numbers go together: 1 fully, 0 not at all, -1 in opposite directions.",
    "density ratio": "An attack that takes for participants those around whom released records lie denser than records "
    "of the control.",
    "distributions": "How often each value occurs. Two distributions are compared by how much of one would have "
    "to move to give the other.",
    "epsilon": "The measure of differential privacy: how much surer, at most, anybody can become that a person took "
    "part, as a power of 2.718. An attack shows a value that it is at least; what was promised is in the recipe.",
    "individual risk": "The probability that the person behind a record is recognised by the keys: what one over the "
    "number of persons in the population with the same keys is expected to be, given the records that have them and "
    "their weights (negative binomial model of Benedetti and Franconi).",
    "inference": "Guessing an unknown value of a person from the released file better than without it.",
    "information loss": "How far values and statistics of the released file are from those of the original.",
    "interval disclosure": "A released value is so near to the original one that the original is known nearly.",
    "k-anonymity": "Every record shares the keys that it shows with at least k - 1 others, a gap fitting every value. "
    "It is counted from the record. An acquaintance knows the values that were taken out, too, so that fewer records "
    "may fit the person: their chance is one over that smaller count.",
    "key": "A variable that others may know of a person, such as age, sex or place of residence (quasi-identifier).",
    "linkability": "Putting together what two sources hold of the same person.",
    "linkage": "Finding for a person, whose values somebody has, the record that is nearest.",
    "membership": "Whether a person took part in the survey. It can be a secret by itself, as in a survey of patients.",
    "other measures": "See the pages on measures of the documentation of Sfumato.",
    "outlier": "One of the 5 % of the records that are farthest from the average one; the hardest to protect.",
    "protection level": "How far above and below its value an unsafe cell must stay uncertain, by the rule that calls "
    "it unsafe: by the p percent rule so far that the second largest contributor, who takes off their own figure, "
    "cannot tell the largest to within p percent; by a least number of contributors a share of the cell. Both levels "
    "together are the width that the cell needs.",
    "recipe": "The list of methods that made the released file from the original.",
    "record": "A row of the file: what is released of one person or firm.",
    "seed": "The number that random draws begin with. Whoever has it can undo noise and swapping, so that it is "
    "never in a report.",
    "singling out": "A description that fits exactly one person.",
    "small cells": "Cells of a table to which few persons or firms contribute, so that a figure tells what one of them "
    "gave.",
    "suppression": "Taking out a value, or a cell of a table, so that it cannot be read.",
    "uniqueness": "Being the only record, or the only person, with a combination of keys.",
    "weight": "How many persons of the population a record stands for.",
    "worst case": "The strongest intruder that Sfumato can try: has the original values of everybody and the recipe.",
}
"""By the word, in plain sentences; every word that a figure links to is here, which a test demands."""

WORDS_OF_REMARKS = ("area", "classifier", "density ratio", "epsilon")
"""Explained where a remark on a figure uses them."""
