"""Talleyrand: Diplomacy judged by the rulebook you choose, with the reason of every verdict."""

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

__version__ = "0.1.0"


def names_on_demand(package: str, *modules: str) -> Callable[[str], Any]:
    """A `__getattr__` for a package: the names of its `__all__` come from these modules, read when asked for.

    Raises AttributeError for other names.
    """

    def find(name: str) -> Any:
        known = vars(sys.modules[package])
        for module in modules if name in known["__all__"] else ():
            found = vars(import_module(f"{package}.{module}"))
            if name in found:
                known[name] = found[name]
                return found[name]
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return find
