"""Who comes to the desk, and how what is asked there is answered: done, refused, or shown first."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament import codec
from talleyrand.tournament.acts.act import Act
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Event
from talleyrand.web.games.writing import writing
from talleyrand.web.tournaments import frame, journal
from talleyrand.web.tournaments.documents import event_of, locked
from talleyrand.web.tournaments.models import Entry, Tournament, secret
from talleyrand.web.tournaments.sight import Sight

from . import deeds, effects, pressing
from .pressing import Pressed
from .words import refusal

P = ParamSpec("P")
DEEPEST = 6  # steps of a place
TRIES = 4  # a form that looks at one thing is not refused because another one changed
Builder = Callable[[Event, Pressed], Act | tuple[Act, ...]]


@dataclass
class Visit:
    """One call of a page of the desk: who came, what he typed, why it was refused, what it would do."""

    request: HttpRequest
    sight: Sight
    pressed: Pressed | None = None
    refused: str = ""
    refused_code: str = ""
    effect: Mapping[str, Any] | None = None
    builders: Mapping[str, Builder] = field(default_factory=dict)

    @property
    def event(self) -> Event:
        """The event as it is now."""
        return self.sight.event

    def typed(self, name: str, kept: str = "") -> str:
        """What a field shows: what was typed in it, or what is kept."""
        return self.pressed.get(name, kept) if self.pressed else kept

    def typed_for(self, press: str, name: str, kept: str = "") -> str:
        """The same for a form with a name of its own, where a page has several."""
        return self.typed(name, kept) if self.pressed and self.pressed.name == press else kept


def at_desk(
    view: Callable[Concatenate[HttpRequest, Sight, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, str, P], HttpResponse]:
    """For the director and his assistants; to others the page does not exist."""

    @never_cache
    @require_http_methods(["GET", "HEAD", "POST"])
    @wraps(view)
    def guarded(request: HttpRequest, key: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        return view(request, frame.desk(request, key), *args, **kwargs)

    return cast("Callable[Concatenate[HttpRequest, str, P], HttpResponse]", guarded)


Shown = Callable[[Visit], Mapping[str, Any]]
Way = Callable[[Entry | None], str]


def answer(
    request: HttpRequest,
    sight: Sight,
    template: str,
    shown: Shown,
    *,
    builders: Mapping[str, Builder] | None = None,
    way: Way | None = None,
) -> HttpResponse:
    """A page, or what one of its forms asks: what was refused comes back as it was typed, with the reason.

    `builders`: buttons of this page that are not the name of an act. `way`: where to go once it is done.
    """
    visit = Visit(request, sight, builders=builders or {})
    if request.method != "POST":
        return page(visit, template, shown)
    visit.pressed = pressing.read(dict(request.POST.lists()))
    try:
        entry = _done(visit)
    except TalleyrandError as error:
        return page(visit, template, shown, _refused(visit, error))
    if visit.effect is not None:
        return page(visit, template, shown)
    _tell(visit, entry)
    return redirect(way(entry) if way else request.get_full_path())


def _refused(visit: Visit, error: TalleyrandError) -> int:
    """The status of the page that comes back, with the reason and the tournament as it is now."""
    visit.refused, visit.refused_code = refusal(error, visit.event), getattr(error, "code", "")
    visit.sight = _again(visit)
    return 403 if visit.refused_code == "act_director_only" else 409


def page(visit: Visit, template: str, shown: Shown, status: int = 200) -> HttpResponse:
    """A page of the desk, with what every one of them shows above."""
    context = {**frame.page(visit.sight, "desk"), **_frame(visit), **shown(visit)}
    return render(visit.request, f"tournaments/desk/{template}", context, status=status)


def _done(visit: Visit) -> Entry | None:
    """Do it; None where nothing changes, or where its effect is only shown."""
    assert visit.pressed is not None
    if visit.pressed.name == "undo":
        return _undone(visit, visit.pressed.number("entry"))
    for _try in range(TRIES - 1):
        try:
            return _tried(visit, visit.pressed)
        except Refused as error:
            if error.code != "act_overtaken" or visit.refused_code:
                raise
    return _held(visit, visit.pressed)


@writing
def _held(visit: Visit, pressed: Pressed) -> Entry | None:
    """A room of telephones: nobody is faster than who holds the row."""
    locked(visit.sight.tournament)
    return _tried(visit, pressed)


def _undone(visit: Visit, number: int) -> Entry | None:
    found = visit.sight.tournament.entries.filter(number=number).first()
    if found is not None and not visit.sight.may_undo(found):
        raise Refused("act_director_only")
    return journal.undo(visit.sight.tournament, number, visit.sight.by)


def _tried(visit: Visit, pressed: Pressed) -> Entry | None:
    fresh = Tournament.objects.defer("document").get(pk=visit.sight.tournament.pk)
    once = journal.once_of(
        pressed.get("submission"), visit.request.path, {**pressed.typed, "press": (pressed.name,)}
    )
    known = fresh.entries.filter(once=once).first() if once else None
    if known is not None:
        return known
    event = event_of(fresh)
    build = visit.builders.get(pressed.name)
    done = _acts(build, event, pressed)
    if not all(map(visit.sight.may, done)):
        raise Refused("act_director_only")
    _check_seen(visit, event, pressed)
    if pressed.get("look") and not pressed.sure:
        visit.effect = effects.of(journal.preview(fresh, done))
        return None
    rests_on = build or pressed.get("seen")  # what was read just now must still be so
    version = fresh.version if rests_on else None
    return journal.perform(fresh, done, visit.sight.by, version=version, once=once)


def _acts(build: Builder | None, event: Event, pressed: Pressed) -> tuple[Act, ...]:
    done = build(event, pressed) if build else pressing.act_of(pressed, now())
    return done if isinstance(done, tuple) else (done,)


def now() -> str:
    """The hour, as acts keep it."""
    return timezone.now().isoformat(timespec="seconds").replace("+00:00", "Z")


def digest(thing: Any) -> str:
    """A mark of something as it was shown: another one means that somebody has changed it."""
    told = json.dumps(codec.write(thing), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def _check_seen(visit: Visit, event: Event, pressed: Pressed) -> None:
    """`seen`: place and mark of what was edited; another mark now is somebody else's change."""
    place, _mark, mark = pressed.get("seen").partition("=")
    if place and digest(_thing(event, place)) != mark:
        visit.refused_code = "act_overtaken"
        raise Refused("act_overtaken")


def seen(event: Event, place: str) -> str:
    """What a form keeps of the thing it edits, `people.12` or `rounds.1.boards.2`."""
    return f"{place}={digest(_thing(event, place))}"


def _thing(event: Event, place: str) -> Any:
    """What stands at a place of the event; None for a place that there is not."""
    thing: Any = event
    for step in place.split(".")[:DEEPEST]:
        if isinstance(thing, Mapping):
            thing = thing.get(int(step)) if step.isdecimal() and len(step) < 8 else None
        else:
            thing = getattr(thing, step) if step in getattr(thing, "__dataclass_fields__", ()) else None
    return thing


def _again(visit: Visit) -> Sight:
    """The tournament as it is after a refusal, for the page that says so."""
    old = visit.sight
    fresh = Tournament.objects.get(pk=old.tournament.pk)
    return Sight(fresh, old.account, old.number, old.topics)


def _tell(visit: Visit, entry: Entry | None) -> None:
    """What was done, in words, and the way back."""
    if entry is None:
        messages.info(visit.request, _("Nothing has changed."))
        return
    event = event_of(Tournament.objects.get(pk=visit.sight.tournament.pk))
    said = deeds.sentence(entry, event)
    way = reverse("tournaments:desk_entry", args=[visit.sight.tournament.key, entry.number])
    messages.success(visit.request, format_html('{} <a href="{}">{}</a>', said, way, _("Take it back")))


def _frame(visit: Visit) -> dict[str, Any]:
    """What every page of the desk shows above."""
    return {
        "refused": visit.refused,
        "refused_code": visit.refused_code,
        "effect": visit.effect,
        "pressed": visit.pressed.name if visit.pressed else "",
        "kept_fields": _kept(visit),
        "submission": _submission(visit),
    }


def _kept(visit: Visit) -> list[tuple[str, str]]:
    """All that was typed, for the button that means it once its effect has been seen."""
    if visit.effect is None or visit.pressed is None:
        return []
    return [
        (name, value)
        for name, found in visit.pressed.typed.items()
        if name not in ("csrfmiddlewaretoken", "look")
        for value in found
    ]


def _submission(visit: Visit) -> str:
    """A refused form keeps its own: sent again, it is the same wish."""
    typed = visit.typed("submission") if visit.refused else ""
    return typed[:64] or secret()
