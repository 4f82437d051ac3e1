"""K-anonymity: records whose key values too few others share."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from sfumato.contracts import FileRisk, Measurement
from sfumato.data import Kind, Microdata, role
from sfumato.display import format_compact
from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.classes import KEY_KINDS, MissingKeys, class_sizes, coded_keys, identifying_keys_remark, visible_codes
from sfumato.keys.combinations import KeyCombinations, known_together
from sfumato.keys.counted_records import copies_of, mean_of_records
from sfumato.numerics.arrays import CodeColumn, CodeMatrix
from sfumato.parameters import Columns, GroupSize

USUAL = {"KA2": 2, "KA3": 3, "KA5": 5}
"""The sizes of groups that are usually asked for, by the symbol of their figure."""

MAX_LISTED = 20  # more combinations than a reader looks through are summed up in one sentence


class KAnonymity(FileRisk):
    """Count the records that share their key values with fewer than `k - 1` others.

    The value is the percent of records in classes of fewer than `k`, by all keys together or by any of the
    `combinations` that are asked for. Parts are the number of such records for groups of 2 (`KA2`, the sample uniques),
    3 (`KA3`) and 5 (`KA5`), the number of different key combinations in the file (`KAC`) and the size of the smallest
    class (`KAS`); and, where there are several combinations and at most 20, the percent of records that violate `k` in
    each of them.

    Parameters
    ----------
    columns
        The keys (quasi-identifiers): what others may know about a person. Each value of a continuous column counts as a
        category.
    k
        The least number of records, itself included, that should share the keys of each.
    combinations
        Which keys are known together: a list of lists of keys, or a number for all combinations of up to so many; each
        may have a `k` of its own, as in `{("region", "sex"): 5, 3: 20}`. All keys at once when not given. A record must
        be safe in each of them.
    missing
        What a missing key is: `wildcard`, which fits every value, or `category`, a value of its own. A wildcard is how
        `local_suppression`, mu-Argus and sdcMicro count, and a value that is not there singles nobody out; `category`
        is stricter, and what `strict_local_suppression` achieves.

    Meaning
        0: the file is k-anonymous. 100: every record stands out.
    Intruder
        Knows the keys of a person, and that the person is in the file; sees the masked file.
    Missing values
        As `missing` says. Codes that stand for missing are missing; where a gap is a value of its own, so is each code,
        apart from the others and from an empty cell. A record without any key fits everybody as a wildcard.
    Source
        Samarati (2001), Protecting respondents' identities in microdata release; Sweeney (2002), k-anonymity: a model
        for protecting privacy. Combinations of a few keys: Willenborg and De Waal (2001), Elements of statistical
        disclosure control.

    Examples
    --------
    >>> import polars
    >>> people = polars.DataFrame({"sex": ["f", "f", "f", "m"], "town": ["A", "A", "B", "B"]})
    >>> found = KAnonymity(columns=("sex", "town"), k=2).of(Microdata(people))
    >>> found.value, dict(found.parts)
    (50.0, {'KA2': 2.0, 'KA3': 4.0, 'KA5': 4.0, 'KAC': 3.0, 'KAS': 1.0})
    """

    symbol: ClassVar[str] = "KA"
    part_symbols: ClassVar[tuple[str, ...]] = (*USUAL, "KAC", "KAS")
    part_units: ClassVar[Mapping[str, str]] = {**dict.fromkeys((*USUAL, "KAS"), "records"), "KAC": "classes"}
    part_meanings: ClassVar[Mapping[str, str]] = {
        "KA2": "records that nobody shares the keys of",
        "KA3": "records in groups of fewer than 3",
        "KA5": "records in groups of fewer than 5",
        "KAC": "different combinations of keys",
        "KAS": "records in the smallest group",
    }
    family: ClassVar[str] = "keys"
    kinds: ClassVar[frozenset[Kind]] = KEY_KINDS

    columns: Columns = role("key")
    k: GroupSize = 3
    combinations: KeyCombinations = ()
    missing: MissingKeys = MissingKeys.WILDCARD

    def of(self, data: Microdata) -> Measurement:
        """Return the percent of records in classes that are too small, and their number for the usual sizes."""
        names, codes = coded_keys(self, data, MissingKeys.WILDCARD)
        if (codes >= 0).all():
            return self._of_codes(data, names, codes, self.missing)
        found = strict = self._of_codes(data, names, visible_codes(data, names), MissingKeys.CATEGORY)
        remark = "a gap counts as a category of its own"
        if self.missing is MissingKeys.WILDCARD:
            found = self._of_codes(data, names, codes, MissingKeys.WILDCARD)
            remark = (
                f"a gap counts as a wildcard; as a category of its own it would be {format_compact(strict.value, 3)} %"
            )
        return replace(found, remark="; ".join(filter(None, (found.remark, remark))))

    def by_reading(self, data: Microdata) -> dict[MissingKeys, Measurement]:
        """Return what is found by each reading of gaps: as wildcards, and as a category of their own."""
        names, codes = coded_keys(self, data, MissingKeys.WILDCARD)
        wildcard = self._of_codes(data, names, codes, MissingKeys.WILDCARD)
        if (codes >= 0).all():
            return dict.fromkeys(MissingKeys, wildcard)
        strict = self._of_codes(data, names, visible_codes(data, names), MissingKeys.CATEGORY)
        return {MissingKeys.WILDCARD: wildcard, MissingKeys.CATEGORY: strict}

    def _of_codes(
        self, data: Microdata, names: tuple[str, ...], codes: CodeMatrix, missing: MissingKeys
    ) -> Measurement:
        needed = known_together(type(self).__name__, self.combinations, data, names, self.k)
        copies = copies_of(data)
        sizes = {known: _sizes_of(known, names, codes, missing, copies) for known in needed}
        smallest = np.minimum.reduce(list(sizes.values()))
        violates = 100.0 * np.logical_or.reduce([sizes[known] < k for known, k in needed.items()])
        by_combination = {"+".join(known): percent_below(sizes[known], k, copies) for known, k in needed.items()}
        parts = {
            **{symbol: float(copies[smallest < size].sum()) for symbol, size in USUAL.items()},
            "KAC": float(classes_of(codes).count),
            "KAS": float(smallest.min()),
            **(by_combination if 1 < len(by_combination) <= MAX_LISTED else {}),
        }
        remarks = (identifying_keys_remark(names, codes, copies), worst_combination(by_combination))
        return Measurement(
            self.name(),
            self.symbol,
            mean_of_records(violates, copies),
            parts=parts,
            per_record=violates,
            remark="; ".join(remark for remark in remarks if remark),
        )


def _sizes_of(
    known: tuple[str, ...], names: tuple[str, ...], codes: CodeMatrix, missing: MissingKeys, copies: CodeColumn
) -> CodeColumn:
    """Return the size of each record's class by the keys that are known."""
    return class_sizes(codes if known == names else codes[[names.index(name) for name in known]], missing, copies)


def worst_combination(below: dict[str, float]) -> str:
    """Return a sentence that names the combination of keys with most violations; nothing where there is only one."""
    worst = max(below, key=lambda known: below[known])
    if len(below) == 1 or not below[worst]:
        return ""
    return f"of {len(below)} combinations of keys {worst} has most: {format_compact(below[worst], 3)} %"


def percent_below(sizes: CodeColumn, k: int, copies: CodeColumn) -> float:
    """Return the percent of records in classes of fewer than `k`; `copies` is how many each row stands for.

    Examples
    --------
    >>> percent_below(np.array([1, 3]), 2, np.array([1, 3]))
    25.0
    """
    return mean_of_records(np.where(sizes < k, 100.0, 0.0), copies)
