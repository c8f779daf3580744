"""The page by which somebody reports a message."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from talleyrand.web.accounts.models import signed_in_person
from talleyrand.web.conduct import reports
from talleyrand.web.games import page_context

from . import message_reports, message_visibility
from .conversation_names import ConversationNames

FILED = 302


class ReportForm(forms.Form):
    """What somebody complains of."""

    reason = forms.ChoiceField(widget=forms.RadioSelect)
    remark = forms.CharField(required=False, max_length=reports.LONGEST_REMARK, widget=forms.Textarea)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        reason = self.fields["reason"]
        assert isinstance(reason, forms.ChoiceField)
        reason.choices = list(reports.reason_titles().items())
        reason.error_messages = dict.fromkeys(("required", "invalid_choice"), _("Choose a reason."))


def file_filled_in(request: HttpRequest, form: ReportForm, told: reports.ReportedMessage) -> int:
    """FILED once it is; else the status of the page that asks what is wrong, or says why it is not filed."""
    if request.method != "POST":
        return 200
    if not form.is_valid():
        return 400
    try:
        _report, new = reports.file_report(signed_in_person(request), told, **form.cleaned_data)
    except reports.TooManyReports:
        form.add_error(None, _("You have reported enough for today: continue tomorrow."))
        return 429
    said = _("Reported. A moderator will read it.") if new else _("You have reported it already.")
    messages.success(request, said)
    return FILED


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report_message(request: HttpRequest, key: str, letter: str) -> HttpResponse:
    """A message that one can read, of somebody else; for all others there is no such page."""
    sight = page_context.game_viewer_of_page(request, key)
    message = message_visibility.visible_messages(sight).filter(key=letter).first()
    if message is None or not message_reports.may_report(sight, message):
        raise Http404
    form = ReportForm(request.POST if request.method == "POST" else None)
    status = file_filled_in(request, form, message_reports.reported_message(sight, message))
    if status == FILED:
        return redirect("press:room", key, message.conversation.key)
    shown = {
        **page_context.game_page_context(sight, "letters"),
        "form": form,
        "heading": _("Report a message"),
        "letter": message,
        "signature": ConversationNames.for_viewer(sight).signature(message),
        "around": message_reports.AROUND,
    }
    return render(request, "press/report.html", shown, status=status)
