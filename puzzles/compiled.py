"""numba's compiler with the project's settings: a function is optimised once for each place where Python calls it.

numba optimises every function and generates machine code for it, and does so again inside each of its callers, and
theirs. Here a function that another compiled function calls becomes a *part*, translated to LLVM's language and no
further. What Python calls is a *whole*: linked with all its parts, it is optimised together with them.
"""

from __future__ import annotations

import platform
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from llvmlite import binding
from numba.core import sigutils
from numba.core.codegen import JITCodeLibrary, get_host_cpu_features
from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher

from puzzles.code_cache import CodeCache

# What numba says of these types is not what they are.
_Library: Any = JITCodeLibrary
_Compiler: Any = CompilerBase
_Dispatcher: Any = CPUDispatcher
_Result: Any = CompileResult

F = TypeVar("F", bound=Callable[..., Any])


def _avoid_gathers() -> None:
    """Tell LLVM to load the entries of a table one by one, unless the user has chosen the features of the processor.

    For Intel processors with AVX-512 it would vectorise look-ups such as `codes[cells[k]]` with gather instructions. In
    rows of 16 cells these gain nothing, and they are slow since the microcode against the Downfall vulnerability.
    """
    config: Any = numba.config
    if config.CPU_FEATURES is None and config.CPU_NAME is None and platform.machine() in ("x86_64", "AMD64"):
        config.CPU_FEATURES = f"{get_host_cpu_features()},+prefer-no-gather"


_avoid_gathers()  # before numba makes its code generator, which happens with the first function that is compiled

_PLAIN: dict[str, Any] = {"nopython": True, "nogil": True, "no_cfunc_wrapper": True}
_UNCOUNTED: dict[str, Any] = {**_PLAIN, "_nrt": False}
_INLINED: dict[str, Any] = {**_UNCOUNTED, "forceinline": True}


def jit(function: F) -> F:
    """Compile `function` on first call; keep the machine code on disk; run without the GIL."""
    return cast(F, _compiled(function, _PLAIN))


def uncounted(function: F) -> F:
    """`jit` for parts that are called often, are too long to be `inlined`, and neither make nor return arrays or views.

    A call of a `jit` function counts a reference to each array of a structure, which takes longer than a little work.
    """
    return cast(F, _compiled(function, _UNCOUNTED))


def inlined(function: F) -> F:
    """`jit` for the parts of a hot loop, which allocate nothing: the compiler puts them into whatever calls them.

    Without it, a call that passes a structure of arrays copies hundreds of bytes and counts references to each array.
    """
    return cast(F, _compiled(function, _INLINED))


def _compiled(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]  # numba sets its options at run time
        return function
    return _Whole(function, targetoptions=options)


class _PartLibrary(_Library):  # type: ignore[misc]
    """LLVM code of a function and of all that it calls, to be linked into callers: no machine code."""

    def finalize(self) -> None:
        """Link what the function calls, and leave it at that."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True

    @classmethod
    def from_bitcode(cls, codegen: Any, name: str, bitcode: bytes) -> _PartLibrary:
        """Return the library that some bitcode was made of."""
        library = cls(codegen, name)
        library._final_module = binding.parse_bitcode(bitcode)
        library._finalized = True
        return library


class _PartCompiler(_Compiler):  # type: ignore[misc]
    """numba's compiler up to LLVM's language."""

    def define_pipelines(self) -> list[Any]:
        """Return the usual passes, and have them put the result into a library for linking."""
        state = self.state
        state.flags.no_compile = state.flags.no_cpython_wrapper = True
        state.library = _PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        return [DefaultPassBuilder.define_nopython_pipeline(state)]


class _Part(_Dispatcher):  # type: ignore[misc]
    """A function as other compiled functions call it."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        super().__init__(function, targetoptions=options, pipeline_class=_PartCompiler)
        self._cache = CodeCache(function, ".part", _reduce_part, _rebuild_part)

    def compile(self, sig: Any) -> None:
        """Make the function known to the compiler for some types of arguments."""
        with global_compiler_lock, self._compiling_counter:
            args, return_type = sigutils.normalize_signature(sig)
            if tuple(args) in self.overloads:
                return
            made = self._cache.load_overload(sig, self.targetctx)
            if made is None:
                made = self._compiler.compile(args, return_type)
                self._cache.save_overload(sig, made)
            key = object()  # by which callers know it, in place of something to call
            self.targetctx.insert_user_function(key, made.fndesc, [made.library])
            self.overloads[tuple(args)] = made._replace(entry_point=key)


def _reduce_part(made: Any) -> Any:
    made.fndesc.typemap = made.fndesc.calltypes = None  # not needed any more, and large
    bitcode = made.library._get_module_for_linking().as_bitcode()
    environments = made._find_referenced_environments()
    return made.library.name, bitcode, made.fndesc, made.environment, made.signature, made.reload_init, environments


def _rebuild_part(target: Any, data: Any) -> Any:
    name, bitcode, fndesc, environment, signature, reload_init, environments = data
    for function in reload_init:
        function()
    return _Result(
        target_context=target,
        typing_context=target.typing_context,
        library=_PartLibrary.from_bitcode(target.codegen(), name, bitcode),
        environment=environment,
        entry_point=None,
        fndesc=fndesc,
        type_annotation="",
        signature=signature,
        objectmode=False,
        lifted=(),
        typing_error=None,
        call_helper=None,
        metadata=None,
        reload_init=reload_init,
        referenced_envs=environments,
    )


class _Whole(_Dispatcher):  # type: ignore[misc]
    """A function as Python calls it; compiled functions that call it are given its part."""

    def __init__(self, py_func: Callable[..., Any], locals: Any = None, targetoptions: Any = None) -> None:
        super().__init__(py_func, locals or {}, targetoptions or {})
        self._cache = CodeCache(py_func, ".whole", _Result._reduce, _rebuild_whole)
        self._part = _Part(py_func, targetoptions or {})

    @property
    def is_compiling(self) -> bool:
        """Whether the function is being compiled, so that what calls it now is itself."""
        return bool(self._compiling_counter or self._part._compiling_counter)

    @property
    def nopython_signatures(self) -> Any:
        """The signatures that compiled functions can call."""
        return self._part.nopython_signatures

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return how a compiled function calls this one.

        A constant is passed like any other number. numba would compile the function for that constant, and also for
        each that is just the first value of a variable.
        """
        general: Callable[[Any], Any] = numba.types.unliteral
        return self._part.get_call_template(
            [general(kind) for kind in args], {name: general(kind) for name, kind in kws.items()}
        )

    def get_overload(self, sig: Any) -> Any:
        """Return what a compiled function that calls this one knows it by."""
        return self._part.get_overload(sig)

    def get_compile_result(self, sig: Any) -> Any:
        """Return the part for a signature."""
        return self._part.get_compile_result(sig)

    def add_overload(self, cres: Any) -> None:
        """Make a compiled version ready to be called, and known to each of its parts where its constants are."""
        for environment in cres._find_referenced_environments():
            cres.codegen.set_env(environment.env_name, environment)
        super().add_overload(cres)


def _rebuild_whole(target: Any, data: Any) -> Any:
    return _Result._rebuild(target, *data)
