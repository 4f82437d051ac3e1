"""Compile the loops that other loops call without an entry for Python, and into no machine code of their own.

A loop contains those that it calls, and is optimised together with them. Besides, numba makes of each a function that
Python can call, and machine code. That is a fifth of the time, and of use only where Python calls it, so that each loop
is compiled apart for Python and for loops, on demand. Calling from Python what loops alone called so far is safe.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from llvmlite.binding import parse_bitcode  # type: ignore[import-untyped]
from numba.core import compiler, types
from numba.core.codegen import JITCodeLibrary
from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]
from numba.core.registry import CPUDispatcher

from sfumato.kernels.code_cache import LoopCache, StampedCode

# as numba compiles its own functions, so that these, which take their options from who calls them, are compiled once
OPTIONS = {"nopython": True, "boundscheck": None, "no_cpython_wrapper": True}


class Loop(CPUDispatcher):
    """A loop that Python calls, and that other loops call in another form.

    Parameters
    ----------
    loop
        The loop as written.
    """

    def __init__(self, loop: Callable[..., Any]) -> None:
        super().__init__(loop, targetoptions=OPTIONS, pipeline_class=_EntryPipeline)
        self.for_loops = _InnerLoop(loop)
        self.for_loops._compiling_counter = self._compiling_counter  # tells a loop that calls itself
        with suppress(RuntimeError):  # there is no folder to write to: every process compiles for itself
            self._cache = LoopCache(loop)  # type: ignore[no-untyped-call]
            self.for_loops._cache = _InnerCache(loop)  # type: ignore[no-untyped-call]

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return how loops call this one, such that it is not compiled once more for each constant that it is given."""
        unliteral: Any = types.unliteral
        arguments = tuple(map(unliteral, args)), {name: unliteral(each) for name, each in kws.items()}
        return self.for_loops.get_call_template(*arguments)

    def get_overload(self, sig: Any) -> Any:
        """Return the name under which loops call this one."""
        return self.for_loops.get_overload(sig)


class _InnerLoop(CPUDispatcher):
    """A loop as other loops call it."""

    _cache: Any

    def __init__(self, loop: Callable[..., Any]) -> None:
        super().__init__(loop, targetoptions=OPTIONS)
        self._compiler = _InnerCompiler(loop, self.targetdescr, OPTIONS, self.locals, _InnerPipeline)

    def add_overload(self, cres: Any) -> None:
        """Keep a compiled loop for those that call it, and not for Python."""
        self.overloads[tuple(cres.signature.args)] = cres


class _EntryPipeline(compiler.Compiler):
    """Compile a loop with an entry for Python, and none for other languages, as none calls a loop."""

    def define_pipelines(self) -> Any:
        flags = self.state.flags
        flags.release_gil = flags.no_cfunc_wrapper = True
        flags.no_cpython_wrapper = False
        return super().define_pipelines()  # type: ignore[no-untyped-call]


class _InnerPipeline(compiler.Compiler):
    """Compile a loop with no entry at all, and no further than to what others contain."""

    def define_pipelines(self) -> Any:
        flags = self.state.flags
        flags.release_gil = flags.no_cfunc_wrapper = flags.no_compile = True
        return super().define_pipelines()  # type: ignore[no-untyped-call]


class _InnerCompiler(_FunctionCompiler):  # type: ignore[misc]
    def _compile_core(self, args: tuple[Any, ...], return_type: Any) -> Any:
        flags = compiler.Flags()  # type: ignore[no-untyped-call]
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        context = self.targetdescr.target_context
        made = compiler.compile_extra(  # type: ignore[no-untyped-call]
            self.targetdescr.typing_context,
            context,
            self.py_func,
            args,
            return_type,
            flags,
            self.locals,
            _InnerCode(context.codegen(), self.py_func.__qualname__),  # type: ignore[no-untyped-call]
            self.pipeline_class,
        )
        name = object()  # numba calls a compiled loop by what Python would call; that is nothing here
        context.insert_user_function(name, made.fndesc, [made.library])
        return made._replace(entry_point=name)


class _InnerCode(JITCodeLibrary):
    """What a loop contributes to those that call it: optimised, but no machine code."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._verify_declare_only_symbols()  # type: ignore[no-untyped-call]
        self._finalized = True

    def serialize_using_object_code(self) -> Any:
        """Return what is kept on disk."""
        return self.serialize_using_bitcode()  # type: ignore[no-untyped-call]

    @classmethod
    def read(cls, codegen: Any, state: tuple[str, str, bytes]) -> "_InnerCode":
        """Return what was kept on disk."""
        name, _, bitcode = state
        code = cls(codegen, name)
        code._final_module = parse_bitcode(bitcode)
        code._finalize_final_module()
        return code


class _StampedInnerCode(StampedCode):
    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        """Return a name of files beside those of the loop as Python calls it."""
        return f"{super().get_filename_base(fullname, abiflags)}.inner"  # type: ignore[no-untyped-call]

    def compile_result(self, target_context: Any, kept: tuple[Any, ...]) -> Any:
        """Return the compiled loop from what is kept of it."""
        code, fndesc, environment, signature, objectmode, lifted, annotation, reload_init, environments = kept
        for reload in reload_init:
            reload()
        return compiler.compile_result(  # type: ignore[no-untyped-call]
            target_context=target_context,
            typing_context=target_context.typing_context,
            library=_InnerCode.read(target_context.codegen(), code),
            environment=environment,
            entry_point=object(),
            fndesc=fndesc,
            type_annotation=annotation,
            signature=signature,
            objectmode=objectmode,
            lifted=lifted,
            reload_init=reload_init,
            referenced_envs=environments,
        )


class _InnerCache(LoopCache):
    _impl_class = _StampedInnerCode
