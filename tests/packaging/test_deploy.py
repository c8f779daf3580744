"""The files for a large site name commands, options, settings and ports that there are."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from talleyrand.cli.console import CliSentences
from talleyrand.cli.parser import build_parser
from talleyrand.web.limits import thread_pool

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
PAGES = [ROOT / "docs/fr/howto/grandir.md", ROOT / "docs/en/howto/growing.md"]
FILES = sorted(one for one in DEPLOY.rglob("*") if one.is_file())
BESIDES = {"TALLEYRAND_NAME"}  # of the composition alone
COMMAND = re.compile(
    r"(?:^|[/ =`])(talleyrand (?:serve|pages|events|clock|worker|smtp|backup|move)\b[^#\n`]*)", re.MULTILINE
)


def commands(text: str) -> list[list[str]]:
    joined = re.sub(r"\\\n\s*", "", text)
    return [shlex.split(found)[1:] for found in COMMAND.findall(joined)]


def composed(text: str) -> list[list[str]]:
    """The commands of a composition or an image, which are lists."""
    found = re.findall(
        r'^\s*(?:command: |CMD )\["((?:serve|pages|events|clock|worker|smtp)[^\]]*)"\]', text, re.MULTILINE
    )
    return [one.split('", "') for one in found]


@pytest.mark.parametrize("file", [*PAGES, *FILES], ids=lambda file: file.name)
def test_every_command_can_be_typed(file: Path) -> None:
    text = file.read_text("utf-8").replace("%i", "8001")
    for arguments in [*commands(text), *composed(text)]:
        assert "run" in build_parser(CliSentences("en")).parse_args(arguments), arguments


def test_there_are_commands() -> None:
    assert all(len(commands(page.read_text("utf-8"))) >= 7 for page in PAGES)
    assert len(composed((DEPLOY / "compose.yaml").read_text("utf-8"))) == 5
    assert all(commands(unit.read_text("utf-8")) for unit in DEPLOY.glob("systemd/*"))


def test_every_setting_is_one() -> None:
    settings = (ROOT / "docs/en/reference/site.md").read_text("utf-8")
    known = set(re.findall(r"^\| `(TALLEYRAND_\w+)`", settings, re.MULTILINE)) | BESIDES
    for file in [*PAGES, *FILES]:
        assert set(re.findall(r"TALLEYRAND_[A-Z_]+", file.read_text("utf-8"))) <= known, file.name


def test_the_proxies_know_the_same_ports() -> None:
    ports, events, practice = {"8001", "8002"}, {"8100"}, {"8050"}
    for name in ("nginx.conf", "Caddyfile"):
        found = set(re.findall(r"127\.0\.0\.1:(\d+)", (DEPLOY / name).read_text("utf-8")))
        assert found == ports | events | practice
    for name, ports_of_it in (("events", events), ("practice", practice)):
        unit = (DEPLOY / f"systemd/talleyrand-{name}.service").read_text("utf-8")
        assert set(re.findall(r"--port (\d+)", unit)) == ports_of_it
    for page in PAGES:
        assert set(re.findall(r"talleyrand-pages@(\d+)", page.read_text("utf-8"))) == ports


@pytest.mark.parametrize("page", PAGES, ids=["fr", "en"])
def test_every_file_named_is_there(page: Path) -> None:
    for link in re.findall(r"\]\(([^)]+)\)", page.read_text("utf-8")):
        assert (page.parent / link).exists(), link
    named = {Path(one).name for one in re.findall(r"deploy/([\w./-]+)", page.read_text("utf-8"))}
    assert {"nginx.conf", "Caddyfile", "compose.yaml", "talleyrand.env"} <= named


def test_an_image_is_made_of_what_is_known_beforehand() -> None:
    """No tag that may name something else tomorrow, no package without its hash, nothing from elsewhere."""
    image, composition = ((DEPLOY / name).read_text("utf-8") for name in ("Dockerfile", "compose.yaml"))
    bases = re.findall(r"^FROM (\S+)", image, re.MULTILINE)
    others = set(re.findall(r"^ +image: (\S+)", composition, re.MULTILINE)) - {"talleyrand"}
    assert len(bases) == 1
    assert len(others) == 2
    assert [
        one for one in (*bases, *others) if not re.fullmatch(r"[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}", one)
    ] == []
    assert "--from=" not in image
    assert "ADD " not in image
    assert "http" not in image


@pytest.mark.parametrize("file", [DEPLOY / "Dockerfile", *PAGES], ids=lambda file: file.name)
def test_what_is_installed_has_its_hash_or_comes_from_the_project(file: Path) -> None:
    installs = re.findall(r"pip install (.*?)(?: \\| +#.*)?$", file.read_text("utf-8"), re.MULTILINE)
    locked, (own,) = installs[:-1], installs[-1:]
    assert [Path(shlex.split(one)[-1]).name for one in locked] == ["build.txt", "image.txt"]
    assert all("--require-hashes" in one for one in locked)
    assert {"--no-deps", "--no-build-isolation", "--no-index"} <= set(shlex.split(own))


def test_processes_of_a_container_are_waited_for() -> None:
    assert re.search(r"^  init: true$", (DEPLOY / "compose.yaml").read_text("utf-8"), re.MULTILINE)


def test_the_proxies_have_a_body_whole_before_a_page_waits_for_it() -> None:
    """`talleyrand pages` answers by a few threads: each would wait for who sends drip by drip."""
    for name in ("Caddyfile", "compose.Caddyfile"):
        _events, *pages = re.findall(
            r"reverse_proxy [^{]*\{(.*?)\}", (DEPLOY / name).read_text("utf-8"), re.DOTALL
        )
        assert len(pages) == 2, name
        assert all("request_buffers 6MB" in one for one in pages), name
    assert "proxy_request_buffering" not in (DEPLOY / "nginx.conf").read_text("utf-8")  # it does by itself


@pytest.mark.parametrize(
    ("name", "opening"),
    [("nginx.conf", "location ~ "), ("Caddyfile", "path_regexp "), ("compose.Caddyfile", "path_regexp ")],
)
def test_the_proxies_send_dear_pages_where_nobody_else_waits(name: str, opening: str) -> None:
    """The same pages as `talleyrand serve` answers at low priority, and no others."""
    text = (DEPLOY / name).read_text("utf-8")
    (written,) = re.findall(rf"{re.escape(opening)}(\S*reglements\S*)", text)
    for path in thread_pool.expensive_prefixes():
        assert re.search(written, path), path
        assert re.search(written, f"{path.rstrip('/')}/anything/"), path
    for path in ("/", "/en/", "/parties/", "/en/games/", "/player/", "/sante/", "/api/games", "/api/judges"):
        assert not re.search(written, path), path
        assert not thread_pool.is_expensive(path) or path == "/api/judges"


def test_one_address_does_not_hold_every_thread_of_practice() -> None:
    """nginx counts them; of Caddy, which cannot, the pages say so."""
    unit = (DEPLOY / "systemd/talleyrand-practice.service").read_text("utf-8")
    (threads,) = re.findall(r"--threads (\d+)", unit)
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    (practice,) = re.findall(r"location [^{]*reglements[^{]*\{(.*?)\}", text, re.DOTALL)
    ((zone, most),) = re.findall(r"limit_conn (\w+) (\d+);", practice)
    assert int(most) < int(threads)
    assert re.search(rf"^limit_conn_zone \$talleyrand_line zone={zone}:", text, re.MULTILINE)
    (network,) = re.findall(r'"~(\S+)" \$network;', text)
    found = re.match(network.replace("?<", "?P<"), "2001:db8:1:2::7")
    assert found
    assert found["network"] == "2001:db8:1:2:"
    assert not re.match(network.replace("?<", "?P<"), "203.0.113.7")
    assert all("Caddy" in page.read_text("utf-8").partition("429")[2] for page in PAGES)


def test_slow_work_is_done_at_low_priority() -> None:
    assert "\nNice=5\n" in (DEPLOY / "systemd/talleyrand-practice.service").read_text("utf-8")
