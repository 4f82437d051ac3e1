"""How many persons the population has that a file is a sample of."""

from typing import Annotated

from pydantic import Field

from sfumato.data import Microdata
from sfumato.errors import DataError
from sfumato.keys.classes import sampling_weights

PopulationSize = Annotated[float, Field(gt=0)] | None
"""The number of persons in the population, where it is given."""

WHOLE = "without weights or a population the file counts as the whole population: give one of them if it is a sample"


def population_size(who: str, data: Microdata, weight: str | None, given: PopulationSize) -> tuple[float, str]:
    """Return the number given, else the sum of the weights, else the number of records; and what is to be said of it.

    Parameters
    ----------
    who
        Whose parameters they are, for messages.
    data
        The file.
    weight
        The column of the weights; that of the role weight when not given.
    given
        The number of persons, where it is given.
    """
    if given is not None:
        if given < data.n:
            raise DataError(
                f"{who}.population_size must be no less than the number of records, {data.n}; got {given:g}: give the "
                f"number of persons that the sample was drawn from"
            )
        return float(given), ""
    weights = sampling_weights(who, data, weight)
    return (float(data.n), WHOLE) if weights is None else (float(weights.sum()), "")
