"""Search for the best way to mask a file under limits: a space of candidates, a sampler, and what was found."""

from sfumato.study.search.found import Search
from sfumato.study.search.interval import Interval, between
from sfumato.study.search.searching import search
from sfumato.study.search.usual_space import usual_space

__all__ = ["Interval", "Search", "between", "search", "usual_space"]
