"""What the pages of a table share."""

from __future__ import annotations

from django import template

from talleyrand.web.tables import table_links
from talleyrand.web.tables.models import Table
from talleyrand.web.tables.table_links import TableLink

register = template.Library()


@register.simple_tag
def table_ways(table: Table | None) -> list[TableLink]:
    """Where a table leads besides, for those that a tournament has opened."""
    return table_links.links_of_table(table) if isinstance(table, Table) else []
