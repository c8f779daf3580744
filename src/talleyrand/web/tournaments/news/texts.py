"""Draws, standings, rulings and prizes as text, for a chat, a wiki or a message: what all may read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.utils import translation
from django.utils.translation import gettext as _

from talleyrand.tournament import public
from talleyrand.tournament.boards import sat, scripted_of
from talleyrand.tournament.model import Board, Event, Round
from talleyrand.web.tournaments.hall import prize_list, ranking, words
from talleyrand.web.tournaments.models import Tournament
from talleyrand.web.tournaments.naming import in_order
from talleyrand.web.tournaments.sight import Sight

MOST_ROWS = 40  # of the standings that a chat is sent
MARKED = {sign: f"\\{sign}" for sign in "\\*_~`|>[]<#@"}
OF_WIKI = {sign: f"&#{ord(sign)};" for sign in "|[]{}<>'=~_&"}


@dataclass(frozen=True)
class Style:
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


STYLES = {
    "text": Style(str, item="  {}"),
    "markdown": Style(_translated(MARKED), "**{}**", "**{}**", "- {}"),
    "wiki": Style(_of_wiki, "== {} ==", "=== {} ===", "* {}"),
}


@dataclass(frozen=True)
class Writer:
    """Writes about one event in one language and style; a text is a list of parts that belong together."""

    tournament: Tournament
    language: str
    style: Style = STYLES["text"]

    @property
    def _sight(self) -> Sight:
        return Sight(self.tournament)

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
            event = self._sight.shown
            one = event.rounds[number]
            boards = [self._board(event, at, board) for at, board in sorted(one.boards.items())]
            rest = list(self._resting(event, one))
            names = [self._part(_("By name"), _by_name(event, one))] if by_name else []
            return [self._title(_("draw of round %(number)s") % {"number": number}), *boards, *rest, *names]

    def _board(self, event: Event, at: int, board: Board) -> str:
        heading = _("Final table, board %(board)s") if board.final else _("Board %(board)s")
        told = heading % {"board": at} + (f" ({board.place})" if board.place else "")
        return self._part(told, (line(event, board, power) for power in board.seats))

    def _resting(self, event: Event, one: Round) -> Iterator[str]:
        if one.resting:
            names = ", ".join(event.people[who].name for who in in_order(event, one.resting))
            yield self.style.plain(_("They stand down: %(names)s") % {"names": names})

    def changes(self, number: int, changed: list[tuple[int, str]]) -> list[str]:
        """The seats of a draw that have changed since it was posted."""
        with translation.override(self.language):
            event = self._sight.shown
            boards = event.rounds[number].boards
            told = (
                _("Board %(board)s, %(seat)s") % {"board": at, "seat": line(event, boards[at], power)}
                for at, power in changed
                if at in boards and power in boards[at].seats
            )
            return [self._part(_("Round %(number)s, changed:") % {"number": number}, told)]

    def standings(self) -> list[str]:
        """The first of the official standings, as far as they are shown."""
        with translation.override(self.language):
            found = ranking.of(self._sight)
            rows = ranking.rows(self._sight, found)[:MOST_ROWS]
            last = max((game.round for game in found.games), default=0) if found else 0
            told = (f"{one.place}. {one.name} – {one.total}" for one in rows)
            what = _("standings after round %(number)s") % {"number": last}
            return [self._title(what), *(self.style.item.format(self.style.plain(one)) for one in told)]

    def ruling(self, number: int) -> list[str]:
        """A ruling that is shown to all."""
        with translation.override(self.language):
            one = self._sight.shown.rulings[number]
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
            won = [one for one in prize_list.prizes(self._sight) if one.holders]
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
                    _("It works: news of %(event)s come here.") % {"event": self._sight.event.name}
                )
            ]


def line(event: Event, board: Board, power: str) -> str:
    """A power and whoever plays it, one after the other."""
    seat = board.seats[power]
    names = ", ".join(event.people[who].name for who in sat(seat) if who in event.people)
    told = {"power": words.power(power, board.variant), "names": names or _nobody(board, power)}
    return _("%(power)s: %(names)s") % told


def _nobody(board: Board, power: str) -> str:
    return _("by its script") if power in scripted_of(board.variant) else _("nobody")


def _by_name(event: Event, one: Round) -> Iterator[str]:
    found: dict[int, list[str]] = {}
    for at, board in sorted(one.boards.items()):
        for power, seat in board.seats.items():
            told = _("board %(board)s, %(power)s") % {"board": at, "power": words.power(power, board.variant)}
            for who in sat(seat):
                found.setdefault(who, []).append(told)
    for who in in_order(event, found):
        yield _("%(name)s: %(seats)s") % {"name": event.people[who].name, "seats": "; ".join(found[who])}


def shown(event: Event, number: int) -> bool:
    """Whether all may read the draw of a round."""
    return number in event.rounds and event.rounds[number].state in public.SHOWN


def joined(parts: list[str]) -> str:
    """The whole text: what has several lines stands apart."""
    return _between(parts).join(parts)


def _between(parts: list[str]) -> str:
    return "\n\n" if any("\n" in part for part in parts) else "\n"


def split(parts: list[str], most: int) -> list[str]:
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
