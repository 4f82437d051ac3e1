"""Search for the best way to mask a file under limits: a space of candidates, a sampler, and what was found."""

from sfumato.study.search.default_space import default_space
from sfumato.study.search.interval import Interval, between
from sfumato.study.search.results import Search
from sfumato.study.search.run import search

__all__ = ["Interval", "Search", "between", "default_space", "search"]
