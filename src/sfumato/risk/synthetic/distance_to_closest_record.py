"""Distance to the closest record: near copies, and why their number proves nothing."""

from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import ControlledRisk, Measurement
from sfumato.data import Kind, Microdata
from sfumato.kernels.neighbours.capped_search import TIE, nearest_distances
from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.numerics.row_blocks import draw_rows
from sfumato.parameters import Columns
from sfumato.risk.synthetic._coded_files import CONTROL, ORIGINAL, SYNTHETIC, CodedFiles, code_files

NEAR = 0.05  # of the originals have another one so near
NO_PROOF = (
    "A described figure, no proof of safety: a file can give persons away without being near to them, as by one true "
    "value in a record of which all else was drawn; and a good model of a dense population is near to everybody"
)


class DistanceToClosestRecord(ControlledRisk):
    """Count the synthetic records that are nearer to an original than most originals are to each other.

    Of the original records 5 % have another one so near as the limit says, or nearer; the value is the percent of
    synthetic records that are nearer than this limit to some original: exact and near copies. About 5 is what persons
    of the same population have, so that the part `control`, the same for a control, tells what to expect. Parts:
    `DCRmedian`, the median distance of synthetic records from the original in percent of that of original records from
    each other; `closer` (with a control), the percent of synthetic records that are nearer to the original than to as
    many records of the control, of which 50 is expected.

    Numbers are compared by ranks, other values are equal or not; distances are sums over the columns. Files that were
    made by models pass such a test while other attacks succeed: `membership_inference`, `singling_out`, `linkability`
    and `inference` are held against a control and have error rates, so judge by them.

    Parameters
    ----------
    columns
        Columns of any kind.
    attacks
        How many records of each file are looked at, at most.
    seed
        Where the draw of these records begins, if there are more.

    Meaning
        0: no synthetic record is as near to an original as that. 100: all are. A high figure is a reason to look, a low
        one promises nothing.
    Intruder
        None: what is counted is nearness, not what anybody learns by it.
    Missing values
        Missing is a value of its own, and so is each code for it: as far from any other as two categories are.
    Source
        The figure is usual among vendors; why it misleads: Yao, Krčo, Ganev and de Montjoye (2025), The DCR delusion:
        measuring the privacy risk of synthetic data; Ganev and De Cristofaro (2023), On the inadequacy of
        similarity-based privacy metrics.

    Examples
    --------
    >>> import polars
    >>> people = Microdata(polars.DataFrame({"pay": [1.0, 2.0, 3.0, 5.0, 8.0], "tax": [1.0, 3.0, 2.0, 5.0, 4.0]}))
    >>> DistanceToClosestRecord(columns=("pay", "tax")).measure(people, people).value
    100.0
    """

    symbol: ClassVar[str] = "DCR"
    part_symbols: ClassVar[tuple[str, ...]] = ("DCRmedian",)
    family: ClassVar[str] = "synthetic"
    kinds: ClassVar[frozenset[Kind]] = frozenset(Kind)

    columns: Columns
    attacks: Annotated[int, Field(ge=2, le=1_000_000)] = 2000
    seed: Annotated[int, Field(ge=0)] = 0

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the percent of synthetic records that are near copies."""
        files = code_files(self, original, masked)
        people = files.ranks(ORIGINAL)
        among = nearest_distances(people, self._some(files, ORIGINAL), 2)[:, 1]  # the nearest is the record itself
        limit = float(np.quantile(among, NEAR))
        synthetic = self._some(files, SYNTHETIC)
        apart = nearest_distances(people, synthetic, 1)[:, 0]
        usual = float(np.median(among))
        parts = {"DCRmedian": 100 * float(np.median(apart)) / usual if usual > 0 else 100.0}
        if files.has_control:
            parts["control"] = _percent_nearer(nearest_distances(people, self._some(files, CONTROL), 1)[:, 0], limit)
            parts["closer"] = self._percent_closer(files, synthetic)
        value = _percent_nearer(apart, limit)
        return Measurement(self.name(), self.symbol, value, parts=parts, remark=NO_PROOF)

    def _percent_closer(self, files: CodedFiles, synthetic: FloatMatrix) -> float:
        """Return how many synthetic records are nearer to the original than to as many of the control; ties by half."""
        size = min(files.sizes[ORIGINAL], files.sizes[CONTROL])
        near, far = (
            nearest_distances(files.ranks(file)[draw_rows(files.sizes[file], size, self.seed)], synthetic, 1)[:, 0]
            for file in (ORIGINAL, CONTROL)
        )
        return 50 * float(np.mean((near < far - TIE).astype(float) + (near <= far + TIE)))

    def _some(self, files: CodedFiles, file: int) -> FloatMatrix:
        """Return the records to look at, whichever order the file has."""
        places = files.ranks(file)
        places = places[np.lexsort(places.T)]
        return places[draw_rows(len(places), self.attacks, self.seed)]


def _percent_nearer(distances: FloatColumn, limit: float) -> float:
    return 100 * float((distances < limit - TIE).mean())
