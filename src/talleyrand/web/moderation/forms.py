"""What a moderator fills in."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from .moderation_actions import ModerationAct

BAN_DAYS = (1, 7, 30, 90, 365)
LONGEST = 2000
SPOKEN = ("warn", "ban", "note")  # what says nothing without a text


class ModerationForm(forms.Form):
    """An act, its text, and of a ban how many days."""

    act = forms.ChoiceField()
    text = forms.CharField(required=False, max_length=LONGEST)
    days = forms.TypedChoiceField(required=False, coerce=int, empty_value="0")

    def __init__(self, acts: tuple[str, ...], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        act, days = self.fields["act"], self.fields["days"]
        assert isinstance(act, forms.ChoiceField)
        assert isinstance(days, forms.ChoiceField)
        act.choices = [(one, one) for one in acts]
        days.choices = [(str(one), str(one)) for one in BAN_DAYS]
        act.error_messages = dict.fromkeys(("required", "invalid_choice"), _("Choose one of the buttons."))
        days.error_messages["invalid_choice"] = _("Choose one of the options.")

    def clean(self) -> dict[str, Any]:
        found = super().clean() or {}
        if found.get("act") in SPOKEN and not found.get("text") and "text" not in self.errors:
            self.add_error("text", _("Write the reason, or the note."))
        if found.get("act") == "ban" and found.get("days") == "0":
            self.add_error("days", _("Choose one of the options."))
        return found

    @property
    def moderation_act(self) -> ModerationAct:
        """What is to be done."""
        given = self.cleaned_data
        return ModerationAct(given["act"], given["text"], int(given["days"]))
