"""The words of the figures that HIPAA's expert determination asks for."""

from dataclasses import replace

from sfumato.reports.release.figure import Words

HIPAA_LARGEST = Words(
    "Largest risk by the keys",
    "Where fewest are left, whoever knows the keys of a person in the file finds the record, or tells whose a record "
    "is, with a chance of {value}.",
    "At or below the threshold.",
    "Above the threshold.",
    "One over the smallest of two counts, in percent: of the records that fit a person, and of the persons who fit a "
    "record; a gap fits every value. Where persons cannot be counted, one over the size of the smallest group of "
    "records.",
    "individual risk",
)
HIPAA_MEAN = replace(
    HIPAA_LARGEST,
    label="Mean risk of a person who is known to be in the file",
    sentence="A person known to be in the file is found with a chance of {value}, on average.",
    definition="The mean over all persons of one over the number of records that fit, in percent.",
)
HIPAA_MEAN_RECORD = replace(
    HIPAA_LARGEST,
    label="Mean risk of a record, asked whose it is",
    sentence="It is told whose a record is with a chance of {value}, on average.",
    definition="The mean over all records of one over the number of persons who fit, in percent.",
)
HIPAA_ABOVE = replace(
    HIPAA_LARGEST,
    label="Persons above the threshold",
    sentence="{value} of the persons have a risk above the threshold.",
    good="0 %.",
    bad="Anything above 0 %.",
    definition="The share of the persons whom so few records fit that their risk is above the threshold.",
)
HIPAA_ABOVE_RECORD = replace(
    HIPAA_ABOVE,
    label="Records above the threshold",
    sentence="{value} of the records have a risk above the threshold.",
    definition="The share of the records that so few persons fit that their risk is above the threshold.",
)
HIPAA_WORDS = {
    "largest": HIPAA_LARGEST,
    "mean": HIPAA_MEAN,
    "mean_record": HIPAA_MEAN_RECORD,
    "above": HIPAA_ABOVE,
    "above_record": HIPAA_ABOVE_RECORD,
}
"""By the name of the figure, in the order of the table."""
