"""What a file gives away by its keys, and how many are left to whoever reads other columns, too."""

from dataclasses import dataclass, field

from sfumato.data import Microdata
from sfumato.keys.findings.exposure import telling_exposure
from sfumato.keys.findings.key_findings import KeyFindings
from sfumato.keys.findings.sides_by_keys import SidesByKeys
from sfumato.numerics.arrays import FloatColumn
from sfumato.reports.checked_limits import CheckedLimit
from sfumato.reports.risk_report import RiskReport

SAFE_COUNT = 10  # left of whom a page calls the file safe: a chance of at most 10 %


@dataclass(frozen=True, eq=False)
class KeyRisk:
    """What a file gives away by its keys.

    Parameters
    ----------
    report, risks
        The report on it, and the risk of each record in percent.
    held
        The limits on its figures, those on k held against all that the file tells.
    findings
        What the file tells beside the keys, where that was counted for this k.
    sides
        How many records fit each person by the keys, and how many persons each record; None where nobody knows what
        became of a person's keys.
    left_by_columns
        How many are left to whoever reads other columns, too, at least: counted up to k, or up to 10 where so many are
        left by the keys; None where it was not looked for.
    found_by_fit
        How many persons are found by the keys of their whole household alone; None where the file tells no households.
    sides_by_size
        Both counts again, by the keys and the number of persons in the household; None where the file does not show
        that number.
    """

    report: RiskReport
    risks: FloatColumn = field(repr=False)
    held: tuple[CheckedLimit, ...] = ()
    findings: KeyFindings | None = None
    sides: SidesByKeys | None = field(default=None, repr=False)
    left_by_columns: int | None = None
    found_by_fit: int | None = None
    sides_by_size: SidesByKeys | None = field(default=None, repr=False)

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of the keys."""
        return tuple(name for name, _ in self.report.keys)


def count_left(aligned: Microdata, released: Microdata, after: KeyRisk, findings: KeyFindings) -> int:
    """Return how many are left by keys and other columns, counted up to what is asked for, or what is called safe."""
    known = findings.fewest(is_strict=False)
    left = findings.k if known is None else min(known, findings.k)
    sides = after.sides
    if left < findings.k or findings.k >= SAFE_COUNT or sides is None:
        return left
    if min(sides.fewest_records, sides.fewest_persons) < SAFE_COUNT:
        return left
    exposure = telling_exposure(released, after.keys, SAFE_COUNT, aligned)
    counts = (exposure.smallest, None if exposure.side is None else exposure.side.fewest)
    return min([SAFE_COUNT, *(one for one in counts if one is not None)])
