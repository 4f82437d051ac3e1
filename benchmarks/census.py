"""Census, the reference file that targets are stated for; rows that need it are left out where it is not at hand."""

from functools import cache

from sfumato.data import Microdata
from sfumato.datasets import reference, reference_folder
from sfumato.errors import FileError


@cache
def census() -> Microdata:
    """Return Census: 1080 records, 13 continuous columns."""
    return reference("census")


def is_at_hand(name: str = "census.csv") -> bool:
    """Tell whether a file or folder is in the folder that SFUMATO_DATA names."""
    try:
        return (reference_folder() / name).exists()
    except FileError:
        return False
