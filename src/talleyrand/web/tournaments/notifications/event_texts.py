"""Draws, standings, rulings and prizes as text, for a chat, a wiki or a message: what all may read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.utils import translation
from django.utils.translation import gettext as _

from talleyrand.tournament import public_view
from talleyrand.tournament.board_rules import scripted_powers, seat_players
from talleyrand.tournament.model import Event, EventBoard, EventRound
from talleyrand.web.tournaments.models import Tournament
from talleyrand.web.tournaments.public_site import public_prizes, public_standings, public_texts
from talleyrand.web.tournaments.tournament_names import alphabetical
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

MOST_ROWS = 40  # of the standings that a chat is sent
MARKED = {sign: f"\\{sign}" for sign in "\\*_~`|>[]<#@"}
OF_WIKI = {sign: f"&#{ord(sign)};" for sign in "|[]{}<>'=~_&"}


@dataclass(frozen=True)
class TextStyle:
    """How text is set: what somebody typed is shown as it is, whatever signs it is made of."""

    plain: Callable[[str], str]
    title: str = "{}"
    heading: str = "{}"
    item: str = "{}"


def _translated(table: dict[str, str]) -> Callable[[str], str]:
    signs = str.maketrans(table)
    return lambda text: text.translate(signs)


def _of_wiki(text: str) -> str:
    """Addresses are no links there."""
    return _translated(OF_WIKI)(text).replace("://", "&#58;//")


TEXT_STYLES = {
    "text": TextStyle(str, item="  {}"),
    "markdown": TextStyle(_translated(MARKED), "**{}**", "**{}**", "- {}"),
    "wiki": TextStyle(_of_wiki, "== {} ==", "=== {} ===", "* {}"),
}


@dataclass(frozen=True)
class EventTextWriter:
    """Writes about one event in one language and style; a text is a list of parts that belong together."""

    tournament: Tournament
    language: str
    style: TextStyle = TEXT_STYLES["text"]

    @property
    def _sight(self) -> TournamentViewer:
        return TournamentViewer(self.tournament)

    def _title(self, what: str) -> str:
        event = self._sight.event
        return self.style.title.format(
            self.style.plain(_("%(event)s – %(what)s") % {"event": event.name, "what": what})
        )

    def _part(self, heading: str, lines: Iterator[str]) -> str:
        told = [self.style.item.format(self.style.plain(line)) for line in lines]
        return "\n".join([self.style.heading.format(self.style.plain(heading)), *told])

    def draw(self, number: int, *, by_name: bool = False) -> list[str]:
        """Who plays what, board by board, who stands down; and the same by name."""
        with translation.override(self.language):
            event = self._sight.visible_event
            one = event.rounds[number]
            boards = [self._board(event, at, board) for at, board in sorted(one.boards.items())]
            rest = list(self._resting(event, one))
            names = [self._part(_("By name"), _by_name(event, one))] if by_name else []
            return [
                self._title(_("board draw of round %(number)s") % {"number": number}),
                *boards,
                *rest,
                *names,
            ]

    def _board(self, event: Event, at: int, board: EventBoard) -> str:
        heading = _("Final table, board %(board)s") if board.final else _("Board %(board)s")
        told = heading % {"board": at} + (f" ({board.place})" if board.place else "")
        return self._part(told, (seat_line(event, board, power) for power in board.seats))

    def _resting(self, event: Event, one: EventRound) -> Iterator[str]:
        if one.resting:
            names = ", ".join(event.people[who].name for who in alphabetical(event, one.resting))
            yield self.style.plain(_("Sitting out: %(names)s") % {"names": names})

    def changes(self, number: int, changed: list[tuple[int, str]]) -> list[str]:
        """The seats of a draw that have changed since it was posted."""
        with translation.override(self.language):
            event = self._sight.visible_event
            boards = event.rounds[number].boards
            told = (
                _("Board %(board)s, %(seat)s") % {"board": at, "seat": seat_line(event, boards[at], power)}
                for at, power in changed
                if at in boards and power in boards[at].seats
            )
            return [self._part(_("Round %(number)s, changes:") % {"number": number}, told)]

    def standings(self) -> list[str]:
        """The first of the official standings, as far as they are shown."""
        with translation.override(self.language):
            found = public_standings.visible_standings(self._sight)
            rows = public_standings.standings_rows(self._sight, found)[:MOST_ROWS]
            last = max((game.round for game in found.games), default=0) if found else 0
            told = (f"{one.place}. {one.name} – {one.total}" for one in rows)
            what = _("standings after round %(number)s") % {"number": last}
            return [self._title(what), *(self.style.item.format(self.style.plain(one)) for one in told)]

    def ruling(self, number: int) -> list[str]:
        """A ruling that is shown to all."""
        with translation.override(self.language):
            one = self._sight.visible_event.rulings[number]
            where = _("Ruling")
            if one.round and one.board:
                where = _("Ruling, round %(round)s, board %(board)s") % {
                    "round": one.round,
                    "board": one.board,
                }
            elif one.round:
                where = _("Ruling, round %(round)s") % {"round": one.round}
            return [f"{self.style.heading.format(self.style.plain(where))}\n{self.style.plain(one.text)}"]

    def prizes(self) -> list[str]:
        """Who has won what."""
        with translation.override(self.language):
            won = [one for one in public_prizes.public_prizes(self._sight) if one.holders]
            told = (
                _("%(prize)s: %(names)s") % {"prize": one.title, "names": ", ".join(one.holders)}
                for one in won
            )
            return [
                self._title(_("prizes")),
                *(self.style.item.format(self.style.plain(one)) for one in told),
            ]

    def trial(self) -> list[str]:
        """What a trial says."""
        with translation.override(self.language):
            return [
                self.style.plain(
                    _("It works: updates about %(event)s will be posted here.")
                    % {"event": self._sight.event.name}
                )
            ]


def seat_line(event: Event, board: EventBoard, power: str) -> str:
    """A power and whoever plays it, one after the other."""
    seat = board.seats[power]
    names = ", ".join(event.people[who].name for who in seat_players(seat) if who in event.people)
    told = {"power": public_texts.power_name(power, board.variant), "names": names or _nobody(board, power)}
    return _("%(power)s: %(names)s") % told


def _nobody(board: EventBoard, power: str) -> str:
    return _("follows its script") if power in scripted_powers(board.variant) else _("nobody")


def _by_name(event: Event, one: EventRound) -> Iterator[str]:
    found: dict[int, list[str]] = {}
    for at, board in sorted(one.boards.items()):
        for power, seat in board.seats.items():
            told = _("board %(board)s, %(power)s") % {
                "board": at,
                "power": public_texts.power_name(power, board.variant),
            }
            for who in seat_players(seat):
                found.setdefault(who, []).append(told)
    for who in alphabetical(event, found):
        yield _("%(name)s: %(seats)s") % {"name": event.people[who].name, "seats": "; ".join(found[who])}


def is_draw_public(event: Event, number: int) -> bool:
    """Whether all may read the draw of a round."""
    return number in event.rounds and event.rounds[number].state in public_view.SHOWN_STATES


def join_text_parts(parts: list[str]) -> str:
    """The whole text: what has several lines stands apart."""
    return _between(parts).join(parts)


def _between(parts: list[str]) -> str:
    return "\n\n" if any("\n" in part for part in parts) else "\n"


def split_parts(parts: list[str], most: int) -> list[str]:
    """The text in pieces of so many characters at most, cut between its parts where that is possible."""
    pieces: list[str] = []
    between = _between(parts)
    for part in parts:
        for at in range(0, len(part), most):
            cut = part[at : at + most]
            together = f"{pieces[-1]}{between}{cut}" if pieces else cut
            if pieces and len(together) <= most:
                pieces[-1] = together
            else:
                pieces.append(cut)
    return pieces
