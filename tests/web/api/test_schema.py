"""What the schema says is so: schemathesis asks each address with what it takes, and with what it does not.

Every call is taken back, so that all find the same scene.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction
from django.test.client import ClientHandler
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st

from tests.web.api.asking import token
from tests.web.visibility import calls
from tests.web.visibility.scene import AT, WHO

schemathesis = pytest.importorskip("schemathesis")
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]
SAMPLED, EXAMPLES, MANY = 8, 4, 30  # addresses of a sample, and what each of them is asked in each way
PLAIN = {"Accept-Encoding": "identity"}
ASKING = ("france", "master", "stranger")


class Undone(Exception):
    """What was asked is taken back, so that all find the same scene."""


@pytest.fixture
def by_program(settings: Any) -> dict[str, str]:
    """The heads by which each of ASKING asks."""
    settings.API_RATES = dict.fromkeys(settings.API_RATES, (10**9, 60))
    return {who: f"Bearer {token(WHO[who])}" for who in ASKING}


def _application() -> Callable[..., Any]:
    """The site, asked from this machine, within the test’s transaction."""
    handler = ClientHandler()

    def site(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        response: Any = handler({**environ, "REMOTE_ADDR": "127.0.0.1"})
        start(f"{response.status_code} {response.reason_phrase}", list(response.items()))
        return [b"".join(response)]

    return site


def checks() -> list[Any]:
    """What each answer has to keep to."""
    from schemathesis import checks as general
    from schemathesis.specs.openapi import checks as found

    return [
        general.not_a_server_error,
        found.status_code_conformance,
        found.content_type_conformance,
        found.response_headers_conformance,
        found.response_schema_conformance,
        found.negative_data_rejection,
    ]


@pytest.mark.long
def test_every_answer_is_as_the_schema_says(
    full: bool, seed: int, draw: str, by_program: dict[str, str], record_property: Any
) -> None:
    from schemathesis.core.failures import FailureGroup

    scene = AT["open"]()
    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", _application())
    operations = [result.ok() for result in schema.get_all_operations()]
    chosen = operations if full else random.Random(draw).sample(operations, SAMPLED)
    real = {line.name: list(calls.addresses(line, scene.fresh())) for line in calls.lines()}
    counted: dict[int, int] = {}
    found = []
    for operation in chosen:
        paths = real.get(f"{operation.method.upper()} {operation.path}", [])
        for mode in schemathesis.GenerationMode:
            try:
                _ask(operation, mode, paths, by_program, MANY if full else EXAMPLES, seed, counted)
            except (FailureGroup, AssertionError) as problem:
                found.append(f"{operation.label} {mode}: {problem}")
    assert found == [], "\n\n".join(found)
    asked = f"{sum(counted.values())} calls of {len(chosen)} addresses of {len(operations)}, draw {draw}"
    record_property("asked", f"schemathesis, seed {seed}: {asked}: {dict(sorted(counted.items()))}")


def _ask(
    operation: Any,
    mode: Any,
    paths: list[str],
    by_program: dict[str, str],
    many: int,
    seed: int,
    counted: dict[int, int],
) -> None:
    """So many calls of one address: most of what is there, some of what is not."""

    @seeded(seed)
    @settings(
        max_examples=many,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(
        case=operation.as_strategy(generation_mode=mode),
        who=st.sampled_from(ASKING),
        path=st.sampled_from([*paths, *paths, ""]),
    )
    def call(case: Any, who: str, path: str) -> None:
        if path and mode == schemathesis.GenerationMode.POSITIVE:
            case.path_parameters = _arguments(operation.path, path)
        try:
            with transaction.atomic():
                response = case.call(headers={**PLAIN, "Authorization": by_program[who]})
                counted[response.status_code] = counted.get(response.status_code, 0) + 1
                raise Undone
        except Undone:
            case.validate_response(response, checks=checks())

    call()


def _arguments(pattern: str, path: str) -> dict[str, str]:
    """What stands in a path for each argument of its pattern."""
    names = re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", pattern.replace(".", r"\."))
    match = re.fullmatch(names, path)
    assert match is not None
    return match.groupdict()
