"""Keep machine code on disk together with a digest of all sources it was made from.

Numba looks only at the file of the outermost loop. A loop contains the loops it calls and the constants it imports, so
its machine code is of use only while the files of those are the same too.
"""

import re
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from pickle import PickleError
from typing import Any, NamedTuple

from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.environment import Environment, lookup_environment
from numba.core.runtime.nrt import rtsys

IMPORTS = re.compile(r"^[ \t]*(?:from[ \t]+(\S+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)|import[ \t]+([^\n]*))", re.M)
WORD = re.compile(r"[\w.]+")
UNREADABLE = (ImportError, AttributeError, EOFError, LookupError, TypeError, ValueError, PickleError)


class Source(NamedTuple):
    """The digest of a module's file, and the names that it may import: of modules, and of what is in them."""

    digest: bytes
    imports: frozenset[str]


_sources: dict[str, Source] = {}  # by module, as this process loaded it


class LeanEnvironment:
    """The environment of a function of numba's that a loop uses, such that reading it loads no module of numba's.

    The module would be there for code that looks up its globals, which compiled loops never do; those that find the
    smallest of an array, or a power, took a tenth of a second to read, for all that numba knows of linear algebra.
    """

    def __init__(self, environment: Environment) -> None:
        self._environment = environment

    def __reduce__(self) -> Any:
        module, constants, name = self._environment.__reduce__()[1]  # type: ignore[no-untyped-call]
        return _environment, (module, constants, name)


def _environment(module: str, constants: list[Any], name: str) -> Environment:
    """Return the environment that this process has by a name, or a new one that knows only whose it is."""
    found: Environment | None = lookup_environment(name)  # type: ignore[no-untyped-call]
    if found is None:
        found = Environment({"__name__": module})
        found.consts[:] = constants
        found.env_name = name
        Environment._memo[name] = found
    return found


class StampedCode(CompileResultCacheImpl):
    """Write a digest of the sources before the machine code, and read no code with another digest."""

    def __init__(self, loop: Callable[..., Any]) -> None:
        super().__init__(loop)  # type: ignore[no-untyped-call]
        self._digest = source_digest(loop.__module__)

    def reduce(self, data: Any) -> tuple[bytes, Any]:
        """Return what is kept of a compiled loop."""
        *parts, environments = super().reduce(data)  # type: ignore[no-untyped-call]
        return self._digest, (*parts, tuple(map(LeanEnvironment, environments)))

    def rebuild(self, target_context: Any, payload: tuple[Any, ...]) -> Any:
        """Return the compiled loop, or None where it was made from other sources: it is then compiled again."""
        if payload[0] != self._digest:
            return None
        return self.compile_result(target_context, payload[1])

    def compile_result(self, target_context: Any, kept: tuple[Any, ...]) -> Any:
        """Return the compiled loop from what is kept of it."""
        return super().rebuild(target_context, kept)  # type: ignore[no-untyped-call]


class LoopCache(FunctionCache):
    """Numba's cache of one loop, in which machine code made from other sources counts as missing."""

    _impl_class = StampedCode

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled loop for a signature, or None where there is none that can be read.

        What an earlier version left may name types by a module that is gone. Its index is then emptied. All that numba
        knows of types and functions is not loaded before, as numba does: only the compiler needs it, and loads it then.
        """
        from numba.cpython import hashing  # noqa: F401  # the secrets of this process, which code that hashes reads

        rtsys.initialize(target_context)  # the memory of arrays
        try:
            with self._guard_against_spurious_io_errors():
                return self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]
            return None
        except UNREADABLE:
            with suppress(OSError):
                self.flush()  # type: ignore[no-untyped-call]
            return None

    def holds_code_for(self, processor: tuple[str, ...]) -> bool:
        """Tell whether an earlier process left machine code of this loop for such a processor."""
        try:
            index = self._cache_file._load_index()  # type: ignore[no-untyped-call]
            return any(key[1] == processor for key in index)
        except (OSError, *UNREADABLE):
            return False


def source_digest(module: str) -> bytes:
    """Return a digest of the file of a module that is being loaded, and of all it imports from its own package.

    The file is read again where it changed, as the module may be loaded again. Of the modules it imports, the text
    counts that was read when their own loops were compiled: an edit since then is not in the code of this process.
    """
    _sources[module] = _source(module)
    package = module.partition(".")[0]
    found: set[str] = set()
    ahead = [module]
    while ahead:
        name = ahead.pop()
        if name in found or name.partition(".")[0] != package or name not in sys.modules:
            continue
        found.add(name)
        if name not in _sources:
            _sources[name] = _source(name)
        ahead.extend(_sources[name].imports)
    return sha256(b"".join(name.encode() + _sources[name].digest for name in sorted(found))).digest()


def _source(module: str) -> Source:
    path = getattr(sys.modules.get(module), "__file__", None)
    try:
        status = Path(path or "").stat()
    except OSError:  # a notebook, a namespace package, an archive
        return Source(b"", frozenset())
    return _read_source(str(path), status.st_mtime_ns, status.st_size)


@cache
def _read_source(path: str, _time: int, _size: int) -> Source:
    """Return what counts of a file; it is read again when its time or size is another."""
    content = Path(path).read_bytes()
    names: set[str] = set()
    for origin, parts, plain in IMPORTS.findall(content.decode(errors="replace")):
        names.update(WORD.findall(plain))
        names.update([origin, *(f"{origin}.{part}" for part in WORD.findall(parts))])
    return Source(sha256(content).digest(), frozenset(names))
