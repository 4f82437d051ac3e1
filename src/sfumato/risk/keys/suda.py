"""SUDA: find records that a few of their keys already make unique, and how likely a match with them is right."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import FileRisk, Measurement
from sfumato.data import Kind, Microdata, role
from sfumato.display import format_compact
from sfumato.keys.classes import (
    KEY_KINDS,
    MissingKeys,
    class_sizes,
    coded_keys,
    identifying_keys_remark,
)
from sfumato.keys.counted_records import copies_of, mean_of_records
from sfumato.keys.weights import sampling_weights, weight_remark
from sfumato.parameters import Columns, Percent
from sfumato.risk.keys._suda_scores import confidence_by_record, match_confidence, suda_scores
from sfumato.risk.keys.individual_risk import UNWEIGHTED


class Suda(FileRisk):
    """Find special uniques, records that a few keys single out, and how likely a match with them is right.

    A minimal sample unique is a set of keys by which a record differs from every other one, and no fewer of them do.
    The more of them a record has, and the fewer keys they take, the likelier it is that the record is unique in the
    population too. Its score is the sum over its minimal sample uniques, where one of s keys counts
    (m - s)(m - s - 1) ... (m - M + 1), with m keys in all and up to M in a set.

    How sure a match with a unique record of this file is, data intrusion simulation estimates for the file; the scores
    spread it over the records (the DIS-SUDA score): the odds against a right match are on average those of the file,
    and lower the higher the score. The value is the mean of this chance over all records, in percent, a record without
    a score having none; so is the figure per record.

    Parts are the keys, each with the percent of all scores that comes from minimal sample uniques that hold it (they
    add up to more than 100), and: `MSUN` how many records have a score, `MSUS` the sum of the scores, `MSUX` the
    largest, `DIS` how sure a match with a unique record is on the whole, in percent.

    Parameters
    ----------
    columns
        The keys (quasi-identifiers): what others may know about a person. Each value of a continuous column counts as a
        category.
    max_size
        The most keys in a minimal sample unique; all when not given.
    sampling_percent
        The percent of the population that is in the file. When not given it is estimated from the weights, and without
        weights the file is taken for the population: then every match with a unique record is right.
    weight
        The column that says how many persons of the population a record stands for; that of the role weight when not
        given.
    missing
        What a missing key is: `wildcard`, which fits every value, or `category`, a value of its own.

    Meaning
        0: no record is unique on up to `max_size` keys. 100: each is, and every match is right.
    Intruder
        Knows some keys of a person, no matter which, and takes the record that alone has them for that of the person.
    Missing values
        By default a missing key is a wildcard: it is in no minimal sample unique of its record, and keeps records that
        differ from it only there from being unique. As a category it is a value like others.
    Source
        Elliot, Manning and Ford (2002), A computational algorithm for handling the special uniques problem; Elliot and
        Manning (2003), Using DIS to modify the classification of special uniques; Manning, Haglin and Keane (2008), A
        recursive search algorithm for statistical disclosure assessment. How sure a match is: Skinner and Elliot
        (2002), A measure of disclosure risk for microdata.

    Examples
    --------
    >>> import polars
    >>> work, sex = ["farmer", "farmer", "farmer", "clerk", "clerk", "smith"], ["m", "m", "f", "f", "f", "f"]
    >>> data = Microdata(polars.DataFrame({"work": work, "sex": sex}))
    >>> found = Suda(columns=("work", "sex"), sampling_percent=10).of(data)
    >>> round(found.value, 2), {part: round(value, 1) for part, value in found.parts.items()}
    (1.75, {'work': 100.0, 'sex': 50.0, 'MSUN': 2.0, 'MSUS': 2.0, 'MSUX': 1.0, 'DIS': 5.3})
    """

    symbol: ClassVar[str] = "SUDA"
    part_symbols: ClassVar[tuple[str, ...]] = ("MSUN", "MSUS", "MSUX", "DIS")
    part_units: ClassVar[Mapping[str, str]] = {"MSUN": "records", "MSUS": "", "MSUX": ""}
    part_meanings: ClassVar[Mapping[str, str]] = {
        "MSUN": "records that few keys single out",
        "MSUS": "the sum of their scores",
        "MSUX": "the largest score",
        "DIS": "how sure a match with a unique record is, in percent",
    }
    column_parts: ClassVar[str] = "the percent of all scores that comes from sets with it"
    family: ClassVar[str] = "keys"
    kinds: ClassVar[frozenset[Kind]] = KEY_KINDS

    columns: Columns = role("key")
    max_size: Annotated[int, Field(ge=1)] | None = None
    sampling_percent: Percent | None = None
    weight: str | None = None
    missing: MissingKeys = MissingKeys.WILDCARD

    def of(self, data: Microdata) -> Measurement:
        """Return the mean confidence of a match with a record, in percent, and what each key contributes."""
        names, codes = coded_keys(self, data, self.missing)
        copies = copies_of(data)
        found = suda_scores(type(self).__name__, codes, self.max_size, self.missing, copies)
        scores = found.per_record()
        fraction, remark = self._fraction(data)
        confidence = match_confidence(class_sizes(codes, self.missing, copies), fraction, copies)
        per_record = 100 * confidence_by_record(scores, confidence, len(names))
        parts = {
            **{name: found.share(key) for key, name in enumerate(names)},
            "MSUN": float(np.count_nonzero(scores)),
            "MSUS": float(scores.sum()),
            "MSUX": float(scores.max(initial=0)),
            "DIS": 100 * confidence,
        }
        return Measurement(
            self.name(),
            self.symbol,
            mean_of_records(per_record, copies) if per_record.size else 0.0,
            parts=parts,
            per_record=per_record,
            remark="; ".join(filter(None, (remark, identifying_keys_remark(names, codes, copies)))),
        )

    def _fraction(self, data: Microdata) -> tuple[float, str]:
        """Return the share of the population that is in the file, and where that is from."""
        if self.sampling_percent is not None:
            return self.sampling_percent / 100, ""
        weights = sampling_weights(type(self).__name__, data, self.weight)
        if weights is None:
            return 1.0, UNWEIGHTED
        fraction = float(copies_of(data).sum()) / float(weights.sum())
        share = f"the weights say that {format_compact(100 * fraction, 3)} % of the population is in the file"
        return fraction, weight_remark(type(self).__name__, data, self.weight) or share
