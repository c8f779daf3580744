"""The pages of a class: opening it, the teacher's page, the pupils' door, erasing."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from talleyrand.web.accounts import attempt_limits, guests
from talleyrand.web.boards import order_requests
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.common import absolute_urls, error_pages, qr_codes
from talleyrand.web.games.models import random_token

from . import class_bell, class_context, class_sessions, lesson_plans, table_erasing, table_seats
from .class_forms import OpenClassForm
from .class_sessions import MOST_PUPILS
from .models import ClassSession, TablePlayer
from .seat_texts import seat_refusal_text
from .table_seats import SeatRefusal

LONGEST_CODE = 12
FOLDED = ("name", "variant", "rulebook", "clock")  # fields with an answer that fits most classes


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_class(request: HttpRequest) -> HttpResponse:
    """The page that opens a class; the browser that does is the teacher's."""
    form = OpenClassForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        plan, now = form.plan(), timezone.now()
        if not all(attempt_limits.count_attempt(request, "table") for _board in plan.sizes):
            return error_pages.too_many(request)
        try:
            session = class_sessions.open_class(plan, order_requests.submission_id_of(request), now)
        except QuestionRefusal as refused:
            form.add_error(None, refused.sentence)
        else:
            if class_sessions.class_of_teacher(request, session.key) is None:
                class_sessions.become_teacher(request, session, now)
            return redirect("tables:class", session.key)
    context = {
        "form": form,
        "folded": [form[name] for name in FOLDED],
        "submission": random_token(),
        "most": MOST_PUPILS,
        "class_days": settings.CLASS_DAYS,
    }
    return render(request, "tables/class_new.html", context, status=400 if form.errors else 200)


@require_safe
def lesson_plan(request: HttpRequest) -> HttpResponse:
    """Two hours with a class, minute by minute, with links to the boards that it uses."""
    context = {"steps": lesson_plans.two_hours()}
    return render(request, "tables/lesson_plan.html", context)


@never_cache
@require_safe
def class_page(request: HttpRequest, class_key: str) -> HttpResponse:
    """The teacher's page; once the class is erased, the receipt, which holds no name."""
    session = class_sessions.class_of_teacher(request, class_key)
    if session is None:
        return _receipt(request, class_key)
    topics = class_context.class_topics(session)  # before what the page shows is read
    door = absolute_urls.absolute_url(request, reverse("tables:class_door", args=[session.code]))
    boards = class_context.boards_of(session, timezone.now())
    context = {
        "session": session,
        "topics": topics,
        "boards": boards,
        "phases": " ".join(f"{one['game'].key}:{one['game'].phase_number}" for one in boards),
        "gathers": any(board["state"] == "gathering" for board in boards),
        "door_url": door,
        "square": qr_codes.address_qr_svg(door),
        "teacher_url": absolute_urls.absolute_url(
            request, reverse("tables:class_teacher", args=[session.key, session.teacher_token])
        ),
    }
    return render(request, "tables/class.html", context)


def _receipt(request: HttpRequest, class_key: str) -> HttpResponse:
    erased = get_object_or_404(ClassSession, key=class_key, erasing_since__isnull=False)
    context = {"session": erased, "rows": class_context.receipt_rows(erased)}
    return render(request, "tables/class_receipt.html", context)


@require_POST
def class_act(request: HttpRequest, class_key: str) -> HttpResponse:
    """A press of the bell: one act for all boards."""
    session, act, now = _class_or_404(request, class_key), request.POST.get("act", ""), timezone.now()
    if act == "stop":
        class_bell.stop(session, now)
    elif act == "release":
        class_bell.release(session)
    elif act == "keep":
        class_sessions.keep_longer(session, now)
    elif act in class_bell.ACTS:
        for sentence in class_bell.ring_for_all(session, act, now, _shown_phases(request)):
            messages.error(request, sentence)
    else:
        raise Http404
    return redirect("tables:class", class_key)


def _shown_phases(request: HttpRequest) -> dict[str, int]:
    """The phase of each board that the page showed."""
    told = (one.partition(":") for one in request.POST.get("phases", "")[:1000].split())
    return {key: order_requests.whole_number_of(number) for key, _colon, number in told}


@require_POST
def class_pupil(request: HttpRequest, class_key: str) -> HttpResponse:
    """Help for one pupil: a PIN for another phone, or the seat is free again."""
    session = _class_or_404(request, class_key)
    pupil = _pupil_or_404(session, request.POST.get("pupil", ""))
    if request.POST.get("act") == "free":
        class_sessions.free_seat(pupil)
    else:
        try:
            table_seats.ask_for_pin(pupil, timezone.now())
        except SeatRefusal as refused:
            messages.error(request, seat_refusal_text(refused.code))
    return redirect("tables:class", class_key)


@never_cache
@require_safe
def class_cards(request: HttpRequest, class_key: str) -> HttpResponse:
    """A card for each pupil, to print: the name, the board, the QR code of the seat."""
    session = _class_or_404(request, class_key)
    cards = []
    for one in class_sessions.pupils_of(session):
        path = reverse("tables:seat", args=[one.table.game.key, one.number, one.seat_token])
        name = guests.guest_name(one.person)
        square = qr_codes.qr_svg(absolute_urls.absolute_url(request, path), name)
        cards.append({"name": name, "board": one.table.game.name, "square": square})
    return render(request, "tables/class_cards.html", {"session": session, "cards": cards})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def class_teacher(request: HttpRequest, class_key: str, token: str) -> HttpResponse:
    """The teacher goes on with another computer: by this address, which nobody else should have."""
    session = get_object_or_404(ClassSession, key=class_key, teacher_token=token, erasing_since=None)
    if request.method == "POST":
        class_sessions.become_teacher(request, session, timezone.now())
        return redirect("tables:class", class_key)
    return render(request, "tables/class_teacher.html", {"session": session})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def erase_class(request: HttpRequest, class_key: str) -> HttpResponse:
    """All of the class is erased, after a question; a second press finds it erased."""
    session = class_sessions.class_of_teacher(request, class_key)
    if session is None:
        return _receipt(request, class_key)
    if request.method == "POST" and request.POST.get("sure") == "yes":
        table_erasing.erase_class(session, timezone.now())
        return redirect("tables:class", class_key)
    context = {"session": session, "pupils": len(class_sessions.pupils_of(session))}
    return render(request, "tables/class_erase.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def class_door(request: HttpRequest, code: str = "") -> HttpResponse:
    """The pupils' door: whoever has the code of the class taps a name."""
    typed = (code or request.GET.get("code", ""))[:LONGEST_CODE].strip().upper()
    session = ClassSession.objects.filter(code=typed, erasing_since=None).first() if typed else None
    if typed and session is None and not attempt_limits.count_attempt(request, "link"):
        return error_pages.too_many(request)  # guesses alone: a whole class has one address
    if session is None:
        told = {"typed": typed, "refusal": _("Wrong code. Ask your teacher.") if typed else ""}
        return render(request, "tables/class_code.html", told, status=404 if typed else 200)
    refusal = ""
    if request.method == "POST":
        pupil = _pupil_or_404(session, request.POST.get("pupil", ""))
        try:
            table_seats.take_seat(request, pupil, timezone.now())
            return redirect("tables:table", pupil.table.game.key)
        except SeatRefusal as refused:
            if _is_here(request, pupil):
                return redirect("tables:table", pupil.table.game.key)
            refusal = seat_refusal_text(refused.code)
    shown = {"session": session, "refusal": refusal, "pupils": _names(request, session)}
    return render(request, "tables/class_door.html", shown, status=409 if refusal else 200)


def _names(request: HttpRequest, session: ClassSession) -> list[dict[str, Any]]:
    pupils = [
        {
            "pk": one.pk,
            "name": guests.guest_name(one.person),
            "key": one.table.game.key,
            "number": one.number,
            "has_phone": bool(one.phone_digest),
            "is_here": _is_here(request, one),
        }
        for one in class_sessions.pupils_of(session)
    ]
    return sorted(pupils, key=lambda one: str(one["name"]).casefold())


def _is_here(request: HttpRequest, pupil: TablePlayer) -> bool:
    kept = request.session.get(table_seats.SEATS_SESSION_KEY, {}).get(pupil.table.game.key, "")
    return bool(kept) and table_seats.phone_digest(kept) == pupil.phone_digest


def _class_or_404(request: HttpRequest, class_key: str) -> ClassSession:
    session = class_sessions.class_of_teacher(request, class_key)
    if session is None:
        raise Http404
    return session


def _pupil_or_404(session: ClassSession, typed: str) -> TablePlayer:
    number = order_requests.whole_number_of(typed)
    pupil = next((one for one in class_sessions.pupils_of(session) if one.pk == number), None)
    if pupil is None:
        raise Http404
    return pupil
