"""Put improved values back into the file, and say what came out."""

import numpy as np

from sfumato.contracts import Improver
from sfumato.contracts.improvement import Improvement, ImprovementEnding
from sfumato.data import Microdata
from sfumato.display import format_compact
from sfumato.improve._moment_climb import TOLERANCE
from sfumato.improve._problem import Problem
from sfumato.numerics.arrays import FloatColumn, FloatMatrix, Rows

RISKY = 0.9  # an IL1 below this part of what was aimed at means more risk than was asked for


def build_improvement(
    improver: Improver,
    masked: Microdata,
    problem: Problem,
    values: FloatMatrix,
    ended: ImprovementEnding,
    trace: tuple[Rows, FloatColumn, FloatColumn],
    aim: float | None,
    remarks: tuple[str, ...],
) -> Improvement:
    """Return the masked file with new values where they differ; what did not change is as it was to the last bit."""
    differs = (values != problem.masked) & problem.complete[:, None]
    columns = np.flatnonzero(differs.any(axis=0))
    names = tuple(problem.names[column] for column in columns)
    data = masked.map_matrix(names, lambda _: values[:, columns]) if names else masked
    records = int(np.count_nonzero(differs.any(axis=1)))
    return Improvement(data, improver.name(), ended, *trace, aimed_loss=aim, records=records, remarks=remarks)


def aim_remark(loss: float, aim: float) -> tuple[str, ...]:
    """Return a sentence if IL1, in percent, did not come near to what was aimed at."""
    if abs(loss - aim) <= TOLERANCE * aim * (1 + 1e-9):
        return ()
    nearer = ": the records are nearer to original ones than asked for, which is a risk" if loss < RISKY * aim else ""
    return (f"IL1 is {format_compact(loss, 4)} % where {format_compact(aim, 4)} % was aimed at{nearer}",)
