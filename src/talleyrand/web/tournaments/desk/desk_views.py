"""Who comes to the desk, and how what is asked there is answered: done, refused, or shown first."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec, cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament import codec
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Event
from talleyrand.web.tournaments import event_journal, tournament_context
from talleyrand.web.tournaments.event_documents import event_of
from talleyrand.web.tournaments.event_times import act_time
from talleyrand.web.tournaments.models import JournalEntry, Tournament, random_token
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import act_descriptions, effect_previews, form_parsing
from .desk_texts import refusal_text
from .form_parsing import FormAction

P = ParamSpec("P")
DEEPEST_PLACE = 6  # steps of a place
MOST_TRIES = 4  # a form that looks at one thing is not refused because another one changed
ActBuilder = Callable[[Event, FormAction], EventAct | tuple[EventAct, ...]]


@dataclass
class DeskRequest:
    """One call of a page of the desk: who came, what he typed, why it was refused, what it would do."""

    request: HttpRequest
    viewer: TournamentViewer
    action: FormAction | None = None
    refusal_text: str = ""
    refusal_code: str = ""
    effect: Mapping[str, Any] | None = None
    builders: Mapping[str, ActBuilder] = field(default_factory=dict)

    @property
    def event(self) -> Event:
        """The event as it is now."""
        return self.viewer.event

    def typed(self, name: str, kept: str = "") -> str:
        """What a field shows: what was typed in it, or what is kept."""
        return self.action.value(name, kept) if self.action else kept

    def typed_for(self, press: str, name: str, kept: str = "") -> str:
        """The same for a form with a name of its own, where a page has several."""
        return self.typed(name, kept) if self.action and self.action.name == press else kept


def for_desk(
    view: Callable[Concatenate[HttpRequest, TournamentViewer, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, str, P], HttpResponse]:
    """For the director and his assistants; to others the page does not exist."""

    @never_cache
    @require_http_methods(["GET", "HEAD", "POST"])
    @wraps(view)
    def guarded(request: HttpRequest, key: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        return view(request, tournament_context.tournament_viewer_at_desk(request, key), *args, **kwargs)

    return cast("Callable[Concatenate[HttpRequest, str, P], HttpResponse]", guarded)


PageContext = Callable[[DeskRequest], Mapping[str, Any]]
RedirectTo = Callable[[JournalEntry | None], str]


def desk_response(
    request: HttpRequest,
    sight: TournamentViewer,
    template: str,
    shown: PageContext,
    *,
    builders: Mapping[str, ActBuilder] | None = None,
    way: RedirectTo | None = None,
) -> HttpResponse:
    """A page, or what one of its forms asks: what was refused comes back as it was typed, with the reason.

    `builders`: buttons of this page that are not the name of an act. `way`: where to go once it is done.
    """
    visit = DeskRequest(request, sight, builders=builders or {})
    if request.method != "POST":
        return render_desk_page(visit, template, shown)
    visit.action = form_parsing.form_action_of(dict(request.POST.lists()))
    try:
        entry = _perform_action(visit)
    except TalleyrandError as error:
        return render_desk_page(visit, template, shown, _refused(visit, error))
    if visit.effect is not None:
        return render_desk_page(visit, template, shown)
    _tell(visit, entry)
    return redirect(way(entry) if way else request.get_full_path())


def _refused(visit: DeskRequest, error: TalleyrandError) -> int:
    """The status of the page that comes back, with the reason and the tournament as it is now."""
    visit.refusal_text, visit.refusal_code = refusal_text(error, visit.event), getattr(error, "code", "")
    visit.viewer = _again(visit)
    return 403 if visit.refusal_code == "act_director_only" else 409


def render_desk_page(
    visit: DeskRequest, template: str, shown: PageContext, status: int = 200
) -> HttpResponse:
    """A page of the desk, with what every one of them shows above."""
    context = {
        **tournament_context.tournament_page_context(visit.viewer, "desk"),
        **_frame(visit),
        **shown(visit),
    }
    return render(visit.request, f"tournaments/desk/{template}", context, status=status)


def _perform_action(visit: DeskRequest) -> JournalEntry | None:
    """Do it; None where nothing changes, or where its effect is only shown."""
    assert visit.action is not None
    if visit.action.name == "undo":
        return _undone(visit, visit.action.number("entry"))
    sent = {**visit.action.values, "press": (visit.action.name,)}
    once = event_journal.form_idempotency_key(visit.action.value("submission"), visit.request.path, sent)
    tournament, build = visit.viewer.tournament, partial(_acts, visit, visit.action)
    if not visit.action.value("look") or visit.action.is_confirmed:
        by = visit.viewer.journal_actor
        return event_journal.perform_built_acts(tournament, build, by, once=once, tries=MOST_TRIES)
    fresh = Tournament.objects.defer("document").get(pk=tournament.pk)
    visit.effect = effect_previews.effect_context(event_journal.preview_acts(fresh, build(event_of(fresh))))
    return None


def _acts(visit: DeskRequest, pressed: FormAction, event: Event) -> tuple[EventAct, ...]:
    build = visit.builders.get(pressed.name)
    made = build(event, pressed) if build else form_parsing.act_from_form(pressed, act_time())
    acts = made if isinstance(made, tuple) else (made,)
    if not all(map(visit.viewer.may_do, acts)):
        raise ActRefused("act_director_only")
    _check_seen(event, pressed)
    return acts


def _undone(visit: DeskRequest, number: int) -> JournalEntry | None:
    found = visit.viewer.tournament.entries.filter(number=number).first()
    if found is not None and not visit.viewer.may_undo(found):
        raise ActRefused("act_director_only")
    return event_journal.undo_entry(visit.viewer.tournament, number, visit.viewer.journal_actor)


def value_digest(thing: Any) -> str:
    """A mark of something as it was shown: another one means that somebody has changed it."""
    told = json.dumps(codec.write_value(thing), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def _check_seen(event: Event, pressed: FormAction) -> None:
    """`edit_mark`: place and mark of what was edited; another mark now is somebody else's change."""
    place, _mark, mark = pressed.value("seen").partition("=")
    if place and value_digest(_thing(event, place)) != mark:
        raise ActRefused("act_overtaken")


def edit_mark(event: Event, place: str) -> str:
    """What a form keeps of the thing it edits, `people.12` or `rounds.1.boards.2`."""
    return f"{place}={value_digest(_thing(event, place))}"


def _thing(event: Event, place: str) -> Any:
    """What stands at a place of the event; None for a place that there is not."""
    thing: Any = event
    for step in place.split(".")[:DEEPEST_PLACE]:
        if isinstance(thing, Mapping):
            thing = thing.get(int(step)) if step.isdecimal() and len(step) < 8 else None
        else:
            thing = getattr(thing, step) if step in getattr(thing, "__dataclass_fields__", ()) else None
    return thing


def _again(visit: DeskRequest) -> TournamentViewer:
    """The tournament as it is after a refusal, for the page that says so."""
    old = visit.viewer
    fresh = Tournament.objects.get(pk=old.tournament.pk)
    return TournamentViewer(fresh, old.account, old.person_number, old.signed_topics)


def _tell(visit: DeskRequest, entry: JournalEntry | None) -> None:
    """What was done, in words, and the way back."""
    if entry is None:
        messages.info(visit.request, _("Nothing was changed."))
        return
    event = event_of(Tournament.objects.get(pk=visit.viewer.tournament.pk))
    said = act_descriptions.entry_description(entry, event)
    way = reverse("tournaments:desk_entry", args=[visit.viewer.tournament.key, entry.number])
    messages.success(visit.request, format_html('{} <a href="{}">{}</a>', said, way, _("Undo")))


def _frame(visit: DeskRequest) -> dict[str, Any]:
    """What every page of the desk shows above."""
    return {
        "refused": visit.refusal_text,
        "refused_code": visit.refusal_code,
        "effect": visit.effect,
        "pressed": visit.action.name if visit.action else "",
        "kept_fields": _typed_values(visit),
        "submission": _submission(visit),
    }


def _typed_values(visit: DeskRequest) -> list[tuple[str, str]]:
    """All that was typed, for the button that means it once its effect has been seen."""
    if visit.effect is None or visit.action is None:
        return []
    return [
        (name, value)
        for name, found in visit.action.values.items()
        if name not in ("csrfmiddlewaretoken", "look")
        for value in found
    ]


def _submission(visit: DeskRequest) -> str:
    """A refused form keeps its own: sent again, it is the same wish."""
    typed = visit.typed("submission") if visit.refusal_text else ""
    return typed[:64] or random_token()
