"""Searches on few records, so that each takes a moment."""

from typing import Any

from sfumato.data import Microdata
from sfumato.study.search import Search, between, search
from tests.study.examples import people

COLUMNS = ["income", "tax"]
SWAPPING = {"rank_swapping": {"columns": COLUMNS, "window": between(1, 60)}}
GROUPING = {"mdav": {"columns": COLUMNS, "k": between(2, 40, logarithmic=True)}}
SPACE = [SWAPPING, GROUPING]
WINDOWS = {"rank_swapping": {"columns": COLUMNS, "window": "range(1, 40)"}}


def searched(space: Any = None, data: Microdata | None = None, **asked: Any) -> Search:
    """Return a search with usual settings for whatever is not asked."""
    usual = {"limits": ["DLD<=10"], "minimise": "IL", "trials": 20, "seed": 7, "workers": 1}
    return search(people() if data is None else data, SPACE if space is None else space, **{**usual, **asked})
