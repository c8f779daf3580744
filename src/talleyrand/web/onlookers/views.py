"""The games that one follows, and the page of what onlookers say."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import display_names, order_requests
from talleyrand.web.games import page_context
from talleyrand.web.practice.models import random_token
from talleyrand.web.press import report_views

from . import comments, followed_games

COMMENTS_A_PAGE = 50


@never_cache
@login_required
@require_safe
def followed_page(request: HttpRequest) -> HttpResponse:
    """The games that one follows, as far as one may see them."""
    rows = []
    for kept, sight in followed_games.followed_games(cast(Person, request.user)):
        game, variant = sight.game, variants.load(sight.game.variant)
        title = variant.title[display_names.reader_language()]
        phase = display_names.phase_name(variant, game.phase) if game.phase else ""
        rows.append({"kept": kept, "game": game, "sight": sight, "variant": title, "phase": phase})
    return render(request, "onlookers/followed.html", {"rows": rows})


@login_required
@require_POST
def follow_view(request: HttpRequest, key: str) -> HttpResponse:
    """Follow a game, be told of its phases or not, or follow it no more."""
    sight, person = page_context.game_viewer_of_request(request, key), cast(Person, request.user)
    wanted = request.POST.get("do", "follow")
    if wanted == "unfollow":
        followed_games.unfollow_game(person, sight.whole_game)
        messages.success(request, _("You no longer follow this game."))
    elif not followed_games.may_follow(sight):
        raise Http404
    elif not followed_games.follow_game(sight, is_told=wanted == "tell"):
        messages.warning(request, _("You follow 100 games: stop following one first."))
    elif wanted == "tell":
        messages.success(request, _("You will be notified of each phase of this game."))
    else:
        messages.success(request, _("You follow this game: it is in your list."))
    return redirect("onlookers:followed")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def comments_page(request: HttpRequest, key: str) -> HttpResponse:
    """What onlookers say; for whoever must not know it, there is nothing."""
    sight = page_context.game_viewer_of_request(request, key)
    if not comments.may_read_comments(sight):
        raise Http404
    refusal = ""
    if request.method == "POST":
        submission = order_requests.submission_id_of(request)
        try:
            comments.write_comment(sight, request.POST.get("text", ""), submission or random_token())
        except comments.CommentRefused as refused:
            refusal = comment_refusal_text(refused.code)
        else:
            messages.success(request, _("Comment published. Players see it when the game is over."))
            return redirect("onlookers:comments", key)
    said = comments.visible_comments(sight).select_related("person").order_by("-pk")
    page = Paginator(said, COMMENTS_A_PAGE).get_page(request.GET.get("page", ""))
    variant = variants.load(sight.game.variant)
    context = {
        **page_context.game_page_context(sight, "comments"),
        "page": page,
        "comments": [(one, display_names.phase_name(variant, one.phase)) for one in page],
        "may_comment": comments.may_comment(sight),
        "may_remove": comments.may_remove(sight),
        "may_report": sight.person is not None and not sight.person.is_guest,
        "longest": comments.LONGEST,
        "refusal": refusal,
        "typed": request.POST.get("text", "") if refusal else "",
        "submission": random_token(),
    }
    return render(request, "onlookers/comments.html", context, status=409 if refusal else 200)


def comment_refusal_text(code: str) -> str:
    """Why a comment is not taken."""
    return {
        "empty": _("Write something first."),
        "too_long": _("Too long: 1,000 characters at most."),
        "damaged": _("This text arrived damaged. Please type it again."),
        "many": _("There are too many comments on this game already: delete one of yours first."),
        "banned": _(
            "You are banned from comments for now. “Warnings and bans”, in your account, says why and until "
            "when."
        ),
        "not_now": _("Only spectators comment, while the game is in progress."),
    }[code]


@login_required
@require_POST
def delete_comment_view(request: HttpRequest, key: str) -> HttpResponse:
    """Take back what one said oneself, or remove what another said, where one may."""
    sight = page_context.game_viewer_of_request(request, key)
    number = order_requests.whole_number_of(request.POST.get("comment", ""))
    comments.delete_comment(sight, number)
    messages.success(request, _("Comment deleted."))
    return redirect("onlookers:comments" if comments.may_read_comments(sight) else "games:game", key)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report_comment(request: HttpRequest, key: str, comment: int) -> HttpResponse:
    """A comment that one can read, of somebody else; for all others there is no such page."""
    sight = page_context.game_viewer_of_request(request, key)
    found = comments.reported_comment(sight, order_requests.whole_number_of(str(comment)))
    if found is None:
        raise Http404
    said, told = found
    form = report_views.ReportForm(request.POST if request.method == "POST" else None)
    status = report_views.file_filled_in(request, form, told)
    if status == report_views.FILED:
        return redirect("onlookers:comments", key)
    shown = {
        **page_context.game_page_context(sight, "comments"),
        "form": form,
        "heading": _("Report a comment"),
        "comment": said,
    }
    return render(request, "onlookers/report.html", shown, status=status)
