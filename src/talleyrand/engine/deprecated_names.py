"""Former public names, which work for one more release and warn."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def renamed_in(module: str, new_names: Mapping[str, str], new_module: str = "") -> Callable[[str], Any]:
    """A `__getattr__` for `module`, which has renamed some names or moved all of them to `new_module`.

    `new_names` says, for each former name, the new one; what has moved and is not listed has kept its name.
    What `__getattr__` gives warns with DeprecationWarning, and raises AttributeError for other names.
    """

    def getattr_renamed(name: str) -> Any:
        new = new_names.get(name, name if new_module else "")
        found = import_module(new_module or module)
        if not new or name.startswith("__") or not hasattr(found, new):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warnings.warn(f"{module}.{name} is now {found.__name__}.{new}", DeprecationWarning, stacklevel=2)
        return getattr(found, new)

    return getattr_renamed


def renamed_attribute(former: str, new: str) -> Any:
    """The former name of an attribute or a method, for the body of its class."""

    def get(self: object) -> Any:
        warnings.warn(f"{former} is now {new}", DeprecationWarning, stacklevel=2)
        return getattr(self, new)

    return property(get)
