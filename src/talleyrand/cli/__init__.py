"""The command line: `talleyrand adjudicate`, `read`, `draw`, `play`, `rulebooks`, `variants`, `serve`."""

from .main import main

__all__ = ["main"]
