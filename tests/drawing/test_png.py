"""The PNG: right size, something on it, the same everywhere, and clear words where there is none."""

import re
import struct
import sys
import zlib
from collections.abc import Iterator
from dataclasses import replace

import pytest

from talleyrand import drawing, variants
from talleyrand.drawing import png as door
from talleyrand.engine.errors import TalleyrandError
from tests.drawing.pictures import CLASSIC

START = CLASSIC.definition.start
SVG = drawing.draw_board(CLASSIC, START)


def size(picture: bytes) -> tuple[int, int]:
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


def pixels(picture: bytes) -> bytes:
    """The filtered pixels: the same for the same picture."""
    data, at = b"", 8
    while at < len(picture):
        (length,) = struct.unpack(">I", picture[at : at + 4])
        if picture[at + 4 : at + 8] == b"IDAT":
            data += picture[at + 8 : at + 8 + length]
        at += length + 12
    return zlib.decompress(data)


def chunks(picture: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The parts of a picture, whose sums are right."""
    at = 8
    while at < len(picture):
        (length,) = struct.unpack(">I", picture[at : at + 4])
        kind, data = picture[at + 4 : at + 8], picture[at + 8 : at + 8 + length]
        assert picture[at + 8 + length : at + 12 + length] == struct.pack(">I", zlib.crc32(kind + data))
        yield kind, data
        at += length + 12


class TestPicture:
    @pytest.fixture(autouse=True)
    def needs_the_extra(self) -> None:
        pytest.importorskip("resvg_py")

    @pytest.mark.long
    @pytest.mark.parametrize("width", [400, 1200])
    def test_has_the_width_asked_and_the_height_that_goes_with_it(self, width: int) -> None:
        picture = door.render_png(drawing.draw_board(CLASSIC, START, caption=False), width)
        assert size(picture) == (width, -(-width * 696 // 1000))

    @pytest.mark.one_in(3)
    @pytest.mark.parametrize("name", variants.playable_names())
    def test_is_not_blank(self, name: str) -> None:
        variant = variants.load(name)
        drawn = drawing.draw_board(variant, variant.definition.start, caption=False)
        box = re.search(r'viewBox="[^"]*"', drawn)
        assert box is not None
        bare = f'<svg xmlns="http://www.w3.org/2000/svg" {box[0]}/>'
        blank = pixels(door.render_png(bare, 300))
        full = pixels(door.render_png(drawn, 300))
        assert len(full) == len(blank)
        assert len(set(full)) > 100 > len(set(blank))

    @pytest.mark.long
    def test_is_the_same_each_time(self) -> None:
        assert door.render_png(SVG, 400) == door.render_png(SVG, 400)

    @pytest.mark.long
    def test_differs_when_a_unit_moves(self) -> None:
        moved = tuple(
            unit._replace(location="BUR") if unit.location == "PAR" else unit for unit in START.units
        )
        other = drawing.draw_board(CLASSIC, replace(START, units=moved))
        assert pixels(door.render_png(SVG, 400)) != pixels(door.render_png(other, 400))

    @pytest.mark.long
    def test_shows_letters(self) -> None:
        assert pixels(door.render_png(drawing.draw_empty_board(CLASSIC), 600)) != pixels(
            door.render_png(drawing.draw_empty_board(CLASSIC, labels=False), 600)
        )

    @pytest.mark.long
    @pytest.mark.parametrize("name", ["classic", "diplomatie_2000"])
    def test_moves(self, name: str) -> None:
        """Each frame is the picture of its drawing, in order, each part with its sum; no larger than a chat
        takes.
        """
        variant = variants.load(name)
        svgs = [
            drawing.draw_board(variant, variant.definition.start, title=title, legend=False)
            for title in ("Un", "Deux", "Trois")
        ]
        moving = door.render_animation(svgs, (1.5, 3, 0.25))
        assert len(moving) < 1_500_000
        parts = list(chunks(moving))
        assert [kind for kind, _ in parts[:4]] == [b"IHDR", b"acTL", b"fcTL", b"IDAT"]
        assert parts[1][1] == struct.pack(">II", 3, 0)
        shown = [data for kind, data in parts if kind == b"fcTL"]
        assert [struct.unpack(">HH", data[20:24]) for data in shown] == [
            (1500, 1000),
            (3000, 1000),
            (250, 1000),
        ]
        assert {struct.unpack(">II", data[4:12]) for data in shown} == {size(moving)}
        numbered = [data[:4] for kind, data in parts if kind in (b"fcTL", b"fdAT")]
        assert numbered == [struct.pack(">I", number) for number in range(len(numbered))]
        frames = [data for kind, data in parts if kind in (b"IDAT", b"fdAT")]
        single = [door.render_png(svg, 800) for svg in svgs]
        assert [zlib.decompress(frames[0]), *(zlib.decompress(one[4:]) for one in frames[1:])] == [
            pixels(one) for one in single
        ]

    @pytest.mark.long
    def test_refuses_to_move_between_sizes(self) -> None:
        other = drawing.draw_board(CLASSIC, START, legend=False)
        with pytest.raises(ValueError, match="several sizes"):
            door.render_animation([SVG, other], (1, 1), 100)

    @pytest.mark.parametrize("width", [0, -5, 15, 8001, 10**9])
    def test_refuses_a_width_that_makes_no_picture(self, width: int) -> None:
        with pytest.raises(TalleyrandError) as refused:
            door.render_png(SVG, width)
        assert (refused.value.code, refused.value.facts["width"]) == ("bad_width", str(width))

    @pytest.mark.parametrize("text", ["", "A PAR - BUR", "<svg", "<html/>"])
    def test_refuses_what_is_no_drawing(self, text: str) -> None:
        with pytest.raises(TalleyrandError) as refused:
            door.render_png(text)
        assert refused.value.code == "not_svg"


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(TalleyrandError) as refused:
        door.render_png(SVG)
    assert (refused.value.code, refused.value.facts) == ("png_needs_draw_extra", {"extra": "draw"})
