"""A person's page, and where they choose what it tells."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from talleyrand.web.accounts.models import Person, signed_in_person
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games.player_records import person_page_access, rating_history
from talleyrand.web.games.record_models import PlayerProfile, RatingChange

from . import person_texts
from .person_facts import PersonFacts


@never_cache
@require_safe
def person_page(request: HttpRequest, name: str) -> HttpResponse:
    """Somebody's page; one that this reader may not open is not there."""
    reader = request.user if isinstance(request.user, Person) else None
    owner = person_page_access.open_page(name, reader)
    if owner is None:
        raise Http404
    context = person_texts.page_context(PersonFacts(owner, reader))
    return render(request, "games/person_pages/person.html", context)


class PageChoicesForm(forms.Form):
    """Who may open one's page, what it tells, and whether one has ratings."""

    readers = forms.ChoiceField(widget=forms.RadioSelect)
    shown_parts = forms.MultipleChoiceField(required=False, widget=forms.CheckboxSelectMultiple)
    is_rated = forms.BooleanField(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, titles in (
            ("readers", person_texts.readers_titles()),
            ("shown_parts", person_texts.part_titles()),
        ):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = list(titles.items())
            field.error_messages = dict.fromkeys(
                ("required", "invalid_choice", "invalid_list"), _("Choose one of the options.")
            )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page_choices(request: HttpRequest) -> HttpResponse:
    """What one's page tells, and to whom."""
    person = signed_in_person(request)
    profile = person_page_access.profile_of(person)
    kept = {name: getattr(profile, name) for name in ("readers", "shown_parts", "is_rated")}
    form = PageChoicesForm(request.POST if request.method == "POST" else None, initial=kept)
    if request.method == "POST" and form.is_valid():
        save_choices(person, form.cleaned_data)
        messages.success(request, _("Saved: this is your page as others see it now."))
        return redirect("games:person", person.name)
    context = {"form": form, "owner": person}
    return render(request, "games/person_pages/choices.html", context, status=400 if form.errors else 200)


@write_transaction
def save_choices(person: Person, chosen: dict[str, Any]) -> None:
    """Keep what somebody has chosen; whoever wants no rating has none from now on."""
    fresh = Person.objects.select_for_update().get(pk=person.pk)  # of two answers the last one counts whole
    before = person_page_access.profile_of(fresh).is_rated
    PlayerProfile.objects.update_or_create(person=person, defaults=chosen)
    if before == chosen["is_rated"]:
        return
    if not chosen["is_rated"]:
        RatingChange.objects.filter(person=person).delete()
    rating_history.mark_ratings_of_person(person)
