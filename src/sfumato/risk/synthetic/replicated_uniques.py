"""Replicated uniques: combinations of keys that one original and one synthetic record have."""

from typing import ClassVar

import numpy as np

from sfumato.contracts import JOINT_QUESTIONS, ControlledRisk, Measurement, Trials
from sfumato.data import Kind, Microdata, role
from sfumato.display import format_percent
from sfumato.numerics.arrays import Hashes
from sfumato.numerics.hashing import is_among, unique_hashes
from sfumato.numerics.row_blocks import draw_rows
from sfumato.parameters import Columns
from sfumato.risk.synthetic._coded_files import CONTROL, ORIGINAL, SYNTHETIC, code_files
from sfumato.risk.synthetic._copies import measure_worst_copy
from sfumato.risk.synthetic._rates import Attack, finds_leak, verdict


class ReplicatedUniques(ControlledRisk):
    """Count the persons, unique by their keys, whose keys just one synthetic record has.

    The value, `repU` of the source, is the percent of original records whose combination of keys is unique in the
    original and in the synthetic file. Parts in percent, named as there: `UiO`, the original records that are unique;
    `UiS`, the synthetic ones; and `UiOiS`, the original records that are unique and whose keys some synthetic record
    has, however many do. With a control, the part `control` is the percent of its persons of whom the same is so, and
    the part `original` the percent of as many of the original.

    Parameters
    ----------
    columns
        The keys (quasi-identifiers). Each value of a continuous column counts as a category.

    Meaning
        0: nobody who is unique by the keys is unique in the synthetic file. 100: everybody is. It does not say that the
        rest of the record is true; and where keys are few, anybody's turn up by chance: the control says how many. A
        leak is called found where chance alone would show so many more than in it in fewer than 2 of 1,000 files.
    Intruder
        Knows the keys of a person, finds them once in the synthetic file, and believes that this is the person.
    Missing values
        Missing is a category of its own, and so is each code for it.
    Source
        Raab, Nowok and Dibben (2024), Practical privacy metrics for synthetic data; as in the package synthpop.

    Examples
    --------
    >>> import polars
    >>> people = Microdata(polars.DataFrame({"age": [31, 45, 45, 62], "town": ["A", "B", "B", "C"]}))
    >>> made = Microdata(polars.DataFrame({"age": [31, 45, 62, 62], "town": ["A", "B", "C", "C"]}))
    >>> found = ReplicatedUniques(columns=("age", "town")).measure(people, made)
    >>> found.value, dict(found.parts)
    (25.0, {'UiO': 50.0, 'UiS': 50.0, 'UiOiS': 50.0})
    """

    symbol: ClassVar[str] = "repU"
    part_symbols: ClassVar[tuple[str, ...]] = ("UiO", "UiS", "UiOiS")
    family: ClassVar[str] = "synthetic"
    kinds: ClassVar[frozenset[Kind]] = frozenset(Kind)

    columns: Columns = role("key")

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the percent of original records that are unique in both files."""
        return measure_worst_copy(original, masked, self._measure_copy)

    def _measure_copy(self, original: Microdata, masked: Microdata, files_tried: int) -> Measurement:
        files = code_files(self, original, masked)
        before, after = files.hashes(ORIGINAL), files.hashes(SYNTHETIC)
        uniques, synthetic_uniques = unique_hashes(before), unique_hashes(after)
        value = 100 * _replicated(before, synthetic_uniques) / before.size
        parts = {
            "UiO": 100 * uniques.size / before.size,
            "UiS": 100 * synthetic_uniques.size / after.size,
            "UiOiS": 100 * float(is_among(uniques, np.sort(after)).sum()) / before.size,
        }
        keys, shows_leak = f"by the keys {', '.join(files.names)}", None
        found = f"{keys}, {format_percent(value)} of the persons are unique in both files"
        trials = Trials("persons", before.size)
        if files.has_control:
            size = min(files.sizes[ORIGINAL], files.sizes[CONTROL])  # how many are unique depends on it
            drawn = [files.hashes(file)[draw_rows(files.sizes[file], size, 0)] for file in (ORIGINAL, CONTROL)]
            counts = [_replicated(hashes, synthetic_uniques) for hashes in drawn]
            attack = Attack(counts[0], size, counts[1], size)
            shows_leak = finds_leak([attack.chance], files_tried)
            joint = attack.interval_of_worst(JOINT_QUESTIONS * files_tried)
            trials = Trials("persons", size, size, joint_interval=joint)
            parts |= {"original": attack.rate, "control": attack.control_rate}
            low, high = attack.interval_of_worst(files_tried)
            found = (
                f"{keys}, of {size:,} persons in the file {format_percent(attack.rate)} are unique and found once, of "
                f"as many others {format_percent(attack.control_rate)}: an excess risk of "
                f"{format_percent(attack.risk)}, between {format_percent(low)} and {format_percent(high)} "
                f"with 95 % confidence"
            )
        return Measurement(
            self.name(),
            self.symbol,
            value,
            parts=parts,
            remark=verdict(shows_leak, found),
            shows_leak=shows_leak,
            trials=trials,
        )


def _replicated(hashes: Hashes, synthetic_uniques: Hashes) -> int:
    return int(is_among(unique_hashes(hashes), synthetic_uniques).sum())
