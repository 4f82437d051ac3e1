"""DiSCO: what the synthetic records with somebody's keys agree on, and is true of the person."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import ControlledRisk, Measurement
from sfumato.data import Kind, Microdata, Selector, role
from sfumato.display import format_percent
from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, CodeColumn, Hashes
from sfumato.parameters import Columns, Given
from sfumato.risk.synthetic._coded_files import (
    CONTROL,
    ORIGINAL,
    SYNTHETIC,
    CodedColumn,
    CodedFiles,
    code_files,
    hash_records,
    persons_tried,
)
from sfumato.risk.synthetic._copies import measure_worst_copy
from sfumato.risk.synthetic._rates import Attack, finds_leak, verdict


class Disco(ControlledRisk):
    """Count the persons about whom all synthetic records with their keys say the same, and say it right.

    DiSCO stands for disclosive in synthetic, correct in original. An intruder looks up the synthetic records that have
    the keys of a person. Where all of them have the same confidential value, it is attributed to the person. The value
    is the percent of original records that this is done to and that have the value indeed, for the confidential column
    that has most of them. Parts are the columns, and of that column, in percent of the original records: `iS`, whose
    keys some synthetic record has, whatever the column; `DiS`, to whom a value is attributed, rightly or not; and
    `Dorig`, to whom the original itself would attribute one. Where there are several confidential columns, `DiS` and
    `Dorig` of each are parts, too, as `job (DiS)`. Of several copies in one file, each confidential column has the
    figures of the copy that tells most of it, or of all together where that is more, and their mean, as
    `job (mean of the copies)`.

    Parameters
    ----------
    columns
        The keys (quasi-identifiers) that the intruder knows.
    sensitive
        The confidential columns.
    classes
        Into how many classes of equal size in the original a continuous column is cut, key or confidential, if it has
        more values than that. Figures so differ from those of synthpop for exact ages or amounts; as many classes as a
        column has values leave it as it is.

    Meaning
        0: nothing right is attributed to anybody. 100: everybody's value is. A rule that holds in the population, such
        as that children are not married, counts too, whoever was in the file: the excess over the control is what the
        file gives away. A leak is called found where chance alone would show so much more than in the control in fewer
        than 2 of 1,000 files, however many columns there are.
    Intruder
        Knows the keys of a person exactly and believes what all synthetic records with these keys agree on.
    Missing values
        Missing is a category of its own, and so is each code for it.
    Source
        Raab, Nowok and Dibben (2024), Practical privacy metrics for synthetic data; as in the package synthpop.

    Examples
    --------
    >>> import polars
    >>> people = Microdata(polars.DataFrame({"town": ["A", "A", "B", "C"], "ill": ["no", "no", "yes", "no"]}))
    >>> made = Microdata(polars.DataFrame({"town": ["A", "A", "B", "B"], "ill": ["no", "no", "no", "yes"]}))
    >>> found = Disco(columns=("town",), sensitive=("ill",)).measure(people, made)
    >>> found.value, dict(found.parts)
    (50.0, {'ill': 50.0, 'iS': 75.0, 'DiS': 50.0, 'Dorig': 100.0})
    """

    symbol: ClassVar[str] = "DiSCO"
    part_symbols: ClassVar[tuple[str, ...]] = ("iS", "DiS", "Dorig")
    family: ClassVar[str] = "synthetic"
    kinds: ClassVar[frozenset[Kind]] = frozenset(Kind)

    columns: Columns = role("key")
    sensitive: Given = role("confidential")
    classes: Annotated[int, Field(ge=2, le=1000)] = 20

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the percent of persons to whom the synthetic file attributes the right value."""
        targets = self._secrets(original, masked, self.common_columns(original, masked))
        return measure_worst_copy(
            original, masked, self._measure_copy, lambda found, copies: _parts_by_target(targets, found, copies)
        )

    def _measure_copy(self, original: Microdata, masked: Microdata, files_tried: int) -> Measurement:
        names = self.common_columns(original, masked)
        secrets = self._secrets(original, masked, names)
        both = self.replace(columns=(*names, *secrets))
        both._control = self._control
        files = code_files(both, original, masked)
        keys = _key_hashes(files, names, self.classes)
        classes = {column.name: _classes(column, self.classes) for column in files.columns[len(names) :]}
        attributed = {
            name: [_attribution(keys, codes, file) for file in range(len(files.sizes))]
            for name, codes in classes.items()
        }
        attacks = {name: self._attack(files, found) for name, found in attributed.items()}
        worst = max(attacks, key=lambda name: attacks[name].rate)
        shares = {
            name: {"DiS": found[ORIGINAL][1], "Dorig": _agreeing(keys[ORIGINAL], classes[name][ORIGINAL])}
            for name, found in attributed.items()
        }
        parts = {
            **{name: attack.rate for name, attack in attacks.items()},
            "iS": 100 * float(attributed[worst][ORIGINAL][0].mean()),
            **{part: 100 * float(rows.mean()) for part, rows in shares[worst].items()},
            **{
                f"{name} ({part})": 100 * float(rows.mean())
                for name, of_column in shares.items()
                for part, rows in of_column.items()
                if len(shares) > 1
            },
            **{f"{name} (control)": attack.control_rate for name, attack in attacks.items() if attack.control_tried},
        }
        shows_leak = (
            finds_leak([attack.chance for attack in attacks.values()], files_tried) if files.has_control else None
        )
        found = (
            f"by the keys {', '.join(names)}, {worst} is attributed rightly to {format_percent(attacks[worst].rate)} "
            f"of the persons in the file"
        )
        if files.has_control:
            found += f" and {format_percent(attacks[worst].control_rate)} of the others"
        return Measurement(
            self.name(),
            self.symbol,
            attacks[worst].rate,
            parts=parts,
            remark=verdict(shows_leak, found),
            shows_leak=shows_leak,
            trials=persons_tried(files, max(files.sizes), len(attacks)),
        )

    def _secrets(self, original: Microdata, masked: Microdata, keys: tuple[str, ...]) -> tuple[str, ...]:
        names = original.select(self.sensitive)
        if isinstance(self.sensitive, Selector):
            names = tuple(name for name in names if name not in keys and name in masked.schema)
        if not names:
            raise DataError(f"Disco.sensitive: {self.sensitive} picks no column beside the keys; name the columns")
        repeated = [name for name in names if name in keys]
        if repeated:
            raise DataError(f"Disco.sensitive: '{repeated[0]}' is also in columns; name it in one of the two")
        return names

    def _attack(self, files: CodedFiles, found: list[tuple[Booleans, Booleans, Booleans]]) -> Attack:
        right = [correct.astype(np.float64) for _, _, correct in found]
        return Attack.of(right[ORIGINAL], right[CONTROL] if files.has_control else None, files.households)


def _parts_by_target(targets: Sequence[str], found: Sequence[Measurement], copies: int) -> dict[str, float]:
    """Return the parts of each target from the file that tells most of it, and its mean over the copies."""
    parts: dict[str, float] = {}
    for name in targets:
        worst = max(found, key=lambda one: one.parts[name])
        own = (name, *(f"{name} ({part})" for part in ("DiS", "Dorig", "control")))
        parts |= {part: worst.parts[part] for part in own if part in worst.parts}
        if len(targets) > 1:
            parts[f"{name} (mean of the copies)"] = float(np.mean([one.parts[name] for one in found[:copies]]))
    return parts


def _classes(column: CodedColumn, classes: int) -> list[CodeColumn]:
    """Return the codes of all files, those of numbers joined into classes of equal size in the original."""
    if not column.is_number or column.different.size <= classes:
        return list(column.codes)
    known = np.sort(column.codes[ORIGINAL][column.codes[ORIGINAL] >= 0])
    cuts = known[(np.arange(1, classes) * known.size) // classes]
    return [np.where(codes < 0, codes, np.searchsorted(cuts, codes, side="right")) for codes in column.codes]


def _key_hashes(files: CodedFiles, names: tuple[str, ...], classes: int) -> list[Hashes]:
    """Return a hash of the keys of each record, by file."""
    coded = [_classes(column, classes) for column in files.columns[: len(names)]]
    return [hash_records([column[file] for column in coded]) for file in range(len(files.sizes))]


def _attribution(keys: list[Hashes], values: list[CodeColumn], file: int) -> tuple[Booleans, Booleans, Booleans]:
    """Tell for each record of a file whether synthetic ones have its keys, agree on a value, and are right."""
    order = np.lexsort((values[SYNTHETIC], keys[SYNTHETIC]))
    groups, first = np.unique(keys[SYNTHETIC][order], return_index=True)
    last = np.append(first[1:], order.size) - 1
    lowest, highest = values[SYNTHETIC][order][first], values[SYNTHETIC][order][last]
    place = np.minimum(np.searchsorted(groups, keys[file]), groups.size - 1)
    is_there = groups[place] == keys[file]
    is_attributed = is_there & (lowest == highest)[place]
    return is_there, is_attributed, is_attributed & (lowest[place] == values[file])


def _agreeing(keys: Hashes, values: CodeColumn) -> Booleans:
    """Tell for each record whether all with its keys have one value."""
    return _attribution([keys, keys], [values, values], ORIGINAL)[1]
