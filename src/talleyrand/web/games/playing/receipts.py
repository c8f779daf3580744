"""Giving orders: the draft, handing it in, and what was received."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from talleyrand.web.boards import drafts, incoming, picture, politics, wording
from talleyrand.web.boards.dated import other_heading
from talleyrand.web.boards.drafts import Unfit
from talleyrand.web.boards.incoming import Change, Refused
from talleyrand.web.boards.preparation import Preparation
from talleyrand.web.boards.referee import Lines, Question, Unanswered
from talleyrand.web.games import frame, inbox, lasting, seen
from talleyrand.web.games.inbox import NotTaken
from talleyrand.web.games.models import RUNNING, Game, Sheet, secret
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.story import Story
from talleyrand.web.threaded import received

from . import telling, views
from .board import Board, opened, opening
from .sheets import OwnSheet

HAND_IN, FINAL, OPEN_AGAIN, SAVE = "hand_in", "final", "open_again", "save"
Problem = NotTaken | Unfit | Refused | Unanswered
PROBLEMS = (NotTaken, Unfit, Refused, Unanswered)


@dataclass(frozen=True)
class Asked:
    """A visitor’s wish about the orders of one of his powers, received at `at`."""

    sight: Sight
    power: str
    number: int
    at: datetime
    opening: str = ""

    def check(self) -> None:
        """A page made before the phase was taken back, and opened again, may show another position.

        Raises NotTaken.
        """
        game = self.sight.game
        if self.opening and self.number == game.number and self.opening != opening(game):
            raise NotTaken("moved")

    def redrafted(self, change: Change) -> list[str]:
        """The lines in preparation, as they are now."""
        game, person = self.sight.game, self.sight.person

        def informed(question: Question, draft: Lines) -> Lines:
            return change(politics.known(question, lasting.announced(game, question)), draft)

        found = inbox.redraft(game, self.power, self.number, informed, self.at, person)
        return inbox.drafted(found, self.number)

    def set_final(self, *, final: bool) -> None:
        game, person = self.sight.game, self.sight.person
        inbox.set_final(game, self.power, self.number, final, self.at, person)

    def own(self, handed: Sheet | None = None) -> OwnSheet | None:
        """The power’s sheet as it stands now, or as this request has left it if it `handed` one in; None
        where its phase is open no more.
        """
        if handed is not None and handed.at == self.at:
            return OwnSheet.left_by(handed)
        game = Game.objects.get(pk=self.sight.game.pk)
        question = Story(game).question(self.number) if self.number == game.number else None
        if question is None or game.state not in RUNNING:
            return None
        known = politics.known(question, lasting.announced(game, question))
        return OwnSheet.of(game, self.power, self.number, known)

    def board(self) -> Board:
        """The open phase as it stands now."""
        told = frame.topics(self.sight.game.key)
        fresh = Sight(Game.objects.get(pk=self.sight.game.pk), self.sight.person, told)
        return opened(fresh, None, self.power)

    @property
    def page(self) -> str:
        """Where the phase is shown."""
        return Board(self.sight, self.number, self.power).address(self.number)


def _asked(request: HttpRequest, key: str, number: int, power: str) -> Asked:
    """Raises Http404 for a power that the visitor does not play, as for one that is not there."""
    at = received(request)
    sight = frame.admitted(request, key)
    if power not in sight.acting:
        raise Http404
    return Asked(sight, power, number, at, request.GET.get("opening", ""))


def told(problem: Problem) -> str:
    """Why nothing was done, in the reader’s language."""
    if isinstance(problem, NotTaken):
        return telling.not_taken(problem)
    return telling.unfit(problem) if isinstance(problem, Unfit) else problem.sentence


def _status(problem: Problem) -> int:
    if isinstance(problem, NotTaken):
        return 409
    return problem.status if isinstance(problem, Refused) else 400


# by the scripts of the page


@require_POST
def draft(request: HttpRequest, key: str, number: int, power: str) -> HttpResponse:
    """Change the orders in preparation: `{"orders": …}`, `{"sheet": …}` or `{"lines": …}`, in JSON."""
    asked = _asked(request, key, number, power)
    try:
        asked.check()
        sent = incoming.table(request)
        asked.redrafted(incoming.draft_change(sent, power))
    except PROBLEMS as problem:
        return _refusal(problem)
    own = asked.own()
    return JsonResponse(_prepared(own, str(sent.get("sheet", ""))) if own else {})


def _refusal(problem: Problem) -> HttpResponse:
    return JsonResponse({"message": told(problem)}, status=_status(problem))


def _prepared(own: OwnSheet, sheet: str = "") -> dict[str, Any]:
    """What the page shows anew after a change."""
    prepared = own.preparation
    return {
        **prepared.state(),
        "lines": {own.power: own.lines},
        "readings": _readings(own, sheet),
        "layers": picture.prepared(own.question, prepared.readings).changing_layers(),
        **_standing(own),
    }


def _readings(own: OwnSheet, sheet: str = "") -> str:
    """What was understood otherwise than written, or not at all."""
    return render_to_string("boards/readings.html", {"readings": _remarks(own, sheet)})


def _remarks(own: OwnSheet, sheet: str) -> list[dict[str, Any]]:
    remarks = own.preparation.remarks()
    heading = other_heading(own.question, sheet) if sheet else ""
    return [{"line": heading, "notes": [_dated(own)]}, *remarks] if heading else remarks


def _dated(own: OwnSheet) -> str:
    words = {"phase": wording.phase(own.preparation.variant, own.question["phase"])}
    return (
        _("Another phase’s heading; this one is %(phase)s. The orders are kept: are they meant for it?")
        % words
    )


def _standing(own: OwnSheet) -> dict[str, Any]:
    """How far the sheet is: as it stands on the page, and in the head of it."""
    mine = telling.standing(own)
    return {
        "standing": render_to_string("games/playing/standing.html", {"mine": mine}),
        "state": {"code": mine["state"].code, "sign": mine["state"].sign, "words": mine["state"].words},
        "outlook": telling.outlook(own),
        "current": own.handed is not None and not own.differs,
        "final": mine["final"],
    }


# by a form, with scripts or without


@require_POST
def orders(request: HttpRequest, key: str, number: int, power: str) -> HttpResponse:
    """Hand in, say or unsay that it is final, or keep the draft; in JSON, or as a form of the page."""
    asked = _asked(request, key, number, power)
    if request.content_type == "application/json":
        return _by_script(request, asked)
    return _by_form(request, asked)


def _by_script(request: HttpRequest, asked: Asked) -> HttpResponse:
    try:
        asked.check()
        sent = incoming.table(request)
        lines = _lines(sent.get("lines"), asked.power)
        sheet = _acted(asked, str(sent.get("action", "")), lines, str(sent.get("submission", "")), "map")
    except PROBLEMS as problem:
        return _refusal(problem)
    own = asked.own(sheet)  # what the board shows has not changed by it
    told: dict[str, Any] = {
        "message": _acknowledgement(own, sheet),
        "short": telling.short(sheet) if sheet else "",
    }
    if own:
        told |= {**_standing(own), "readings": _readings(own)}
    return JsonResponse({**told, "submission": secret()})


def _lines(sent: Any, power: str) -> list[str]:
    """The lines of one power and of no other; raises Refused."""
    if not isinstance(sent, dict) or not set(sent) <= {power}:
        raise incoming.meaningless()
    lines = sent.get(power, [])
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise incoming.meaningless()
    return list(lines)


def _by_form(request: HttpRequest, asked: Asked) -> HttpResponse:
    action = request.POST.get("action", "")
    typed = "sheet" in request.POST
    try:
        asked.check()
        lines = asked.redrafted(_change(request, asked.power))
        sheet = _acted(asked, action, lines, incoming.submission(request), "text" if typed else "map")
    except PROBLEMS as problem:
        return _refused(request, asked, problem)
    messages.success(request, _acknowledgement(asked.own(sheet), sheet))
    return redirect(asked.page)


def _change(request: HttpRequest, power: str) -> Change:
    if "sheet" in request.POST:
        return incoming.sheet_change(request.POST["sheet"], None, power)
    return incoming.menu_change(request.POST, power)


def _refused(request: HttpRequest, asked: Asked, problem: Problem) -> HttpResponse:
    """The page as it stands now, with what was sent: nothing typed is lost."""
    more = {"refused": told(problem), "typed": _typed(request)}
    return views.shown(request, asked.board(), _status(problem), **more)


def _typed(request: HttpRequest) -> str:
    """What was sent, as one may copy it."""
    if "sheet" in request.POST:
        return request.POST["sheet"][: drafts.LARGEST_SHEET]
    given = (str(value) for name, value in request.POST.items() if name.startswith("order-") and value)
    return "\n".join(given)


# what both do


def _acted(asked: Asked, action: str, lines: list[str], submission: str, origin: str) -> Sheet | None:
    """Do what a button says; the sheet that was received, if any. Raises what keeps it from being done."""
    if action in (HAND_IN, FINAL):
        return _handed_in(asked, lines, submission, origin, final=action == FINAL)
    if action == OPEN_AGAIN:
        asked.set_final(final=False)
        return None
    if action == SAVE:
        return None
    raise incoming.meaningless()


def _handed_in(asked: Asked, lines: list[str], submission: str, origin: str, *, final: bool) -> Sheet:
    game = asked.sight.game
    counted = inbox.counted(game, asked.power, asked.number) if final else None
    if counted is not None and counted.lines == lines:
        asked.set_final(final=True)
        return counted
    return inbox.hand_in(
        game,
        asked.power,
        lines,
        number=asked.number,
        key=_key(submission, lines, final),
        origin=origin,
        at=asked.at,
        by=asked.sight.person,
        final=final,
    )


def _key(submission: str, lines: list[str], final: bool) -> str:
    """A form that comes back with other orders brings another sheet; "" where the page sent none."""
    if not submission:
        return ""
    whole = "\0".join((submission, "final" if final else "", *lines))
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()


def _acknowledgement(own: OwnSheet | None, sheet: Sheet | None) -> str:
    """What was received, also where the phase has been published since."""
    if own is None:
        return telling.short(sheet) if sheet else ""
    if sheet is None:
        return str(telling.standing(own)["sentence"])
    said = telling.acknowledged(sheet, own)
    handed = own.handed
    if handed is None or handed.pk == sheet.pk:
        return said
    later = _("This very sheet had been received before; since then No %(receipt)d was, and that one counts.")
    return f"{said} {later % {'receipt': handed.receipt}}"


@require_POST
def restore(request: HttpRequest, key: str, number: int, power: str) -> HttpResponse:
    """Put the lines of a former sheet into the draft again."""
    asked = _asked(request, key, number, power)
    found = _receipt(asked.sight, number, power, request.POST.get("receipt", ""))
    try:
        asked.redrafted(lambda _question, _draft: {power: list(found.lines)})
    except PROBLEMS as problem:
        return _refused(request, asked, problem)
    own = asked.own()
    if own and own.differs:
        messages.success(
            request,
            _("The orders of sheet No %(receipt)d are in your draft again: hand them in for them to count.")
            % {"receipt": found.receipt},
        )
    else:
        messages.success(request, _("Your draft is again the sheet that counts."))
    return redirect(asked.page)


@never_cache
@require_safe
def receipt(request: HttpRequest, key: str, number: int, power: str, receipt: int) -> HttpResponse:
    """A sheet that was received, with what was understood of it; for those who may see it alone."""
    sight = frame.entered(request, key)
    found = _receipt(sight, number, power, str(receipt))
    board = Board(sight, number, found.power if found.power in sight.powers else "")
    told = {"politics": board.known} if board.known else None
    question = politics.known(board.question, told) if board.question else None
    read = Preparation(question, {found.power: found.lines}, found.power) if question else None
    context = {
        **frame.page(sight, "board"),
        "sheet": found,
        "receipt": telling.receipt(found),
        "power_name": wording.power(board.variant, found.power),
        "title": wording.phase(board.variant, board.code),
        "readings": read.readings if read else [],
        "remarks": read.remarks() if read else [],
        "missing": telling.missing(read) if read else "",
        "back": board.address(number),
        "may_restore": board.is_open and sight.may_order(found.power),
    }
    return render(request, "games/playing/receipt.html", context)


def _receipt(sight: Sight, number: int, power: str, text: str) -> Sheet:
    """One of the sheets that the visitor may see; raises Http404."""
    wanted = incoming.whole_number(text)
    found = seen.sheets(sight).filter(number=number, power=power, receipt=wanted).first()
    if found is None:
        raise Http404
    return found
