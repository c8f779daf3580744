"""The template tag that names all scripts of a page: the browser need not find one behind the other."""

from __future__ import annotations

from django import template
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from talleyrand.web.common import static_files

register = template.Library()


@register.simple_tag
def preloads(name: str) -> SafeString:
    """A link for each script that a script imports, near or far."""
    return format_html_join(
        "\n",
        '<link rel="modulepreload" href="{}">',
        ((static(one),) for one in static_files.script_with_imports(name)[1:]),
    )
