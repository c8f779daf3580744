"""Papers and files: who gets which, what stands in them, and what comes back in."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from urllib.parse import quote

import pytest
import segno
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from talleyrand.printing import pdf
from talleyrand.tournament import acts, board_rules, codec, prizes, standings
from talleyrand.tournament.acts.result_acts import CorrectResult
from talleyrand.tournament.acts.round_acts import RevealRound
from talleyrand.tournament.acts.ruling_acts import AddRuling
from talleyrand.tournament.exports import event_archive
from talleyrand.tournament.model import (
    BoardResult,
    DirectorRuling,
    Event,
    EventBoard,
    EventPerson,
    EventRound,
    PowerSeat,
    PrivateFacts,
    RoundState,
)
from talleyrand.web.background.models import GeneratedDocument
from talleyrand.web.boards import paper_downloads
from talleyrand.web.common import qr_codes
from talleyrand.web.tournaments import access_tokens, event_journal, tournament_creation
from talleyrand.web.tournaments.event_documents import event_of
from talleyrand.web.tournaments.models import Tournament, TournamentRole
from talleyrand.web.tournaments.papers import paper_pdf, tournament_archives
from tests.tournament import invented, test_weekend
from tests.web import cast
from tests.web.tournaments import scene, weekend

pytestmark = pytest.mark.django_db
LIST = "Nom;Club;Rondes;Courriel\nQuitterie Albon;Brest;;\nThéo Nouveau;Lyon;3 4;theo@example.org\nHugo;;9;"


def client(name: str = "") -> Client:
    """A visitor: the director, or somebody else, or nobody."""
    visitor = Client()
    if name:
        visitor.force_login(cast.person(name))
    return visitor


def way(name: str, made: Tournament, *more: object) -> str:
    return reverse(f"tournaments:{name}", args=[made.key, *more])


def again(made: Tournament) -> Tournament:
    return Tournament.objects.get(pk=made.pk)


class TestLists:
    """A list is looked at before it is taken in, and nothing typed is lost."""

    def look(self, made: Tournament, **typed: object) -> str:
        answer = client(cast.MASTER).post(way("paper_people", made), {"list": LIST, "rounds": "all", **typed})
        return answer.content.decode()

    def test_what_is_understood_is_shown_and_nothing_is_done(self) -> None:
        made = weekend.tournament()
        page = self.look(made)
        assert "Théo Nouveau" in page
        assert "compléter Quitterie Albon" in page
        assert "La même personne que Quitterie Albon, qui figure déjà" in page  # who is of another club
        assert '<strong class="trouble">1 ligne est ignorée.</strong>' in page
        assert "les rondes sont 1, 2, 3, 4" in page
        assert again(made).version == made.version

    def test_it_is_taken_in_in_one_piece_once(self) -> None:
        made = weekend.tournament()
        for _ in range(2):  # two clicks
            answer = client(cast.MASTER).post(
                way("paper_people", made),
                {"list": LIST, "rounds": "all", "do": "take", "submission": "a form", "line2": "change:17"},
            )
            assert answer.status_code == 302
        event = event_of(again(made))
        assert [event.people[20].name, event.people[20].rounds] == ["Théo Nouveau", (3, 4)]
        assert (event.people[17].club, len(event.people)) == ("Brest", 20)
        assert again(made).version == made.version + 1
        event_journal.undo_entry(
            again(made), again(made).version, event_journal.JournalActor(scene.director())
        )
        assert event_of(again(made)) == event_of(made)

    def test_columns_and_lines_are_as_was_chosen(self) -> None:
        made = weekend.tournament()
        chosen = {"column0": "name", "column1": "town", "column2": "", "column3": "mail", "line2": "skip"}
        self.look(made, do="take", **chosen, line3="add")
        event = event_of(again(made))
        assert (event.people[20].town, event.people[20].rounds) == ("Lyon", (3, 4))
        assert event.people[17] == event_of(made).people[17]

    def test_a_list_that_is_known_says_so_and_keeps_what_was_chosen(self) -> None:
        made = weekend.tournament()
        page = self.look(made, list="Nom\nQuitterie Albon\nHugo Lacombe", do="take", line3="skip")
        assert "Rien à importer" in page
        assert '<option value="skip" selected>' in page.split('name="line3"')[1]
        assert '<option value="change:17" selected>' in page.split('name="line2"')[1]

    @pytest.mark.parametrize("content", [b"PK\x03\x04", b"", b"\x00\x01\x02", b"Nom;Club\n"])
    def test_a_file_that_cannot_be_read_leaves_what_was_typed(self, content: bytes) -> None:
        made = weekend.tournament()
        typed = {"list": "" if not content else "Nom\nUrsule", "file": SimpleUploadedFile("l.csv", content)}
        answer = client(cast.MASTER).post(way("paper_people", made), typed)
        assert answer.status_code == 409
        assert ("Ursule" in answer.content.decode()) is bool(content)

    def test_a_file_of_windows_is_read(self) -> None:
        made = weekend.tournament()
        file = SimpleUploadedFile("l.csv", "Prénom;Nom\nÉlisée;Bœuf".encode("cp1252"))
        page = client(cast.MASTER).post(way("paper_people", made), {"file": file}).content.decode()
        assert "Élisée;Bœuf" in page


class TestArchive:
    """What leaves as one file comes back as the same tournament."""

    def sent(self, name: str, content: bytes) -> tuple[Client, str]:
        visitor = client(name)
        answer = visitor.post(reverse("tournaments:restore"), {"file": SimpleUploadedFile("a.zip", content)})
        return visitor, answer.content.decode()

    def archive(self, made: Tournament, query: str = "") -> bytes:
        return client(cast.MASTER).get(way("paper_archive", made) + query).content

    def restored(self, name: str, content: bytes) -> Tournament:
        visitor, page = self.sent(name, content)
        waiting = page.split('name="waiting" value="')[1].split('"')[0]
        for _ in range(2):  # two clicks
            visitor.post(reverse("tournaments:restore"), {"waiting": waiting})
        return Tournament.objects.get(submission_id=waiting)

    def test_the_same_document_and_the_same_log(self) -> None:
        made = weekend.tournament()
        TestLists().look(made, do="take", line2="change:17")
        event_journal.undo_entry(again(made), 1, event_journal.JournalActor(scene.director()))
        content = self.archive(made)
        Tournament.objects.all().delete()
        found = self.restored(cast.STRANGER, content)
        told = event_archive.read_archive(content)
        assert found.document == told.document
        assert event_archive.read_archive(self.archive_of(found)).entries == told.entries
        assert [one.role for one in found.memberships.all()] == ["director"]
        event_journal.undo_entry(found, 2, event_journal.JournalActor(cast.person(cast.STRANGER)))
        assert len(event_of(again(found)).people) == 20

    def test_who_of_the_desk_did_it_is_told_without_a_name(self) -> None:
        made = weekend.tournament()
        made.memberships.create(account=cast.person(cast.ASSISTANT), role=TournamentRole.ASSISTANT)
        for name in (cast.MASTER, cast.ASSISTANT, cast.OBSERVER):
            note = AddRuling(DirectorRuling("2026-07-04T12:00:00Z", f"By {name}."))
            event_journal.perform_acts(made, [note], event_journal.JournalActor(cast.person(name)))
        content = self.archive(made)
        hands = ["director 1", "assistant 2", "former 3"]
        assert [one.hand for one in event_archive.read_archive(content).entries] == hands
        found = self.restored(cast.STRANGER, content)
        event_journal.undo_entry(found, 3, event_journal.JournalActor(cast.person(cast.STRANGER)))
        assert [one.hand for one in event_archive.read_archive(self.archive_of(found)).entries] == [
            *hands,
            "director 4",
        ]
        page = client(cast.STRANGER).get(way("desk_log", found)).content.decode()
        assert all(said in page for said in ("directeur du tournoi n°\u00a01", "assistant n°\u00a02"))

    @pytest.mark.long
    def test_a_whole_weekend_is_the_same_on_an_empty_site(self) -> None:
        """Late arrivals, replacements, two boards, votes, rulings, a final: to the last digit, and undone."""
        played = test_weekend.played()
        made = tournament_creation.create_tournament(codec.read_value(Event, played.first), scene.director())
        for told in played.acts:
            event_journal.perform_acts(
                made, [acts.read_act(told)], event_journal.JournalActor(scene.director())
            )
        content = self.archive(made)
        before = standings.compute_standings(event_of(again(made)))
        Tournament.objects.all().delete()
        found = self.restored(cast.STRANGER, content)
        assert standings.compute_standings(event_of(found)) == before
        assert prizes.award_prizes(event_of(found)) == prizes.award_prizes(played.event)
        assert [one.acts for one in found.entries.order_by("number")] == [[told] for told in played.acts]
        last = found.entries.count()
        for number in range(last, last - 12, -1):
            event_journal.undo_entry(
                again(found), number, event_journal.JournalActor(cast.person(cast.STRANGER))
            )
        assert again(found).version == last + 12

    def archive_of(self, found: Tournament) -> bytes:
        return client(cast.STRANGER).get(way("paper_archive", found)).content

    def test_links_go_with_the_director_alone(self) -> None:
        made = weekend.tournament()
        key = access_tokens.token_of(made, 3).token
        scene.assistant(made)
        assert event_archive.read_archive(self.archive(made, "?links")).links[0].key == key
        assert event_archive.read_archive(self.archive(made)).links == ()
        told = client(cast.ASSISTANT).get(way("paper_archive", made) + "?links").content
        assert event_archive.read_archive(told).links == ()

    def test_links_work_elsewhere_and_are_made_new_beside_the_first(self) -> None:
        made = weekend.tournament()
        key, content = access_tokens.token_of(made, 3).token, self.archive(made, "?links")
        beside = self.restored(cast.STRANGER, content)
        assert not beside.passes.exists()
        Tournament.objects.all().delete()
        assert self.restored(cast.STRANGER, content).passes.get(person_number=3).token == key

    @pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04", bytes(6_000_000)])
    def test_no_archive_is_refused_with_a_sentence(self, content: bytes) -> None:
        _, page = self.sent(cast.STRANGER, content)
        assert 'role="alert"' in page
        assert not Tournament.objects.exists()

    def test_somebody_elses_file_is_not_there(self) -> None:
        made = weekend.tournament()
        _, page = self.sent(cast.MASTER, self.archive(made))
        waiting = page.split('name="waiting" value="')[1].split('"')[0]
        for name in (cast.STRANGER, cast.OBSERVER):
            answer = client(name).post(reverse("tournaments:restore"), {"waiting": waiting})
            assert answer.status_code == 409
        assert Tournament.objects.count() == 1

    def test_a_file_that_was_forgotten_goes(self) -> None:
        content = self.archive(weekend.tournament())
        self.sent(cast.OBSERVER, content)
        GeneratedDocument.objects.update(requested_at=timezone.now() - tournament_archives.UPLOAD_KEPT * 2)
        self.sent(cast.STRANGER, content)
        self.sent(cast.STRANGER, content)
        assert [row.name.split("/")[1] for row in GeneratedDocument.objects.all()] == [
            str(cast.person(cast.STRANGER).pk)
        ]

    def test_nobody_restores_without_an_account(self) -> None:
        assert client().get(reverse("tournaments:restore")).status_code == 302


DESK = (
    ("paper_people",), ("paper_archive",), ("paper_badges",), ("paper_diplomas",), ("paper_cards", 1),
    ("paper_slips", 1), ("paper_sheets", 1), ("paper_script", 1), ("paper_file", "people"),
    ("paper_file", "names"), ("paper_file", "wdd"), ("paper_file", "event"),
)  # fmt: skip
PUBLIC = (
    ("papers",), ("paper_draw", 1), ("paper_standings",), ("paper_results",), ("paper_file", "draws"),
    ("paper_file", "results"), ("paper_file", "standings"), ("paper_file", "figures"),
    ("paper_file", "wiki"), ("paper_file", "games"),
)  # fmt: skip
ABSENT = (
    ("paper_cards", 4), ("paper_cards", 9), ("paper_draw", 4), ("paper_sheets", 0), ("paper_script", 2),
    ("paper_file", "../secret"), ("paper_file", ""),
)  # fmt: skip


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Papers as the pages they are made from."""
    monkeypatch.setattr(
        paper_downloads, "get_document", lambda _name, _job, told, **_more: told["html"].encode()
    )


@pytest.mark.usefixtures("plain")
class TestDoors:
    """What one may not see answers as what does not exist."""

    @pytest.mark.one_in(4)
    @pytest.mark.parametrize("where", [*DESK, *PUBLIC])
    def test_the_desk_has_them_all(self, where: tuple[str, ...]) -> None:
        made = weekend.tournament()
        scene.assistant(made)
        for name in (cast.MASTER, cast.ASSISTANT):
            assert client(name).get(way(where[0], made, *where[1:])).status_code == 200

    @pytest.mark.parametrize("where", ["papers", "screens"])
    def test_the_menu_of_the_desk_stands_on_its_own_pages_alone(self, where: str) -> None:
        made = weekend.tournament()
        said = {name: client(name).get(way(where, made)).content.decode() for name in (cast.MASTER, "")}
        assert f'href="{way("desk_round", made, 3)}"' in said[cast.MASTER]
        assert "desk-nav" not in said[""]

    @pytest.mark.one_in(2)
    @pytest.mark.parametrize("where", DESK)
    def test_nobody_else_has_what_is_the_desks(self, where: tuple[str, ...]) -> None:
        made = weekend.tournament()
        for name in (cast.STRANGER, ""):
            assert client(name).get(way(where[0], made, *where[1:])).status_code == 404

    @pytest.mark.parametrize("where", PUBLIC)
    def test_all_have_what_is_public_unless_nothing_is(self, where: tuple[str, ...]) -> None:
        made = weekend.tournament()
        answer = client().get(way(where[0], made, *where[1:]))
        assert answer.status_code == 200
        assert not [told for told in weekend.SECRETS if told in answer.content.decode("utf-8", "replace")]
        Tournament.objects.update(is_listed=False)
        assert client().get(way(where[0], made, *where[1:])).status_code == 404

    @pytest.mark.parametrize("where", ABSENT)
    def test_what_does_not_exist_is_nobodys(self, where: tuple[str, int]) -> None:
        made = weekend.tournament()
        base = way("papers", made)
        asked = f"{base}fichiers/{where[1]}" if where[0] == "paper_file" else way(where[0], made, *where[1:])
        assert client(cast.MASTER).get(asked).status_code == 404

    @pytest.mark.parametrize("where", PUBLIC)
    def test_a_hidden_round_is_in_no_public_file(self, where: tuple[str, ...]) -> None:
        """Nobody outside the desk can tell from a file what a hidden round has brought."""
        made, by = weekend.tournament(), event_journal.JournalActor(scene.director())
        event_journal.perform_acts(made, [RevealRound(2, shown=False)], by)
        before = self.public(made, where)
        table = event_of(again(made)).rounds[2].boards[1]
        other = dict(zip(table.seats, (1, 2, 3, 4, 5, 6, 13), strict=True))
        event_journal.perform_acts(made, [CorrectResult(2, 1, BoardResult(other, year=1907))], by)
        assert self.public(made, where) == before

    def public(self, made: Tournament, where: tuple[str, ...]) -> str:
        """What anybody gets, without what differs from answer to answer."""
        content = client().get(way(where[0], made, *where[1:])).content.decode("utf-8", "replace")
        return re.sub(r'(nonce|value|data-topics|content)="[^"]*"', "", content)


def test_a_name_that_is_all_signs_does_no_harm_to_a_style_sheet() -> None:
    told = paper_pdf._quoted('"; } </style><script>é\\')
    assert told == "\\22 \\3b  \\7d  \\3c \\2f style\\3e \\3c script\\3e é\\5c "


def test_a_square_of_a_paper_has_the_points_of_that_of_a_page() -> None:
    link = "http://192.168.1.20:8000/tournois/k3/entrer/é?x=1&y=%2F"
    wanted = [list(row) for row in segno.make(link, micro=False, error="m").matrix_iter(border=4)]
    picture = Image.open(BytesIO(qr_codes.qr_png(link))).convert("L")
    size = qr_codes.PIXELS
    points = range(size // 2, picture.width, size)
    assert [[int(picture.getpixel((x, y)) == 0) for x in points] for y in points] == wanted
    assert paper_downloads.fetch_paper_part(f"qr:{quote(link, safe='')}") == (
        qr_codes.qr_png(link),
        "image/png",
    )


@pytest.mark.skipif(
    not pdf.is_installed() or shutil.which("pdftotext") is None, reason="no PDF can be read here"
)
class TestPaper:
    """The papers themselves, opened and read."""

    def read(self, made: Tournament, tmp_path: Path, *where: object) -> list[str]:
        answer = client(cast.MASTER).get(way(str(where[0]), made, *where[1:]))
        assert answer["Content-Type"] == "application/pdf"
        file = tmp_path / "paper.pdf"
        file.write_bytes(answer.content)
        told = subprocess.run(["pdftotext", "-layout", file, "-"], capture_output=True, check=True).stdout
        return told.decode().split("\f")[:-1]

    def test_a_card_for_each_board(self, tmp_path: Path) -> None:
        pages = self.read(weekend.tournament(), tmp_path, "paper_cards", 1)
        assert len(pages) == 2
        assert all(
            one in pages[0] for one in ("Table 1", "Autriche", "Joachim Perrin", "1906", "18", "Salle 1")
        )
        assert "suit son script" in pages[1]

    @pytest.mark.long
    def test_badges_of_everybody(self, tmp_path: Path) -> None:
        made = weekend.tournament()
        pages = self.read(made, tmp_path, "paper_badges")
        assert len(pages) == 2
        assert [made.passes.count(), sum(page.count("Anjou Feu 2026") for page in pages)] == [19, 19]

    @pytest.mark.long
    def test_slips_of_every_seat_weigh_little(self, tmp_path: Path) -> None:
        pages = self.read(weekend.tournament(), tmp_path, "paper_slips", 1)
        assert len(pages) == 13
        for page in pages:
            words = [re.findall(one, page) for one in (r"Table \d+ · .*?ronde 1", "Printemps", "Retraites")]
            assert [len(found) for found in words] == [4, 4, 4]
            assert len({" ".join(found.split()) for found in words[0]}) == 1  # the same four times
        assert [page.split()[0] for page in pages[:3]] == ["Autriche", "Angleterre", "France"]
        assert (tmp_path / "paper.pdf").stat().st_size < 60_000  # each is laid out and kept once
        sizes = subprocess.run(["pdfinfo", tmp_path / "paper.pdf"], capture_output=True, check=True).stdout
        assert b"(A4)" in sizes

    def test_slips_of_boards_without_players_are_blank(self, tmp_path: Path) -> None:
        event = weekend.event()
        nobody = {
            1: EventBoard(seats={power: PowerSeat(None) for power in board_rules.variant_powers("classic")})
        }
        rounds = {**event.rounds, 3: replace(event.rounds[3], boards=nobody)}
        made = tournament_creation.create_tournament(replace(event, rounds=rounds), scene.director())
        pages = self.read(made, tmp_path, "paper_slips", 3)
        assert [page.count("Printemps") for page in pages] == [4]

    def test_the_standings_fit_on_a_page(self, tmp_path: Path) -> None:
        pages = self.read(weekend.tournament(27), tmp_path, "paper_standings")
        assert len(pages) == 1
        assert "Classement" in pages[0]

    def test_no_page_is_left_with_a_line_alone(self, tmp_path: Path) -> None:
        """What does not fit takes the last lines before it along."""
        event, long = (
            weekend.event(27),
            "Les diplomates d’Anjou et de Touraine, section de Nantes et de la Loire",
        )
        told = {who: replace(one, club=long if who < 12 else one.club) for who, one in event.people.items()}
        made = tournament_creation.create_tournament(replace(event, people=told), scene.director())
        pages = self.read(made, tmp_path, "paper_standings")
        lines = [len(re.findall(r"^ *\d+ .*\d$", page, re.MULTILINE)) for page in pages]
        assert len(lines) == 2
        assert lines[1] > 3

    def test_all_of_a_whole_event(self, tmp_path: Path, full: bool) -> None:
        made = tournament_creation.create_tournament(invented.season()[1], scene.director())
        event = event_of(made)
        for paper in ("paper_results", "paper_diplomas") if full else ("paper_standings",):
            pages = self.read(made, tmp_path, paper)
            assert (len(pages) > len(event.rounds)) is full
            assert event.people[standings.compute_standings(event).lines[0].person].name in pages[0]


@pytest.mark.long
@pytest.mark.usefixtures("plain")
def test_diplomas_say_who_has_what_and_no_figure_of_a_vote() -> None:
    made = tournament_creation.create_tournament(invented.season()[1], scene.director())
    event = event_of(made)
    page = client(cast.MASTER).get(way("paper_diplomas", made)).content.decode()
    diplomas = page.split('<section class="diploma">')[1:]
    assert event.people[standings.compute_standings(event).lines[0].person].name in diplomas[0]
    assert "Première place" in diplomas[0]
    assert any("boule de fort" in one for one in diplomas)
    voted = [one for one in diplomas if "Phylloxéra" in one or "Catroux" in one]
    assert len(voted) == 2
    assert not [one for one in voted if 'class="points"' in one]


@pytest.mark.usefixtures("plain")
def test_a_shared_prize_says_who_keeps_it_or_leaves_a_line() -> None:
    for born, told in (("1990", "plus jeune\u00a0: ……"), ("2001", "plus jeune\u00a0: Zoé")):
        made = tournament_creation.create_tournament(_shared(born), scene.director())
        page = client(cast.MASTER).get(way("paper_diplomas", made)).content.decode()
        assert "décerné à égalité à" in page
        assert told in page
        said = client(cast.MASTER).get(way("papers", made)).content.decode()
        assert ("Première place. " in said) is (born == "1990")


def _shared(born: str) -> Event:
    """Two people who have played the same, of whom one was born in 1990."""
    seats = {power: PowerSeat() for power in board_rules.variant_powers("classic")}
    even = dict(zip(seats, (5, 5, 5, 5, 5, 5, 4), strict=True))
    first, second = list(seats)[:2]
    table = EventBoard(
        seats={**seats, first: PowerSeat(1), second: PowerSeat(2)}, result=BoardResult(even, confirmed="desk")
    )
    people = {
        1: EventPerson("Yann", private=PrivateFacts(born="1990")),
        2: EventPerson("Zoé", private=PrivateFacts(born=born)),
    }
    one = EventRound(RoundState.CLOSED, present={1: weekend.HOUR, 2: weekend.HOUR}, boards={1: table})
    return Event("Égaux", people=people, rounds={1: one})
