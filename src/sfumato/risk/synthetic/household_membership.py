"""Household membership: whether a household is among those that a synthetic file was made from."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, ClassVar

from pydantic import Field

from sfumato.contracts import ControlledRisk, Measurement
from sfumato.data import Kind, Microdata, role
from sfumato.errors import DataError
from sfumato.keys.households import Households, households_of
from sfumato.parameters import Columns
from sfumato.risk.synthetic._coded_files import code_files
from sfumato.risk.synthetic._household_records import household_files
from sfumato.risk.synthetic._membership_figures import measure_copies, measure_membership

NO_CONTROL = (
    "Without a control it cannot be told which households are taken for members wrongly: these are the households, "
    "unique in the original, all of whose members stand together in the file"
)


class HouseholdMembership(ControlledRisk):
    """Tell households that the file was made of apart from others by the strongest of seven attacks.

    As `MembershipInference`, with whole households in the place of persons: their size, and the columns of up to four
    members beside each other, in the order of their values. The attack by exact copies asks for a synthetic household
    all of whose members, however many, are equal. The value is the percent of households that are found where 1 % of
    the others are taken for members. Parts, each of the strongest attack: `HMIAauc`, the area under the curve in
    percent, 50 where nothing is learnt; `HMIAtenth`, the households found where .1 % of the others are taken for
    members; `HMIAeps`, what epsilon is at least; `HMIAlow`, the lower end of the interval of the value. Without a
    control, the value is the percent of households, unique in the original, that are copied whole.

    Parameters
    ----------
    columns
        Columns of any kind, of persons or of households.
    household
        The column that says which household a record belongs to, in all files; that of the role household when not
        given.
    attacks
        How many households of each file are asked about at most; all of a smaller file.
    seed
        Where the draws of households and halves begin.

    Meaning
        1: guessing finds so many, so nothing is learnt. 100: every household in the file is found. When a leak or a
        trace is called found is as for `MembershipInference`.
    Intruder
        Knows all columns of all members of a household exactly, has a sample of other households, and sees the
        synthetic file. Who lives with whom is known to neighbours; a household is rarer than each of its members.
    Missing values
        Missing is a value of its own, and so is each code for it. A record without a household is one on its own.
    Source
        As for `MembershipInference`; that whoever finds one member finds the household: Hundepool and others (2012),
        Statistical disclosure control, on household risk.

    Examples
    --------
    >>> import polars
    >>> people = Microdata(polars.DataFrame({"home": [1, 1, 2, 2], "age": [30, 5, 40, 41]}))
    >>> made = Microdata(polars.DataFrame({"home": [7, 8, 8, 9], "age": [40, 5, 30, 41]}))
    >>> HouseholdMembership(columns=("age",), household="home").measure(people, made).value
    50.0
    """

    symbol: ClassVar[str] = "HMIA"
    part_symbols: ClassVar[tuple[str, ...]] = ("HMIAauc", "HMIAtenth", "HMIAeps", "HMIAlow")
    part_units: ClassVar[Mapping[str, str]] = MappingProxyType({"HMIAeps": ""})
    family: ClassVar[str] = "synthetic"
    kinds: ClassVar[frozenset[Kind]] = frozenset(Kind)

    columns: Columns
    household: str | None = None
    attacks: Annotated[int, Field(ge=2, le=1_000_000)] = 20_000
    seed: Annotated[int, Field(ge=0)] = 0

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the percent of households found at 1 % false positives."""
        persons = code_files(self, original, masked)
        named = {"the original": original, "the masked file": masked}
        if self._control is not None:
            named["the control"] = self._control
        files = household_files(persons, [self._households(original, file, data) for file, data in named.items()])
        if not files.has_control:
            return measure_copies(self, files, NO_CONTROL)
        return measure_membership(self, files, self.attacks, self.seed, "households")

    def _households(self, original: Microdata, file: str, data: Microdata) -> Households:
        names = original.select(role("household")) if self.household is None else (self.household,)
        if len(names) != 1:
            came = "no column has" if not names else "several columns have"
            raise DataError(
                f"{type(self).__name__}.household: {came} the role household; name the one that tells who lives "
                f"together"
            )
        if names[0] not in data.schema:
            raise DataError(f"{type(self).__name__}.household: {file} has no column '{names[0]}'")
        return households_of(data, names)
