"""Numbers of text files that could be others with another decimal mark."""

from sfumato.data import Microdata
from sfumato.data.inference import Guess
from sfumato.files import WriteOptions

DECIMAL_DOUBTS = (
    "each of its numbers has three digits behind the point, read as decimals; if the point stands between thousands, "
    "give the option decimal with ','",
    "its commas were taken to stand between thousands; if they stand before decimals, give the option decimal with ','",
)


def number_doubts(data: Microdata, dialect: WriteOptions) -> dict[str, Guess]:
    """Return what is in doubt about numbers such as 1.234, which may be a little above 1 or above 1000."""
    presumed = {name: layout for name, layout in (dialect.numbers or {}).items() if layout.is_presumed}
    return {
        name: Guess(data.schema[name], DECIMAL_DOUBTS[layout.thousands is not None])
        for name, layout in presumed.items()
    }
