"""What every function that takes files or a generator asks of them."""

import numpy as np

from sfumato.data import Microdata
from sfumato.errors import ParameterError


def check_files(who: str, **files: Microdata) -> None:
    """Refuse what is no Microdata, such as the dataframe that one is made from."""
    for name, data in files.items():
        if not isinstance(data, Microdata):
            raise ParameterError(
                [f"{who}.{name} must be a Microdata, as Microdata(frame) makes it; got a {type(data).__name__}"]
            )


def check_generator(who: str, rng: np.random.Generator) -> None:
    """Refuse what is no generator of numpy: a seed, or the module's own randomness, which nobody could repeat."""
    if not isinstance(rng, np.random.Generator):
        seed = f"{rng}" if isinstance(rng, int) else "SEED"
        raise ParameterError(
            [f"{who}.rng must be a generator, as numpy.random.default_rng({seed}); got {_described(rng)}"]
        )


def _described(rng: object) -> str:
    return f"the number {rng}" if isinstance(rng, int) else f"a {type(rng).__name__}"
