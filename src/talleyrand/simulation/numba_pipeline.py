# mypy: disable-error-code="no-untyped-call, misc, no-any-unimported"
"""How functions are compiled by Numba: each is worked out once, and all are optimized once, at the door.

Numba would turn every function into machine code of its own, with all that it calls inside, before another
may call it: code at the bottom is optimized as often as there are functions above it. Here a function that
only other compiled functions call stays in LLVM's words, and what Python calls links in all it leads to.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event, postproc, transforms, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags, _LowerResult
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.registry import cpu_target
from numba.core.typed_passes import InlineOverloads, IRLegalization, NativeLowering, NopythonRewrites
from numba.core.types import Dispatcher, unliteral

# What no function here has: contexts, closures, literals to be asked for, arrays in one expression, branches
# that a type rules out, values whose references are counted.
NEEDLESS = (
    InlineOverloads,
    NopythonRewrites,
    IRLegalization,
    untyped_passes.DeadBranchPrune,
    untyped_passes.RewriteSemanticConstants,
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

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

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

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


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


def _resolving_once(resolve: Any) -> Any:
    """How Numba finds what an operation gives, once for the same types. A function is compiled once for a
    number, not again for each that stands in a call; an operation is found so where it takes any number."""
    known = dict[Any, Any]()

    def resolved(operation: Any, given: tuple[Any, ...], named: Any) -> Any:
        plain = tuple(map(unliteral, given))
        if isinstance(operation, Dispatcher):
            given = plain
        if named:
            return resolve(operation, given, named)
        found = known.get((operation, given)) or known.get((operation, plain))
        if found is None:
            found = known[operation, given] = resolve(operation, given, named)
            if found is not None and found.args == plain:
                known[operation, plain] = found
        return found

    return resolved


_note_all = postproc.PostProcessor.run


def _note_blocks(noting: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """Note a function's blocks, but only where references are counted how long its variables live."""
    if emit_dels:
        _note_all(noting, emit_dels, extend_lifetimes)
        return
    written = noting.func_ir
    written.blocks = transforms.canonicalize_cfg(written.blocks)
    written.variable_lifetime = postproc.VariableLifetime(written.blocks)
    written.generator_info = None


def _where_more_is_known(context: Any) -> Callable[[], None]:
    """How Numba looks for what was added to its lists of operations, only where something was."""
    look_again, seen = context.refresh, [0]

    def looked_again() -> None:
        now = [len(sys.modules)]
        for registry in context._registries:
            now += [len(each) for each in vars(registry).values() if isinstance(each, list)]
        if now != seen:
            seen[:] = now
            look_again()

    return looked_again


def _nothing(*_: object, **__: object) -> None:
    """Does nothing."""


@contextmanager
def _compiling(context: Any) -> Iterator[None]:
    """While a function is compiled with those it calls, Numba finds nothing out that it knows, and tells
    nobody how long its locks are held."""
    target = cpu_target.target_context
    replaced = (
        (context, "resolve_function_type", _resolving_once(context.resolve_function_type)),
        (context, "refresh", _where_more_is_known(context)),
        (target, "refresh", _where_more_is_known(target)),
        (event, "start_event", _nothing),
        (event, "end_event", _nothing),
        (postproc.PostProcessor, "run", _note_blocks),
    )
    kept = [(owner, name, vars(owner).get(name)) for owner, name, _ in replaced]
    for owner, name, instead in replaced:
        setattr(owner, name, instead)
    try:
        yield
    finally:
        for owner, name, before in kept:
            if before is None:
                delattr(owner, name)
            else:
                setattr(owner, name, before)


class EntryCompiler(_Compiler):
    """For functions that Python calls."""

    def compile_extra(self, function: Any) -> Any:
        """As Numba does, with those it calls."""
        with _compiling(self.state.typingctx):
            return super().compile_extra(function)

    def define_pipelines(self) -> list[PassManager]:
        """The one pipeline."""
        return _pipeline(self.state, _EntryLowering)
