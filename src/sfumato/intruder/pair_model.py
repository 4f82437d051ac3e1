"""What an intruder can tell of pairs of records: how likely each masked record is to come from each original one."""

from dataclasses import dataclass, replace

from sfumato.contracts import Likelihood
from sfumato.numerics.arrays import CodeColumn

FROM_PAIRS = "learnt from true pairs of the two files"


@dataclass(frozen=True, eq=False)
class Model:
    """How likely each masked record is to come from each original one.

    Parameters
    ----------
    original_blocks, masked_blocks
        The block of each record; records of two blocks are not the same person.
    likelihood
        The coordinates in which records of one block are compared.
    is_proven
        Whether no rule that uses the same knowledge links more records, row by row: each record was masked
        independently of the others, and by known densities.
    remarks
        What to know of how the model was made.
    is_blurred
        Whether a step states a density that is not used, as others follow it.
    unused
        Columns that the recipe makes and the original lacks: nothing is taken from them.
    in_households
        The likelihood of members where whole households are compared, if it is another one: what changes for all of
        them together counts once, in equal shares.
    """

    original_blocks: CodeColumn
    masked_blocks: CodeColumn
    likelihood: Likelihood
    is_proven: bool
    remarks: tuple[str, ...]
    is_blurred: bool = False
    unused: tuple[str, ...] = ()
    in_households: Likelihood | None = None

    @property
    def has_misfit(self) -> bool:
        """Whether something of it was learnt from true pairs, as no recipe was given or none that fits."""
        return any(FROM_PAIRS in remark for remark in self.remarks)

    def with_coordinates(self, more: Likelihood) -> "Model":
        """Return the model with further coordinates, of members of households too."""
        in_households = None if self.in_households is None else self.in_households + more
        return replace(self, likelihood=self.likelihood + more, in_households=in_households)

    @property
    def of_members(self) -> Likelihood:
        """The likelihood of members where whole households are compared."""
        return self.likelihood if self.in_households is None else self.in_households
