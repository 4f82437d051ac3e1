"""The questions of the benchmark asked by anonymeter, in a Python that has it: prints its risks and CPU seconds.

It needs versions of numpy that Sfumato does not run with, so it lives in an environment of its own. Called with the
folder of the files `people`, `others` and `made`, and the numbers of attacks: singling out, links, guesses of a column.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

import pandas as pd


def ask(folder: Path, singled: int, linked: int, guessed: int) -> dict[str, Any]:
    """Return the interval of each risk by the name of the figure, and the CPU seconds of all."""
    from anonymeter.evaluators import InferenceEvaluator, LinkabilityEvaluator, SinglingOutEvaluator

    original, control, synthetic = (
        pd.read_parquet(folder / f"{name}.parquet") for name in ("people", "others", "made")
    )
    sides = {"ori": original, "syn": synthetic, "control": control}
    names, numbers = list(original.columns), set(original.select_dtypes("number"))
    started, found = time.process_time(), {}
    for figure, mode in (("SOuni", "univariate"), ("SOmulti", "multivariate")):
        found[figure] = SinglingOutEvaluator(**sides, n_attacks=singled).evaluate(mode=mode).risk()
    halves = names[::2], names[1::2]
    found["LINK"] = LinkabilityEvaluator(**sides, n_attacks=linked, aux_cols=halves).evaluate(n_jobs=1).risk()
    for secret in names:
        attack = InferenceEvaluator(
            **sides,
            aux_cols=[name for name in names if name != secret],
            secret=secret,
            regression=secret in numbers,
            n_attacks=guessed,
        )
        found[secret] = attack.evaluate(n_jobs=1).risk()
    intervals = {name: [100 * risk.value, *(100 * end for end in risk.ci)] for name, risk in found.items()}
    return {"intervals": intervals, "seconds": time.process_time() - started}


if __name__ == "__main__":
    print(json.dumps(ask(Path(sys.argv[1]), *map(int, sys.argv[2:]))))
