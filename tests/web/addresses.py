"""The addresses of the site by their names, each with the names of its arguments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.urls import URLPattern, URLResolver, get_resolver

from talleyrand.web.common import former_urls

Address = tuple[str, tuple[str, ...]]


def named_addresses() -> Iterator[Address]:
    """Every address there is; former ones, which lead on to these, have no name."""
    yield from _below(get_resolver().url_patterns, "", ())


def _below(
    patterns: Sequence[URLPattern | URLResolver], space: str, above: tuple[str, ...]
) -> Iterator[Address]:
    for one in patterns:
        arguments = (*above, *one.pattern.regex.groupindex)
        if isinstance(one, URLResolver):
            inside = f"{space}{one.namespace}:" if one.namespace else space
            yield from _below(one.url_patterns, inside, arguments)
        elif one.callback is not former_urls.moved:
            assert one.name, f"{one} has no name"
            yield f"{space}{one.name}", arguments
