# mypy: disable-error-code="no-untyped-call, misc, no-any-unimported"
"""How functions are compiled by Numba: each is worked out once, and all are optimized once, at the door.

Numba would turn every function into machine code of its own, with all that it calls inside, before another
may call it: code at the bottom is optimized as often as there are functions above it. Here a function that
only other compiled functions call stays in LLVM's words, and what Python calls links in all it leads to.
"""

from __future__ import annotations

from typing import Any

from numba.core import untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags, _LowerResult
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import InlineOverloads, NativeLowering, NopythonRewrites
from numba.core.types import Dispatcher, unliteral

# What no function here has: contexts, closures, literals to be asked for, arrays in one expression.
NEEDLESS = (
    InlineOverloads,
    NopythonRewrites,
    untyped_passes.WithLifting,
    untyped_passes.InlineClosureLikes,
    untyped_passes.GenericRewrites,
    untyped_passes.RewriteDynamicRaises,
    untyped_passes.MakeFunctionToJitFunction,
    untyped_passes.InlineInlinables,
    untyped_passes.FindLiterallyCalls,
    untyped_passes.LiteralUnroll,
)


class _InnerLibrary(JITCodeLibrary):
    """One function in LLVM's words, without those it calls."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True


class _EntryLibrary(JITCodeLibrary):
    """A function for Python to call, with all that it leads to."""

    def finalize(self) -> None:
        for library in self._linking_libraries:  # which grows: a caller before those it calls
            if isinstance(library, _InnerLibrary):
                self._linking_libraries += library._linking_libraries  # the linker passes over repetitions
        super().finalize()


@register_pass(mutates_CFG=True, analysis_only=False)
class _InnerLowering(NativeLowering):
    _name = "inner_lowering"

    def run_pass(self, state: Any) -> bool:
        """As Numba does, but without machine code; what stands for it is a builtin, as Numba wants, tells
        functions apart, and raises whatever it is called with."""
        state.library = _InnerLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered, nothing = state["cr"], dict[int, int]().__getitem__
        state.targetctx.insert_user_function(nothing, lowered.fndesc, [state.library])
        state.reload_init.extend(state.library._reload_init)
        state["cr"] = _LowerResult(lowered.fndesc, lowered.call_helper, cfunc=nothing, env=lowered.env)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _EntryLowering(NativeLowering):
    _name = "entry_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _EntryLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


def _pipeline(state: Any, lowering: type[NativeLowering]) -> list[PassManager]:
    pipeline = PassManager("talleyrand")
    for each in DefaultPassBuilder.define_nopython_pipeline(state).passes:
        if each[0] not in NEEDLESS:
            pipeline.passes.append((lowering, each[1]) if each[0] is NativeLowering else each)
    pipeline.finalize()
    return [pipeline]


class _Flags(Flags):
    """Options compared by what is set: Numba compares them some forty thousand times."""

    def __hash__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return self._values == other._values if isinstance(other, _Flags) else NotImplemented


class _Compiler(CompilerBase):
    def __init__(
        self, typing: Any, target: Any, library: Any, args: Any, gives: Any, flags: Any, types: Any
    ) -> None:
        super().__init__(typing, target, library, args, gives, _Flags(flags), types)


class InnerCompiler(_Compiler):
    """For functions that only compiled ones call."""

    def define_pipelines(self) -> list[PassManager]:
        """The one pipeline."""
        return _pipeline(self.state, _InnerLowering)


class EntryCompiler(_Compiler):
    """For functions that Python calls."""

    def compile_extra(self, function: Any) -> Any:
        """As Numba does, with those it calls. What an operation gives for some types is found once; and a
        function is compiled once for a number, not again for each that stands in a call."""
        context, known = self.state.typingctx, dict[Any, Any]()
        resolve = context.resolve_function_type

        def resolved(operation: Any, given: tuple[Any, ...], named: Any) -> Any:
            if isinstance(operation, Dispatcher):
                given = tuple(map(unliteral, given))
            if named:
                return resolve(operation, given, named)
            found = known.get((operation, given))
            if found is None:
                found = known[operation, given] = resolve(operation, given, named)
            return found

        context.resolve_function_type = resolved
        try:
            return super().compile_extra(function)
        finally:
            vars(context).pop("resolve_function_type", None)  # one of the callees may have been a door too

    def define_pipelines(self) -> list[PassManager]:
        """The one pipeline."""
        return _pipeline(self.state, _EntryLowering)
