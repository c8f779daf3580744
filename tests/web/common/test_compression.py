"""Pages travel compressed, by what the browser takes, and their length tells nothing of what is in them."""

from __future__ import annotations

import gzip
from importlib.util import find_spec
from io import BytesIO
from xml.parsers import expat

import pytest
from django.test import Client

from tests.web.conftest import Player, Response

pytestmark = pytest.mark.django_db
with_brotli = pytest.mark.skipif(find_spec("brotli") is None, reason="brotli is missing")


def asked(client: Client, address: str, taken: str) -> Response:
    return client.get(address, headers={"accept-encoding": taken})


@with_brotli
@pytest.mark.parametrize("taken", ["br", "gzip, deflate, br, zstd", "br;q=0.5, gzip", "gzip, br ; q=1"])
def test_by_brotli_where_it_is_taken(player: Player, taken: str) -> None:
    import brotli

    response = asked(player.client, player.address(), taken)
    assert response["Content-Encoding"] == "br"
    assert "Accept-Encoding" in response["Vary"]
    assert int(response["Content-Length"]) == len(response.content)
    assert "layer-units" in brotli.decompress(response.content).decode()


@pytest.mark.parametrize("taken", ["gzip", "gzip, br;q=0", "gzip;q=0.8, br;q=0.0, *;q=0"])
def test_by_gzip_elsewhere(player: Player, taken: str) -> None:
    response = asked(player.client, player.address(), taken)
    assert response["Content-Encoding"] == "gzip"
    assert b"layer-units" in gzip.decompress(response.content)


@pytest.mark.parametrize("taken", ["", "identity", "br;q=0"])
def test_plain_for_those_who_want_it_so(player: Player, taken: str) -> None:
    response = asked(player.client, player.address(), taken)
    assert "Content-Encoding" not in response
    assert b"layer-units" in response.content


@pytest.mark.parametrize("taken", ["br", "gzip"])
def test_the_length_of_the_same_page_varies(player: Player, taken: str) -> None:
    if taken == "br":
        pytest.importorskip("brotli")
    address = f"/s/{player.game.shared_key}/1/map.svg"
    lengths = {len(asked(player.client, address, taken).content) for _ in range(12)}
    assert len(lengths) > 3


@with_brotli
def test_what_a_script_reads_stays_as_it_is(player: Player) -> None:
    response = asked(player.client, player.address("game.json"), "br, gzip")
    assert response["Content-Encoding"] == "gzip"
    assert gzip.decompress(response.content).rstrip().endswith(b"}")


@pytest.mark.long
@pytest.mark.parametrize("taken", ["br, gzip", "gzip"])
def test_a_long_page_varies_in_length_and_says_how_it_was_compressed(player: Player, taken: str) -> None:
    """It is compressed in less time than a short one."""
    answers = [asked(player.client, player.address(), taken) for _ in range(12)]
    assert len({len(answer.content) for answer in answers}) > 3
    assert all(answer["Vary"].count("Accept-Encoding") == 1 for answer in answers)
    assert all(int(answer["Content-Length"]) == len(answer.content) for answer in answers)
    assert len(answers[0].content) < 100_000 < len(asked(player.client, player.address(), "").content)


@pytest.mark.long
@pytest.mark.parametrize("taken", ["br", "gzip"])
def test_a_drawing_stays_well_formed(player: Player, taken: str) -> None:
    if taken == "br":
        pytest.importorskip("brotli")
    for _ in range(100):
        response = asked(player.client, f"/s/{player.game.shared_key}/1/map.svg", taken)
        expat.ParserCreate().ParseFile(BytesIO(unpacked(response.content, taken)))


def unpacked(content: bytes, taken: str) -> bytes:
    if taken == "gzip":
        return gzip.decompress(content)
    import brotli

    found: bytes = brotli.decompress(content)
    return found
