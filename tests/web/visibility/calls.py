"""Every address of the API: its scope, and to whom of the scene it answers.

A new resource needs its lines here, in the order of method and path.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from django.utils import timezone

from talleyrand.tournament.acts.people_acts import AddPerson
from talleyrand.tournament.board_rules import CLASSIC, variant_powers
from talleyrand.tournament.model import EventBoard, PowerSeat, RoundState
from talleyrand.tournament.model import EventPerson as Known
from talleyrand.web.api import openapi_document
from talleyrand.web.games.models import Game
from talleyrand.web.press.models import Conversation, Message, MessageState
from talleyrand.web.tournaments import event_documents, event_journal
from talleyrand.web.tournaments.league_pages import league_seasons
from talleyrand.web.tournaments.models import LeagueDivision, Tournament, TournamentLeague, random_token
from talleyrand.web.webhooks.models import Webhook
from tests.web import cast
from tests.web.tournaments import scene
from tests.web.visibility.expected import COLUMNS
from tests.web.visibility.scene import MARKS

# Whom a kind of address answers at all, by the columns of `expected`; without a token only what is public.
WHOM = {
    "public": "vsoamFGRrTtIA",
    "all": "soamFGRrTtIA",
    "players": "FGrTt",
    "acting": "FGrt",  # who orders: not whom another stands in for
    "standing": "FGrTt",  # of the open phase
    "sheets": "mFGrTt",
    "receipt": "mFr",  # of France, Russia and England sheets have come
    "published": "soamFGRrTtIA",
    "desk": "am",
    "master": "m",
    "pair": "mFG",  # who reads what France and Germany write
    "waiting": "m",
    "own": "F",  # France’s player alone
    "seated": "oamFGrTt",  # who has a role
    "inviting": "m",
    "invited": "soamFGRrTtIA",
    "nobody": "",  # there is none in this game
}
# Before the start Roman still plays Russia and Irène Italy, nobody stands in for anybody, and
# nothing is there to be read.
GATHERING = {
    "players": "FGRTI",
    "acting": "FGRTI",
    "standing": "",
    "sheets": "mFGRTI",
    "receipt": "",
    "published": "",
    "pair": "",
    "waiting": "",
    "seated": "oamFGRTI",
}
OVER = {"standing": "", "inviting": ""}
AT = {"gathering": GATHERING, "ended": OVER, "abandoned": OVER}
# scope, method, path, whom. Of a change those are named to whom the thing is there at all.
LINES = """
read     GET    /games                                                 all
read     GET    /games/{key}                                           all
read     GET    /games/{key}/log                                       all
read     GET    /games/{key}/phases                                    all
read     GET    /games/{key}/phases/{number}                           published
read     GET    /games/{key}/phases/{number}/revisions                 published
read     GET    /games/{key}/phases/{number}/revisions/{hash}          published
read     GET    /games/{key}/phases/{number}/options                   published
read     GET    /games/{key}/phases/{number}/why/{province}            published
read     GET    /games/{key}/phases/{number}/map.{form}                published
read     GET    /games/{key}/record                                    published
read     GET    /games/{key}/record.{form}                             published
orders   GET    /games/{key}/phases/{number}/orders/{power}            standing
orders   PUT    /games/{key}/phases/{number}/orders/{power}/draft      acting
orders   POST   /games/{key}/phases/{number}/orders/{power}/sheets     acting
orders   PUT    /games/{key}/phases/{number}/orders/{power}/final      acting
orders   GET    /games/{key}/phases/{number}/orders/{power}/sheets     sheets
orders   GET    /games/{key}/phases/{number}/orders/{power}/sheets/{receipt}  receipt
letters  GET    /games/{key}/rooms                                     all
letters  POST   /games/{key}/rooms/{room}/read                         pair
letters  GET    /games/{key}/letters                                   all
letters  POST   /games/{key}/letters                                   all
desk     GET    /games/{key}/letters/held                              master
desk     POST   /games/{key}/letters/{letter}/pass                     waiting
desk     POST   /games/{key}/letters/{letter}/return                   waiting
tables   POST   /games                                                 all
tables   POST   /games/{key}/join                                      all
tables   GET    /invitations/{token}                                   invited
tables   POST   /invitations/{token}/join                              invited
tables   PUT    /games/{key}/wishes                                    players
tables   POST   /games/{key}/leave                                     seated
tables   POST   /games/{key}/powers/{power}/give-up                    players
read     GET    /games/{key}/people                                    all
tables   DELETE /games/{key}/people/{row}                              master
tables   GET    /games/{key}/invitations                               inviting
tables   POST   /games/{key}/invitations                               inviting
tables   DELETE /games/{key}/invitations/{row}                         inviting
tables   POST   /games/{key}/begin                                     master
tables   POST   /games/{key}/abandon                                   master
tables   GET    /games/{key}/absences                                  seated
tables   POST   /games/{key}/absences                                  players
tables   DELETE /games/{key}/absences/{row}                            players
tables   POST   /games/{key}/pause                                     players
tables   POST   /games/{key}/go-on                                     players
read     GET    /games/{key}/proposals                                 all
tables   POST   /games/{key}/proposals                                 own
tables   POST   /games/{key}/proposals/{row}/answers                   nobody
tables   DELETE /games/{key}/proposals/{row}                           nobody
desk     GET    /games/{key}/desk                                      desk
desk     PUT    /games/{key}/desk/deadline                             desk
desk     POST   /games/{key}/desk/pause                                desk
desk     POST   /games/{key}/desk/resume                               desk
desk     POST   /games/{key}/desk/reminders                            desk
desk     PUT    /games/{key}/desk/dates                                master
desk     GET    /games/{key}/desk/preview                              master
desk     POST   /games/{key}/desk/adjudicate                           master
desk     POST   /games/{key}/desk/retry                                desk
desk     POST   /games/{key}/desk/phases/{number}/orders/{power}       master
read     GET    /games/{key}/gazettes                                  all
desk     POST   /games/{key}/gazettes                                  desk
desk     DELETE /games/{key}/gazettes/{row}                            desk
desk     GET    /games/{key}/desk/seats/{power}                        master
desk     PUT    /games/{key}/desk/seats/{power}/player                 master
desk     POST   /games/{key}/desk/seats/{power}/end-stand-in           master
desk     POST   /games/{key}/desk/seats/{power}/script                 master
desk     POST   /games/{key}/desk/seats/{power}/vacate                 master
desk     PUT    /games/{key}/desk/seats/{power}/computer               master
desk     PUT    /games/{key}/desk/seats/{power}/disorder               master
desk     POST   /games/{key}/desk/seats/{power}/invitation             master
desk     POST   /games/{key}/desk/people                               master
desk     DELETE /games/{key}/desk/people/{row}                         master
desk     POST   /games/{key}/desk/reveal                               master
desk     POST   /games/{key}/desk/end                                  master
desk     POST   /games/{key}/desk/abandon                              master
desk     POST   /games/{key}/desk/reopen                               master
desk     GET    /games/{key}/desk/last                                 master
desk     POST   /games/{key}/desk/take-back                            master
desk     POST   /games/{key}/desk/restore                              master
desk     POST   /games/{key}/desk/override                             master
desk     POST   /games/{key}/desk/position                             master
account  GET    /news                                                  all
account  POST   /news/read                                             all
account  GET    /news/kinds                                            all
account  GET    /news/choices                                          all
account  PUT    /news/choices                                          all
account  GET    /webhooks                                              all
account  POST   /webhooks                                              all
account  GET    /webhooks/{hook}                                       own
account  DELETE /webhooks/{hook}                                       own
account  POST   /webhooks/{hook}/pause                                 own
account  POST   /webhooks/{hook}/resume                                own
account  POST   /webhooks/{hook}/trial                                 own
account  POST   /webhooks/{hook}/secret                                own
account  GET    /webhooks/{hook}/calls                                 own
read     GET    /calendar                                              all
account  GET    /calendar/feed                                         all
account  POST   /calendar/feed/renew                                   all
account  GET    /me                                                    all
account  PATCH  /me                                                    all
read     GET    /players/{name}                                        all
read     GET    /tournaments                                           public
read     GET    /tournaments/{tournament}                              public
read     GET    /tournaments/{tournament}/event                        public
read     GET    /tournaments/{tournament}/people                       public
read     GET    /tournaments/{tournament}/rounds/{number}              public
read     GET    /tournaments/{tournament}/rounds/{number}/clock        public
read     GET    /tournaments/{tournament}/rounds/{number}/boards/{board}/photos             public
read     GET    /tournaments/{tournament}/photos/{photo}               public
read     GET    /tournaments/{tournament}/standings                    public
read     GET    /tournaments/{tournament}/prizes                       public
read     GET    /tournaments/{tournament}/rulings                      public
tournaments  GET   /tournaments/{tournament}/desk                      desk
tournaments  GET   /tournaments/{tournament}/desk/standings            desk
tournaments  GET   /tournaments/{tournament}/desk/log                  desk
tournaments  POST  /tournaments/{tournament}/desk/acts                 desk
tournaments  PUT   /tournaments/{tournament}/rounds/{number}/presence/{person}             desk
tournaments  POST  /tournaments/{tournament}/rounds/{number}/boards/{board}/result         desk
tournaments  POST  /tournaments/{tournament}/rounds/{number}/boards/{board}/result/confirm  desk
tournaments  POST  /tournaments/{tournament}/desk/log/{entry}/undo     desk
tournaments  PUT   /tournaments/{tournament}/rounds/{number}/boards/{board}/years/{year}   desk
tournaments  POST  /tournaments/{tournament}/rounds/{number}/boards/{board}/photos         desk
tournaments  PATCH  /tournaments/{tournament}/photos/{photo}           desk
tournaments  DELETE  /tournaments/{tournament}/photos/{photo}          desk
read     GET    /leagues                                               public
read     GET    /leagues/{league}                                      public
read     GET    /leagues/{league}/seasons/{season}                     public
read     POST   /judge                                                 all
read     POST   /judge/read                                            all
read     POST   /judge/options                                         all
read     GET    /variants                                              all
read     GET    /variants/{name}                                       all
read     GET    /rulebooks                                             all
read     GET    /rulebooks/{name}                                      all
"""
# What each change is sent, where nothing is not enough for it to be read.
BODIES: dict[str, Any] = {
    "PUT /games/{key}/phases/{number}/orders/{power}/draft": {"lines": []},
    "POST /games/{key}/phases/{number}/orders/{power}/sheets": {"lines": []},
    "PUT /games/{key}/phases/{number}/orders/{power}/final": {"final": True},
    "POST /games/{key}/letters": {"to": ["AUSTRIA"], "text": "zz"},
    "POST /games/{key}/letters/{letter}/return": {"reason": "zz"},
    "POST /games": {"name": "zz"},
    "PUT /games/{key}/wishes": {"wishes": []},
    "POST /games/{key}/abandon": {"reason": "zz"},
    "POST /games/{key}/absences": {"first": "2030-01-01", "last": "2030-01-02"},
    "POST /games/{key}/proposals": {"power": "FRANCE", "number": 1},
    "POST /games/{key}/proposals/{row}/answers": {"power": "FRANCE", "choice": "yes"},
    "PUT /games/{key}/desk/deadline": {"due": None, "hours": 1},
    "POST /games/{key}/desk/reminders": {"number": 1},
    "PUT /games/{key}/desk/dates": {"dates": {"movement": {"by": "hand"}}},
    "POST /games/{key}/desk/adjudicate": {"number": 1},
    "POST /games/{key}/desk/phases/{number}/orders/{power}": {"lines": []},
    "POST /games/{key}/gazettes": {"number": 0, "text": "zz"},
    "PUT /games/{key}/desk/seats/{power}/player": {"name": "Sylvain", "mark": 0},
    "POST /games/{key}/desk/seats/{power}/end-stand-in": {"mark": 0},
    "POST /games/{key}/desk/seats/{power}/vacate": {"mark": 0},
    "PUT /games/{key}/desk/seats/{power}/computer": {"player": "values:normal", "mark": 0},
    "PUT /games/{key}/desk/seats/{power}/disorder": {"disorder": True},
    "POST /games/{key}/desk/people": {"name": "Sylvain", "role": "observer"},
    "POST /games/{key}/desk/end": {"powers": []},
    "POST /games/{key}/desk/abandon": {"reason": "zz"},
    "POST /games/{key}/desk/take-back": {"number": 1, "revision": 1},
    "POST /games/{key}/desk/restore": {"number": 1, "revision": 1},
    "POST /games/{key}/desk/override": {"number": 1, "revision": 1, "changes": [], "reason": "zz"},
    "POST /games/{key}/desk/position": {"number": 1, "revision": 1, "reason": "zz"},
    "PUT /news/choices": {"items": []},
    "POST /webhooks": {"address": "https://example.org/zz"},
    "POST /tournaments/{tournament}/desk/acts": {"acts": [{"kind": "renamed", "name": "zz"}]},
    "PUT /tournaments/{tournament}/rounds/{number}/presence/{person}": {"present": True},
    "POST /tournaments/{tournament}/rounds/{number}/boards/{board}/result": {"result": {"centres": {}}},
    "POST /tournaments/{tournament}/rounds/{number}/boards/{board}/result/confirm": {"digest": ""},
    "PUT /tournaments/{tournament}/rounds/{number}/boards/{board}/years/{year}": {"centres": {}},
    "PATCH /tournaments/{tournament}/photos/{photo}": {"public": True},
    "POST /judge": {"phase": "S1901M"},
    "POST /judge/read": {"phase": "S1901M"},
    "POST /judge/options": {"phase": "S1901M"},
}


@dataclass(frozen=True)
class Line:
    """One address with one method."""

    scope: str
    method: str
    path: str
    whom: str

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def body(self) -> Any:
        """What is sent with it."""
        return None if self.method == "GET" else BODIES.get(self.name, {})

    def answers(self, moment: str) -> set[str]:
        """Who is answered at a moment."""
        letters = AT.get(moment, {}).get(self.whom, WHOM[self.whom])
        return {COLUMNS[letter] for letter in letters}


def lines() -> list[Line]:
    return [Line(*line.split()) for line in LINES.strip().splitlines()]


def declared() -> set[tuple[str, str, str]]:
    """Scope, method and path of all that the schema holds."""
    found = openapi_document.operations(openapi_document.openapi_schema())
    return {(operation["x-scope"], method.upper(), path) for path, method, operation in found}


def addresses(line: Line, game: Game) -> Iterator[str]:
    """The path with each value that leads somewhere in this game; an argument that is new here fails."""
    names = re.findall(r"{(\w+)}", line.path)
    part, known = line.path.split("/")[1], _values(game)
    values = [known[f"{part}:{name}" if name == "name" else name] for name in names]
    for several in itertools.product(*values):
        path = line.path
        for name, value in zip(names, several, strict=True):
            path = path.replace(f"{{{name}}}", str(value))
        yield path.replace("record.svg", "record.txt")


def _room(game: Game) -> str:
    """That of France and Germany."""
    found = Conversation.objects.filter(game=game, participants_key="FRANCE+GERMANY").first()
    return found.key if found else "nowhere"


def _held(game: Game) -> str:
    found = Message.objects.filter(conversation__game=game, state=MessageState.HELD).first()
    return found.key if found else "nowhere"


def _tournament() -> str:
    """One that anybody may open, of people whose names are nobody’s, directed by the game master."""
    found = Tournament.objects.filter(name="Angers 2026").first()
    if found is not None:
        return found.key
    made = scene.tournament()
    scene.assistant(made)
    known = Known("Somebody", rounds=(1,))
    event_journal.perform_acts(made, [AddPerson(known)], event_journal.JournalActor(scene.director()))
    row = Tournament.objects.get(pk=made.pk)
    event = event_documents.event_of(row)
    seats = {power: PowerSeat(1 if power == "FRANCE" else None) for power in variant_powers(CLASSIC)}
    played = replace(event.rounds[1], state=RoundState.PLAYING, boards={1: EventBoard(seats=seats)})
    row.document = event_documents.document_from_event(replace(event, rounds={**event.rounds, 1: played}))
    row.state_token = random_token()
    row.save(update_fields=["document", "state_token"])
    facts = {"round_number": 1, "board_number": 1, "sent_at": timezone.now(), "width": 1, "height": 1}
    row.photos.create(key="ofboard1", content=b"a photo", is_public=True, **facts)
    return made.key


def _league() -> str:
    """One that anybody may open, of that tournament."""
    division = Tournament.objects.get(key=_tournament())
    made = league_seasons.create_league("Ligue", scene.director(), "a form")
    LeagueDivision.objects.get_or_create(league=made, season=1, rank=1, tournament=division)
    TournamentLeague.objects.filter(pk=made.pk).update(is_listed=True)
    return made.key


def _values(game: Game) -> dict[str, list[Any]]:
    revision = game.revisions.filter(phase_number=1).first()
    return {
        "key": [game.key],
        "number": [number for number in (1, game.phase_number) if number] if game.phase_number != 1 else [1],
        "power": ["ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"],
        "province": ["PAR"],
        "receipt": [1],
        "hash": [f"{revision.revision}-{revision.digest[:16]}" if revision else "1-0123456789abcdef"],
        "form": ["svg"],
        "room": [_room(game)],
        "letter": [_held(game)],
        "row": [1],
        "token": [MARKS["invitation"]],
        "hook": [Webhook.objects.get(person=cast.person("Flora"), submission_id="a form").key],
        "tournament": [_tournament()],
        "league": [_league()],
        "season": [1],
        "person": [1],
        "board": [1],
        "entry": [1],
        "year": [1901],
        "photo": ["ofboard1"],
        "players:name": [cast.STRANGER],
        "variants:name": ["classic"],
        "rulebooks:name": ["anjou_feu"],
    }
