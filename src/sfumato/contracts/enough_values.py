"""Refuse columns with so few values that a method would leave them as they are."""

from sfumato.data import Microdata
from sfumato.errors import DataError


def check_enough(who: str, block: Microdata, names: tuple[str, ...], fewest: int = 2) -> None:
    """Refuse a column of the file, or of a stratum, that has a value but fewer than `fewest` of them."""
    for name in names:
        if 0 < block.summary.observed(name) < fewest:
            raise DataError(
                f"{who} needs at least {fewest} values in '{name}', in the file and in each stratum, "
                f"and might leave fewer as they are; join strata or leave the column out"
            )
