"""What is counted of a person, as they may download it; it goes with the account."""

from __future__ import annotations

from talleyrand.web.accounts.models import Person
from talleyrand.web.accounts.personal_data import PersonalData
from talleyrand.web.games.models import Json
from talleyrand.web.games.record_models import PlayedGame, PlayerProfile, RatingChange

from .rating_history import mark_ratings_of_person


def export_record(person: Person) -> Json:
    """One's figures, what one shows of them, each finished game and each rating."""
    games = PlayedGame.objects.filter(person=person).order_by("finished__ended_at", "pk")
    ratings = RatingChange.objects.filter(person=person).order_by("finished__ended_at", "pk")
    profile = PlayerProfile.objects.filter(person=person)
    return {
        "profile": profile.values(
            "reliability", "phases_due", "phases_missed", "games_left", "readers", "shown_parts", "is_rated"
        ).first(),
        "finished_games": list(
            games.values(
                "finished__game__key",
                "finished__ended_at",
                "powers",
                "outcome",
                "points",
                "centres",
                "phases_due",
                "phases_missed",
                "has_left",
                "openings",
                "alliances",
            )
        ),
        "ratings": list(ratings.values("finished__game__key", "pool", "rating", "deviation", "volatility")),
    }


RECORD_PERSONAL_DATA = PersonalData("record", export_record, on_delete=mark_ratings_of_person)
