"""Drawings of variants of one's own that would run, fetch, grow or never end: each is a finding, soon."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from talleyrand.variant_check import check_variant
from talleyrand.variants import variant_folder

FILES = ("variant.toml", "names.fr.toml", "names.en.toml", "anchors.toml", "map.svg")
LAUGHS = "".join(f'<!ENTITY a{at} "' + f"&a{at - 1};" * 10 + '">' for at in range(1, 10))
HOSTILE = {
    "a script": "<script>zz()</script>",
    "a script of another alphabet": '<x:script xmlns:x="http://www.w3.org/2000/svg">zz()</x:script>',
    "a page within": '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><script/></body></foreignObject>',
    "a frame": '<iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:zz()"/>',
    "a handler": '<rect onload="zz()" width="1" height="1"/>',
    "a handler in capitals": '<rect OnClick="zz()" width="1" height="1"/>',
    "a link": '<a href="javascript:zz()"><rect width="1" height="1"/></a>',
    "a picture from elsewhere": '<image href="http://127.0.0.1/a.png" width="1" height="1"/>',
    "a picture of the machine": '<image href="file:///etc/passwd" width="1" height="1"/>',
    "a picture within": '<image href="data:image/svg+xml,%3Csvg/%3E" width="1" height="1"/>',
    "a use from elsewhere": '<use href="http://127.0.0.1/a.svg#b"/>',
    "an old use from elsewhere": '<use xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="a.svg#b"/>',
    "a style from elsewhere": "<style>@import 'http://127.0.0.1/a.css';</style>",
    "a style that spells it": r"<style>rect { fill: \75rl(http://127.0.0.1/a) }</style>",
    "a fill from elsewhere": '<rect fill="url(http://127.0.0.1/a#b)" width="1" height="1"/>',
    "a filter that fetches": '<filter id="f"><feImage href="http://127.0.0.1/a"/></filter>',
    "a change of a link": '<animate attributeName="href" to="javascript:zz()"/>',
    "a set of a link": '<set attributeName="href" to="javascript:zz()"/>',
}
WHOLE = {
    "a billion laughs": f'<!DOCTYPE svg [<!ENTITY a0 "ha">{LAUGHS}]><svg viewBox="0 0 9 9">&a9;</svg>',
    "one long entity often": f'<!DOCTYPE svg [<!ENTITY a "{"a" * 50_000}">]><svg>{"&a;" * 50_000}</svg>',
    "an entity of a file": '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg>&a;</svg>',
    "an entity of a parameter": '<!DOCTYPE svg [<!ENTITY % a SYSTEM "http://127.0.0.1/a"> %a;]><svg/>',
    "a style sheet of its own": '<?xml-stylesheet href="http://127.0.0.1/a.xsl"?><svg viewBox="0 0 9 9"/>',
    "an unknown entity": '<svg viewBox="0 0 9 9">&nbsp;</svg>',
    "a hundred thousand storeys": f'<svg viewBox="0 0 9 9">{"<g>" * 100_000}{"</g>" * 100_000}</svg>',
    "far away": '<svg viewBox="0 0 9 9"><path id="p-PEA" d="M1e308 1e308L-1e308 9z"/></svg>',
    "nowhere": '<svg viewBox="0 0 9 9"><path id="p-PEA" d="MNaN 0Linf 9z"/></svg>',
    "a number of a million digits": f'<svg viewBox="0 0 {"9" * 1_000_000} 9"/>',
    "a sheet without size": '<svg viewBox="0 0 0 0"/>',
    "a million attributes": "<svg " + " ".join(f"a{at}=''" for at in range(100_000)) + "/>",
    "cut off": '<svg viewBox="0 0 9 9"><path id="p-PEA" d="M0 0',
}
BOX = '<rect {}="url(#p)" width="9" height="9"/>'
RECURSION = (
    '<use id="u" href="#u"/>',
    '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>',
    "".join(f'<g id="l{at}">' + f'<use href="#l{at + 1}"/>' * 10 + "</g>" for at in range(9))
    + '<g id="l9"/>',
    f'<pattern id="p" width="1" height="1">{BOX.format("fill")}</pattern>{BOX.format("fill")}',
    f'<mask id="p">{BOX.format("mask")}</mask>{BOX.format("mask")}',
    f'<filter id="p"><feGaussianBlur stdDeviation="99999999"/></filter>{BOX.format("filter")}',
)


@pytest.fixture
def trio(tmp_path: Path) -> Path:
    folder = tmp_path / "trio"
    folder.mkdir()
    for file in FILES:
        shutil.copy(str(variant_folder("trio") / file), folder / file)
    return folder


def codes(folder: Path) -> set[str]:
    return {finding.key[0] for finding in check_variant(folder).findings}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", HOSTILE)
def test_what_runs_or_fetches_is_found(trio: Path, name: str) -> None:
    drawn = (trio / "map.svg").read_text("utf-8")
    (trio / "map.svg").write_text(drawn.replace("</svg>", f"{HOSTILE[name]}</svg>"), "utf-8")
    assert "svg_alive" in codes(trio)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", WHOLE)
def test_what_grows_or_never_ends_is_found(trio: Path, name: str) -> None:
    (trio / "map.svg").write_text(WHOLE[name], "utf-8")
    assert codes(trio)


@pytest.mark.parametrize("drawn", RECURSION)
def test_a_drawing_of_itself_is_no_endless_picture(drawn: str) -> None:
    """Should it come to be drawn after all: a picture, or no drawing."""
    from talleyrand.drawing.png import render_png
    from talleyrand.engine.errors import TalleyrandError

    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{drawn}</svg>'
    try:
        made = render_png(svg, 64)
    except TalleyrandError:
        return
    assert made.startswith(b"\x89PNG")


def test_a_drawing_reads_no_file(tmp_path: Path) -> None:
    """The maker of pictures fetches nothing: with and without what is named, the picture is the same."""
    from talleyrand.drawing.png import render_png

    dot = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>'
    (tmp_path / "secret.svg").write_text(dot, "utf-8")
    asked = (tmp_path / "secret.svg").as_uri()
    frame = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'
    for told in (f'<image href="{asked}" width="9" height="9"/>', f'<use href="{asked}#a"/>'):
        assert render_png(frame.format(told), 64) == render_png(frame.format(""), 64)
