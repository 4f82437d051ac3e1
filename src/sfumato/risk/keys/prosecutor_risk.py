"""Prosecutor risk: an intruder looks for a person who is known to be in the file."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from sfumato.contracts import FileRisk, Measurement
from sfumato.data import Kind, Microdata, role
from sfumato.keys.classes import KEY_KINDS, MissingKeys, class_sizes, coded_keys, identifying_keys_remark
from sfumato.keys.counted_records import copies_of, mean_of_records
from sfumato.parameters import Columns, Percent


class ProsecutorRisk(FileRisk):
    """Find how likely a person who is known to be in the file is identified by the keys.

    A person whose keys f records have is one of these, so that each is right once in f. The value is the risk of the
    record that is found most surely, in percent. Parts are the mean risk over all records (`PRA`), which is also what
    the records have each, the percent of records whose risk is above `max_risk` (`PRL`) and the number of records that
    are expected to be found when everybody is looked for (`PRE`).

    Parameters
    ----------
    columns
        The keys (quasi-identifiers): what others may know about a person. Each value of a continuous column counts as a
        category.
    max_risk
        The risk in percent above which records are counted.
    missing
        What a missing key is: `wildcard`, which fits every value, or `category`, a value of its own.

    Meaning
        100: at least one record is unique, so that the person is found for sure. In a k-anonymous file it is 100 / k at
        most.
    Intruder
        Knows the keys of a person, and that the person is in the file; sees the masked file. Who does not know that is
        the journalist, see `journalist_risk`.
    Missing values
        A missing key as `missing` says.
    Source
        El Emam and Dankar (2008), Protecting privacy using k-anonymity, Journal of the American Medical Informatics
        Association 15. Mean and share above a limit: El Emam (2013), Guide to the de-identification of personal health
        information.

    Examples
    --------
    >>> import polars
    >>> found = ProsecutorRisk(columns=("town",)).of(Microdata(polars.DataFrame({"town": ["A", "A", "B", "B"]})))
    >>> found.value, dict(found.parts)
    (50.0, {'PRA': 50.0, 'PRL': 100.0, 'PRE': 2.0})
    """

    symbol: ClassVar[str] = "PR"
    part_symbols: ClassVar[tuple[str, ...]] = ("PRA", "PRL", "PRE")
    part_units: ClassVar[Mapping[str, str]] = {"PRE": "records"}
    part_meanings: ClassVar[Mapping[str, str]] = {
        "PRA": "the mean risk, in percent",
        "PRL": "the percent of records above max_risk",
        "PRE": "records that are expected to be found if everybody is looked for",
    }
    family: ClassVar[str] = "keys"
    kinds: ClassVar[frozenset[Kind]] = KEY_KINDS

    columns: Columns = role("key")
    max_risk: Percent = 20.0
    missing: MissingKeys = MissingKeys.WILDCARD

    def of(self, data: Microdata) -> Measurement:
        """Return the risk of the record that is most likely identified."""
        names, codes = coded_keys(self, data, self.missing)
        copies = copies_of(data)
        risks = 100 / class_sizes(codes, self.missing, copies)
        parts = {
            "PRA": mean_of_records(risks, copies),
            "PRL": mean_of_records(np.where(risks > self.max_risk, 100.0, 0.0), copies),
            "PRE": float((risks * copies).sum()) / 100,
        }
        return Measurement(
            self.name(),
            self.symbol,
            float(risks.max()),
            parts=parts,
            per_record=risks,
            record_symbol="PRA",
            remark=identifying_keys_remark(names, codes, copies),
        )
