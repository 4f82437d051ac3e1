"""Attribute disclosure: an intruder reads a person's confidential value off the records with the same keys."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from pydantic import Field

from sfumato.comparison.side_by_side import categories_side_by_side
from sfumato.contracts import Measurement, RiskMeasure
from sfumato.data import CATEGORICAL, Kind, Microdata
from sfumato.keys.classes import MissingKeys
from sfumato.numerics.arrays import FloatColumn
from sfumato.numerics.known_means import mean_of_known, row_means
from sfumato.parameters import Columns
from sfumato.risk.attributes._attribution import attribution, fitting_attribution, key_classes
from sfumato.risk.attributes._known_keys import check_not_recoded, known_keys


class AttributeDisclosure(RiskMeasure):
    """Count the confidential values that are guessed right from the masked records with the keys of the person.

    The intruder looks up the masked records that fit the original keys of a person and guesses the confidential value
    from them. The value is the percent of persons for whom a record drawn from those has the right value (the correct
    attribution probability), the mean over the confidential columns of a person and then over the persons; so is the
    figure per record. Parts are the columns, and: `ADM` when the intruder takes the most frequent value instead (the
    better guess), `ADC` how many are certain, because all those records agree and are right (the homogeneity attack),
    and `ADB` what drawing from the whole masked file achieves, without any key. A person whose keys no masked record
    has is not guessed.

    Parameters
    ----------
    columns
        Confidential nominal or ordinal columns.
    given
        The keys that the intruder knows, nominal or ordinal. A rule such as `role(key)` leaves out the `columns`.
    missing
        What a missing key is: `wildcard`, it fits every value, so that suppressed keys hide nobody whom the others
        still fit; or `category`, a value like others, as for somebody who asks who did not answer.

    Meaning
        0: no guess is right. 100: every one is. What matters is how far it is above `ADB`, which anybody achieves.
    Intruder
        Knows the exact original keys of the persons who have a masked record, and that they have one; does not know
        which it is. Sees the masked file.
    Missing values
        A missing key fits every value, on both sides, or is a category of its own, and so is then each code for it. A
        missing confidential value in the original has nothing to disclose and is left out; in the masked file it tells
        nothing, and the other records are what the intruder draws from. Masked categories that the original does not
        have (a recoded column) are refused: an intruder would recode what is known, so recode the original alike.
    Source
        Elliot (2014), Final report on the disclosure risk associated with the synthetic data produced by the SYLLS
        team; Taub, Elliot, Pampaka and Smith (2018), Differential correct attribution probability for synthetic data.
        The certain ones: Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam (2007), l-diversity.

    Examples
    --------
    >>> import polars
    >>> town, ill = ["A", "A", "A", "B"], ["no", "no", "yes", "yes"]
    >>> data = Microdata(polars.DataFrame({"town": town, "ill": ill}))
    >>> found = AttributeDisclosure(columns=("ill",), given=("town",)).measure(data, data)
    >>> {name: round(part, 1) for name, part in found.parts.items()}
    {'ill': 66.7, 'ADM': 75.0, 'ADC': 25.0, 'ADB': 50.0}
    """

    symbol: ClassVar[str] = "AD"
    part_symbols: ClassVar[tuple[str, ...]] = ("ADM", "ADC", "ADB")
    family: ClassVar[str] = "attributes"
    kinds: ClassVar[frozenset[Kind]] = CATEGORICAL

    columns: Columns
    given: Columns = Field(examples=[["education"]])
    missing: MissingKeys = MissingKeys.WILDCARD

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the percent of confidential values guessed right, by column and by way of guessing."""
        files = categories_side_by_side(self, original, masked)
        for name in files.names:
            check_not_recoded(f"{type(self).__name__}.columns", name, original, masked)
        persons, records = known_keys(self, self.given, original, masked, self.missing)
        persons = persons[files.rows]
        everybody = np.zeros(len(persons), dtype=np.int64)
        columns = list(zip(files.corresponding.T, files.masked.T, strict=True))
        if self.missing is MissingKeys.WILDCARD and min(persons.min(), records.min()) < 0:
            found = [fitting_attribution(persons, before, records, after) for before, after in columns]
        else:
            classes, masked_classes = key_classes(persons, records)
            found = [attribution(classes, before, masked_classes, after) for before, after in columns]
        chance = [attribution(everybody, before, everybody, after) for before, after in columns]
        by_person = percent_by_person([column.drawn for column in found])
        parts = {
            **{name: mean_of_known(100 * column.drawn) for name, column in zip(files.names, found, strict=True)},
            "ADM": mean_of_known(percent_by_person([column.most_frequent for column in found])),
            "ADC": mean_of_known(percent_by_person([column.certain for column in found])),
            "ADB": mean_of_known(percent_by_person([column.drawn for column in chance])),
        }
        return Measurement(self.name(), self.symbol, mean_of_known(by_person), parts=parts, per_record=by_person)


def percent_by_person(shares: Sequence[FloatColumn]) -> FloatColumn:
    """Return the percent guessed right of each person, the mean over the columns; NaN where nothing is to be guessed.

    Examples
    --------
    >>> percent_by_person([np.array([0.5, np.nan, np.nan]), np.array([1.0, 1.0, np.nan])])
    array([ 75., 100.,  nan])
    """
    return 100 * row_means(np.stack(shares, axis=1))
