"""Queries of a fixed shape, for what every order asks: Django writes their SQL once for each connection,
and afterwards only the values are others. To write it costs ten times what SQLite needs to answer.

    GAME_BY_KEY = PreparedQuery(lambda: Game.objects.filter(key=Given(Game, "key")))
    GAME_BY_KEY.rows(key="…")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from django.core.exceptions import EmptyResultSet
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Expression, IntegerField, Model, QuerySet
from django.db.models.query import ModelIterable, get_related_populators
from django.db.models.sql import InsertQuery, UpdateQuery
from django.db.transaction import TransactionManagementError

_related: Any = get_related_populators  # whose types are those of a later Django
KEPT = "_talleyrand_prepared"  # on a connection: what was written for it


class Given(Expression):
    """Stands for the value `name` that is given when a query is asked, kept as the column `column` of a
    model; the name is that of the column where none is said. Nothing is equal to None.
    """

    def __init__(self, model: type[Model], column: str, name: str = "") -> None:
        super().__init__(output_field=cast(Any, model._meta.get_field(column)))
        self.name = name or column

    def maker(self, own: Any) -> Callable[[Any, Any], Any]:
        """Makes what the column keeps of a value; raises EmptyResultSet for a number that it cannot hold, as
        lookups of an equal one do.
        """
        field = cast(Any, self.output_field)
        if not isinstance(field, IntegerField):
            return cast(Callable[[Any, Any], Any], field.get_db_prep_save)
        low, high = own.ops.integer_field_range(field.get_internal_type())

        def made(value: Any, connection: Any) -> Any:
            number = field.get_prep_value(value)
            if isinstance(number, int) and (
                (low is not None and number < low) or (high is not None and number > high)
            ):
                raise EmptyResultSet
            return field.get_db_prep_save(number, connection)

        return made

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:  # noqa: ARG002
        return "%s", [self]


class Answer(NamedTuple):
    """The rows there are, how many were found or changed, and the key that SQLite gave last."""

    rows: Sequence[Any]
    changed: int
    last_key: Any = None


@dataclass(frozen=True)
class _Written:
    """SQL as it was written for the connection `own`, and what makes rows of its answers; `values` are each a
    value, or a name of what is given with what makes a column of it.
    """

    own: Any
    sql: str
    values: Sequence[Any] = ()
    compiler: Any = None
    converters: Any = None
    model: type[Model] | None = None
    columns: Sequence[str] = ()
    annotated: Mapping[str, int] = field(default_factory=dict)
    related: Sequence[Any] = ()
    locks: bool = False

    @classmethod
    def by(cls, compiler: Any, **more: Any) -> _Written:
        sql, values = compiler.as_sql()
        own = compiler.connection
        prepared = [(one.name, one.maker(own)) if isinstance(one, Given) else one for one in values]
        return cls(own, sql, prepared, compiler, **more)

    def ask(self, given: dict[str, Any]) -> Answer:
        """What is answered; no row where nothing was asked, since none has a number that its column cannot
        hold.
        """
        own = self.own
        try:
            values = [one[1](given[one[0]], own) if isinstance(one, tuple) else one for one in self.values]
        except EmptyResultSet:
            return Answer([], 0)
        return self.execute(values)

    def made(self, row: Sequence[Any]) -> Any:
        """The model that a row is."""
        assert self.model is not None
        found = self.model.from_db(self.own.alias, self.columns, row[: len(self.columns)])
        for name, place in self.annotated.items():
            setattr(found, name, row[place])
        for one in self.related:
            one.populate(row, found)
        return found

    def execute(self, values: Sequence[Any]) -> Answer:
        with self.own.cursor() as cursor:
            cursor.execute(self.sql, values)
            rows = cursor.fetchall() if cursor.description else []
            return Answer(rows, cursor.rowcount, getattr(cursor, "lastrowid", None))


@dataclass(frozen=True, eq=False)
class PreparedQuery:
    """What `build` selects, a query set with `Given` where values will stand; or, with `changes`, an update
    of it. Models are read with their annotations, and with those of `select_related`.
    """

    build: Callable[[], QuerySet[Any]]
    changes: Callable[[], dict[str, Any]] | None = None

    def rows(self, **given: Any) -> list[Any]:
        """Models, or tuples where the query set has `values_list`. Raises KeyError for a value not given, and
        TransactionManagementError where rows are locked outside of a transaction, whatever the database.
        """
        written = _once_per_connection(self._select, self._select)
        if written.locks and not written.own.in_atomic_block:
            raise TransactionManagementError("select_for_update cannot be used outside of a transaction.")
        rows = written.ask(given).rows
        if written.converters:
            rows = written.compiler.apply_converters(rows, written.converters)
        if written.model is None:
            return list(map(tuple, rows))
        return [written.made(row) for row in rows]

    def first(self, **given: Any) -> Any:
        """The first row, or None."""
        found = self.rows(**given)
        return found[0] if found else None

    def get(self, **given: Any) -> Any:
        """The one row there is; an error as `QuerySet.get` has it where there is none."""
        found = self.first(**given)
        if found is None:
            raise self.build().model.DoesNotExist
        return found

    def update(self, **given: Any) -> int:
        """How many rows were changed."""
        return _once_per_connection(self._update, self._update).ask(given).changed

    def _select(self, own: Any) -> _Written:
        rows = self.build()
        compiler = rows.query.get_compiler(connection=own)
        compiler.pre_sql_setup()
        told = compiler.klass_info if rows._iterable_class is ModelIterable else None
        selected = [one[0] for one in compiler.select or ()]
        return _Written.by(
            compiler,
            converters=compiler.get_converters(selected),
            model=told["model"] if told else None,
            columns=[selected[place].target.attname for place in told["select_fields"]] if told else (),
            annotated=compiler.annotation_col_map if told else {},
            related=_related(told, compiler.select, own.alias) if told else (),
            locks=rows.query.select_for_update,
        )

    def _update(self, own: Any) -> _Written:
        assert self.changes is not None
        query = cast(UpdateQuery, self.build().query.chain(UpdateQuery))
        query.add_update_values(self.changes())
        return _Written.by(query.get_compiler(connection=own))


def insert(row: Model) -> None:
    """Write a new row of a table, without the signals that nobody listens to; it has its key afterwards."""
    table = type(row)._meta
    columns = [one for one in table.concrete_fields if not one.primary_key]

    def written(own: Any) -> _Written:
        query = InsertQuery(type(row))
        query.insert_values(columns, [row])
        compiler = query.get_compiler(connection=own)
        compiler.returning_fields = [table.pk]
        [(sql, _values)] = compiler.as_sql()
        return _Written(own, sql)

    found = _once_per_connection(type(row), written)
    values = [one.get_db_prep_save(one.pre_save(row, add=True), found.own) for one in columns]
    answer = found.execute(values)
    # SQLite before 3.35 tells no rows back
    row.pk = answer.rows[0][0] if answer.rows else answer.last_key
    row._state.adding, row._state.db = False, found.own.alias


def _once_per_connection(name: object, write: Callable[[Any], _Written]) -> _Written:
    own = connections[DEFAULT_DB_ALIAS]
    known: dict[object, _Written] = vars(own).setdefault(KEPT, {})
    if name not in known:
        known[name] = write(own)
    return known[name]
