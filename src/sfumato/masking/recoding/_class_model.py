"""What a class of records with equal keys must be like before it may be released."""

from dataclasses import dataclass, field
from math import ceil, log

import numpy as np

from sfumato.kernels.keys.lattice_classes import class_states
from sfumato.masking.recoding._key_lattice import Parts
from sfumato.numerics.arrays import FloatColumn


@dataclass(frozen=True, eq=False)
class ClassModel:
    """The conditions on a class: k-anonymity, and of its sensitive values l-diversity and t-closeness.

    Parameters
    ----------
    k
        The least number of records.
    l
        The least number of different sensitive values.
    entropy_l
        The number of equally frequent values that would have the least entropy.
    recursive_cl
        c and l: the most frequent value must have fewer records than c times those from the l-th most frequent on.
    t
        The largest distance between the distribution of the values in the class and in the file.
    overall
        The distribution of the values in the file.
    is_ordered
        Whether the distance follows the order of the values.
    """

    k: int
    l: int = 0
    entropy_l: float = 1.0
    recursive_cl: tuple[float, int] = (0.0, 0)
    t: float = 1.0
    overall: FloatColumn = field(default_factory=lambda: np.ones(1))
    is_ordered: bool = False

    @property
    def different(self) -> int:
        """How many different values each of the conditions asks for at least."""
        return max(self.l, ceil(self.entropy_l - 1e-9) if self.entropy_l > 1 else 0, self.recursive_cl[1])

    def states(self, parts: Parts) -> np.ndarray[tuple[int], np.dtype[np.int8]]:
        """Return for each class whether it is unsafe, nearly safe or safe."""
        return class_states(
            parts.starts,
            parts.values,
            parts.sizes,
            self.k,
            self.different,
            log(self.entropy_l),
            *self.recursive_cl,
            self.t,
            self.is_ordered,
            self.overall,
        )
