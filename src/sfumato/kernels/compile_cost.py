"""Whether a quick loop is worth compiling, where a plain one gives the same.

A loop of many parts takes seconds to compile. On a machine that has not done so yet, small data are done sooner by the
plain loop; it is used until it has cost about as much as compiling would have.
"""

from collections.abc import Callable
from typing import Any

from numba.core.registry import cpu_target

from sfumato.kernels.code_cache import LoopCache


class CompileCost:
    """What it costs to compile a loop, and what has been spent so far on doing without it.

    Parameters
    ----------
    loop
        The quick loop.
    seconds
        How long it takes to compile, about.
    """

    def __init__(self, loop: Callable[..., Any], seconds: float) -> None:
        self._loop = loop
        self._left = seconds

    def is_worth(self, seconds: float) -> bool:
        """Tell whether to take the quick loop, where the plain one would take so many seconds."""
        if self._left > 0 and is_compiled(self._loop):
            self._left = 0.0
        self._left -= seconds
        return self._left <= 0


def is_compiled(loop: Callable[..., Any]) -> bool:
    """Tell whether a loop was compiled, by this process or by an earlier one that left its machine code."""
    overloads = getattr(loop, "overloads", None)
    if overloads is None or overloads:  # None where NUMBA_DISABLE_JIT is set: there is nothing to compile
        return True
    cache = getattr(loop, "_cache", None)
    return isinstance(cache, LoopCache) and cache.holds_code_for(cpu_target.target_context.codegen().magic_tuple())
