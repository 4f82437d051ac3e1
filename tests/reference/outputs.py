"""What every method, measure and improver gives on made data, as digests: a move of code must not change a number.

`python -m tests.reference.outputs` prints the digests; `outputs.json` keeps those of the time before the last move.
Numbers count to nine digits, as the last ones depend on the processor's order of adding.
"""

import hashlib
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from sfumato.contracts import MaskingMethod, Measure, Named
from sfumato.data import Microdata
from sfumato.improve import IMPROVERS
from sfumato.masking import AdditiveNoise, BlockedMicroaggregation, CorrelatedNoise, InvariantPram, RankSwapping
from tests.assessment.examples import EXAMPLES as MEASURES
from tests.assessment.examples import pair
from tests.masking.examples import EXAMPLES as METHODS
from tests.masking.examples import MONEY
from tests.masking.survey import SCHEMA, run, survey, surveyed

DIGITS = 9
DATES = ("born", "admitted")
Example = TypeVar("Example", bound=Named)
LARGE = 70_000  # records: more than one block of rows
IN_BLOCKS: list[MaskingMethod] = [
    AdditiveNoise(columns=("income",), scale=0.5),
    BlockedMicroaggregation(columns=("income",)),
    CorrelatedNoise(columns=("income",), variance_ratio=0.5),
    InvariantPram(columns=("region",)),
    RankSwapping(columns=("income",), window=10),
]


def digests(digits: int = DIGITS) -> dict[str, str]:
    """Return the digest of every output by the name of what gives it and the place among its examples."""
    os.environ["SFUMATO_TEST_KEY"] = "the key of the examples"
    dated, large = surveyed("polars"), Microdata(survey(LARGE), SCHEMA).without_columns(DATES)
    small = dated.without_columns(DATES)  # the digests of other methods are of a survey without dates
    original, masked = pair()
    found = _numbered(METHODS, lambda method: _table(run(method, dated if method.family == "dates" else small), digits))
    in_blocks = _numbered(IN_BLOCKS, lambda method: _table(run(method, large), digits))
    found |= {f"{name} in blocks": digest for name, digest in in_blocks.items()}
    found |= _numbered(MEASURES, lambda measure: _figures(measure, original, masked, digits))
    found |= _numbered(
        [improver(columns=MONEY) for improver in IMPROVERS.values()],
        lambda improver: _table(improver.improve(original, masked, np.random.default_rng(3)).data, digits),
    )
    return found


def _numbered(examples: Sequence[Example], text: Callable[[Example], str]) -> dict[str, str]:
    places: Counter[str] = Counter()
    found = {}
    for example in examples:
        name = type(example).name()
        found[f"{name} {places[name]}"] = hashlib.sha256(text(example).encode()).hexdigest()[:16]
        places[name] += 1
    return found


def _table(data: Microdata, digits: int) -> str:
    return "\n".join(f"{name}: {_line(data.table[name].to_list(), digits)}" for name in sorted(data.table.columns))


def _figures(measure: Measure, original: Microdata, masked: Microdata, digits: int) -> str:
    measured = measure.measure(original, masked)
    records = [] if measured.per_record is None else measured.per_record.tolist()
    return _line([measured.value, *measured.parts.values(), *records], digits)


def _line(values: list[object], digits: int) -> str:
    return ", ".join(f"{value:.{digits}g}" if isinstance(value, float) else str(value) for value in values)


if __name__ == "__main__":
    digits = int(sys.argv[1]) if len(sys.argv) > 1 else DIGITS
    sys.stdout.write(json.dumps(digests(digits), indent=0, sort_keys=True) + "\n")
