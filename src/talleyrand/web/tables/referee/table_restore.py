"""A table from its archive: every phase is judged anew, so that nothing in a file is believed that can be
computed; everyone has a new QR code, and the clock stands with the time that was left.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from typing import Any

from django.db import DataError, IntegrityError

from talleyrand import scoring, variants
from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats import question_input
from talleyrand.variants import Variant
from talleyrand.web.accounts import guests
from talleyrand.web.boards import adjudicator
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.bots import bot_players
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import game_bots, game_log, order_submission, secret_votes
from talleyrand.web.games.deadlines.deadline_errors import InvalidDeadlineSettings
from talleyrand.web.games.endings.end_proposal_rules import CountedPosition, ProposalOutcome
from talleyrand.web.games.game_history import initial_situation
from talleyrand.web.games.game_settings import GameSettings
from talleyrand.web.games.models import (
    EndProposal,
    Game,
    GameMembership,
    GameRole,
    GameSeat,
    GameState,
    OrderSet,
    PhaseRevision,
    PowerAssignment,
    random_token,
)
from talleyrand.web.games.order_state_labels import ORIGINS
from talleyrand.web.practice import practice_records
from talleyrand.web.practice.models import PracticeTurn
from talleyrand.web.practice.practice_records import ImportedGame
from talleyrand.web.tables.models import Dealing, Table, TablePlayer, new_table_code
from talleyrand.web.tables.table_clock import LEAST_MINUTES, MOST_MINUTES, TableClock
from talleyrand.web.tables.table_opening import REFEREE_SEAT

from .seat_acts import MOST_PEOPLE
from .table_archive import DIGEST, FORMAT, VERSION, Json, archive_digest

LARGEST_ARCHIVE = 2 << 20
DEEPEST = 40  # brackets within brackets
EFFORT = 1_000_000  # steps of judging a whole game anew: a random one of 30 phases takes 250,000, 0.7 s
MOST_RECEIVED = 20_000
LONGEST_LEFT = timedelta(days=2)
BROKEN = (TalleyrandError, InvalidDeadlineSettings, LookupError, TypeError, ValueError, AttributeError)


class ArchiveRefusal(Exception):
    """A file of which no table was made: `too_large`, `not_one`, `damaged`, `newer` (written by a later
    version), `too_long`, `over` (its game was over), or `judge` with the judge's own `sentence`.
    """

    def __init__(self, code: str, sentence: str = "") -> None:
        super().__init__(code)
        self.code, self.sentence = code, sentence


@dataclass(frozen=True)
class ReadArchive:
    """An archive that has been checked, with its game played through."""

    told: Json
    variant: Variant
    rulebook: str | Json
    settings: GameSettings
    clock: TableClock
    played: ImportedGame


def read_archive(content: bytes) -> ReadArchive:
    """What a file holds, all of it checked; raises ArchiveRefusal."""
    told = _parsed(content)
    try:
        return _checked(told)
    except ArchiveRefusal:
        raise
    except practice_records.ImportRefusal as refused:
        raise ArchiveRefusal("judge", refused.sentence) from None
    except QuestionRefusal as refused:
        raise ArchiveRefusal("judge", refused.sentence) from None
    except BROKEN:
        raise ArchiveRefusal("damaged") from None


def _parsed(content: bytes) -> Json:
    if len(content) > LARGEST_ARCHIVE:
        raise ArchiveRefusal("too_large")
    try:
        told = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise ArchiveRefusal("damaged" if b'"talleyrand table"' in content[:200] else "not_one") from None
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise ArchiveRefusal("not_one")
    version = told.get("version")
    if not isinstance(version, int) or not 1 <= version <= VERSION:
        raise ArchiveRefusal("newer")
    if told.get(DIGEST) != archive_digest(told) or _depth(told) > DEEPEST:
        raise ArchiveRefusal("damaged")
    if told.get("stands") is None:
        raise ArchiveRefusal("over")
    return told


def _depth(value: Any) -> int:
    """How deep brackets stand within brackets."""
    deepest, rows = 0, [value]
    while rows:
        deepest += 1
        inside = [
            one.values() if isinstance(one, dict) else one for one in rows if isinstance(one, (dict, list))
        ]
        rows = [one for several in inside for one in several]
    return deepest


def _checked(told: Json) -> ReadArchive:
    record = told["record"]
    variant, book = variants.load(_text(record["variant"])), record["rulebook"]
    clock = _clock(told["clock"])
    settings = _settings(told["settings"], variant, clock)
    _check_people(told, variant)
    played = practice_records.import_game(json.dumps(record), most=EFFORT)
    adjudicator.check_question(adjudicator.make_question(variant.name, book, "", dict(told["stands"])))
    return ReadArchive(told, variant, book, settings, clock, played)


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > 64 or not value.isprintable():
        raise ArchiveRefusal("damaged")
    return value


def _settings(kept: Mapping[str, Any], variant: Variant, clock: TableClock) -> GameSettings:
    """The agreement, each of its values of the kind that it has to be; the clock is the table's."""
    found, usual = GameSettings.from_json(kept), GameSettings()
    for one in fields(GameSettings):
        value, known = getattr(found, one.name), getattr(usual, one.name)
        if known is not None and type(value) is not type(known):
            raise ArchiveRefusal("damaged")
    scoring.load(found.scoring)
    question_input.read_naming(found.naming or None, variant)
    if not all(isinstance(text, str) for pair in found.readings.items() for text in pair):
        raise ArchiveRefusal("damaged")
    powers = set(variant.definition.seats)
    named = {*found.passive, *found.disordered, *(power for share in found.shares for power in share)}
    if not named <= powers:
        raise ArchiveRefusal("damaged")
    return replace(found, start={}, rhythm=clock.deadline_settings().as_json(), bots="")


def _clock(kept: Mapping[str, Any]) -> TableClock:
    found = TableClock.from_json(kept)
    lengths = (found.first, found.moves, found.writing, found.between)
    if not all(type(one) is int and LEAST_MINUTES <= one <= MOST_MINUTES for one in lengths):
        raise ArchiveRefusal("damaged")
    return found


def _check_people(told: Json, variant: Variant) -> None:
    people = told["people"]
    numbers = [one["number"] for one in people]
    if not people or len(people) > MOST_PEOPLE or len(told["received"]) > MOST_RECEIVED:
        raise ArchiveRefusal("too_long")
    if REFEREE_SEAT not in numbers or len(set(numbers)) < len(numbers):
        raise ArchiveRefusal("damaged")
    for one in people:
        _text(one["name"])
        if type(one["number"]) is not int or not 0 <= one["number"] < 10_000:
            raise ArchiveRefusal("damaged")
        if not set(one["powers"]) <= set(variant.definition.seats):
            raise ArchiveRefusal("damaged")
    known = {*variant.definition.seats}
    seats = {number for power in told["powers"].values() for number in power["seats"]}
    if not told["powers"].keys() <= known or not seats <= {*numbers, None}:
        raise ArchiveRefusal("damaged")


def restore_table(read: ReadArchive, submission: str, now: datetime) -> Table:
    """The table of an archive, in another row of its own; the same submission again is the same table.

    Raises ArchiveRefusal: damaged.
    """
    try:
        return _restored(read, submission, now)
    except (*BROKEN, OverflowError, DataError, IntegrityError):
        raise ArchiveRefusal("damaged") from None


@write_transaction
def _restored(read: ReadArchive, submission: str, now: datetime) -> Table:
    once = hashlib.sha256(f"{submission or random_token()} {read.told[DIGEST]}".encode()).hexdigest()
    known = Table.objects.filter(submission_id=once).first()
    if known is not None:
        return known
    code = new_table_code()
    host = guests.make_guest("host", code)
    game = _game(read, host, now)
    table = Table.objects.create(
        game=game,
        code=code,
        submission_id=once,
        host=host,
        dealing=Dealing(read.told["dealing"]),
        clock=read.clock.as_json(),
    )
    GameMembership.objects.create(game=game, person=host, role=GameRole.GAME_MASTER)
    _seat_people(table, read)
    PhaseRevision.objects.bulk_create(_revisions(game, read))
    OrderSet.objects.bulk_create(_order_sets(game, read))
    EndProposal.objects.bulk_create(_proposals(game, read, now))
    game_bots.request_bot_orders(game)
    game_log.add_log_entry(game, "table_restored", role=GameRole.GAME_MASTER)
    return table


def _game(read: ReadArchive, host: Any, now: datetime) -> Game:
    told, left = read.told, read.told["seconds_left"]
    script, until = told["scripted"]
    return Game.objects.create(
        name=_text(told["name"])[:80],
        variant=read.variant.name,
        scripted_variant=variants.load(_text(script)).name if script else "",
        scripted_until_phase=int(until),
        rulebook=read.rulebook,
        settings_json=read.settings.as_json(),
        is_listed=False,
        state=GameState.PAUSED,
        phase_number=len(read.played.turns) + 1,
        phase=_text(told["stands"]["phase"]),
        phase_opened_at=_moment(told["phase_opened"]) or now,
        started_at=_moment(told["started"]) or now,
        creator=host,
        time_left_when_paused=None if left is None else min(timedelta(seconds=int(left)), LONGEST_LEFT),
    )


def _moment(text: str | None) -> datetime | None:
    found = datetime.fromisoformat(text) if text else None
    if found is not None and found.tzinfo is None:
        raise ArchiveRefusal("damaged")
    return found


def _seat_people(table: Table, read: ReadArchive) -> None:
    players = {}
    for one in read.told["people"]:
        person = guests.make_guest(one["name"] or str(one["number"]), table.code)
        players[one["number"]] = TablePlayer.objects.create(
            table=table,
            number=one["number"],
            person=person,
            powers=list(one["powers"]),
            is_referee=bool(one["is_referee"]) or one["number"] == REFEREE_SEAT,
            is_beginner=bool(one["is_beginner"]),
            is_on_paper=bool(one["is_on_paper"]),
        )
    playing = set()
    for power, kept in read.told["powers"].items():
        seat = GameSeat.objects.create(
            game=table.game,
            power=power,
            bot=bot_players.known_bots({power: str(kept["bot"])}).get(power, "") if kept["bot"] else "",
            in_civil_disorder=bool(kept["disorder"]),
            missed_phases=min(max(int(kept["missed"]), 0), 99),
        )
        for order, number in enumerate(kept["seats"][:2]):
            player = players.get(number)
            playing.add(number)
            PowerAssignment.objects.create(
                seat=seat, person=player.person if player else None, is_stand_in=order == 1
            )
    GameMembership.objects.bulk_create(
        GameMembership(
            game=table.game,
            person=player.person,
            role=GameRole.PLAYER if number in playing else GameRole.OBSERVER,
        )
        for number, player in players.items()
        if number in playing or number == REFEREE_SEAT
    )


def _revisions(game: Game, read: ReadArchive) -> Iterator[PhaseRevision]:
    """Each phase as it is judged here; what it leads to is where the next one began."""
    start = read.played.start or initial_situation(read.variant, read.settings)
    turns = read.played.turns
    yield PhaseRevision(game=game, phase_number=0, revision=1, kind="start", digest="", next_situation=start)
    situation = dict(start)
    for at, turn in enumerate(turns):
        absent = list((turn.situation or {}).get("absent") or ())
        told = _begun(turn, situation)
        asked = adjudicator.make_question(
            game.variant_of_phase(turn.phase_number), game.rulebook, game.seed, told
        )
        answer = {**turn.answer, "id": None}
        lines = {power: rows for power, rows in turn.orders.items() if power}
        following = adjudicator.situation_after({**asked, "absent": absent}, answer)
        if at + 1 == len(turns):
            following = dict(read.told["stands"])
        yield PhaseRevision(
            game=game,
            phase_number=turn.phase_number,
            revision=1,
            kind="adjudication",
            phase=turn.phase,
            situation=told,
            order_lines=lines,
            powers_without_orders=absent,
            digest=secret_votes.phase_digest(asked, lines, absent),
            answer=answer,
            next_situation=following,
        )
        situation = following or {}


def _begun(turn: PracticeTurn, situation: Json) -> Json:
    """The situation with which a phase began: the one before led to `situation`, unless it was set then."""
    aside = {"absent", "torn", "corrected"}
    if turn.phase_number > 1 and not turn.phase.endswith("R"):
        aside |= adjudicator.RETREAT_FIELDS
    return {name: value for name, value in (turn.situation or situation).items() if name not in aside}


def _order_sets(game: Game, read: ReadArchive) -> Iterator[OrderSet]:
    last = len(read.played.turns)
    for one in read.told["received"]:
        lines = [str(line)[:1000] for line in one["lines"]]
        if not 1 <= int(one["phase_number"]) <= last or one["power"] not in read.told["powers"]:
            raise ArchiveRefusal("damaged")
        yield OrderSet(
            game=game,
            phase_number=int(one["phase_number"]),
            power=one["power"],
            receipt_number=int(one["receipt"]),
            idempotency_key=random_token(),
            lines=lines,
            digest=order_submission.order_set_digest(game, one["power"], lines),
            origin=one["origin"] if one["origin"] in ORIGINS else "text",
            received_at=datetime.fromisoformat(one["at"]),
        )


def _proposals(game: Game, read: ReadArchive, now: datetime) -> Iterator[EndProposal]:
    """What was proposed before, so that no one proposes again too soon."""
    for one in read.told["proposals"][:1000]:
        number, state = int(one["phase_number"]), ProposalOutcome(one["state"])
        if number >= game.phase_number and state == ProposalOutcome.ACCEPTED:
            continue  # it would end the game here
        yield EndProposal(
            game=game,
            phase_number=number,
            phase=_text(one["phase"]),
            proposer=_text(one["proposer"]),
            counted_position=CountedPosition(one["counted_position"]),
            state=state,
            created_at=now,
            closed_at=now,
        )
