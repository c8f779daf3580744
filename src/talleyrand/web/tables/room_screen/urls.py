"""Addresses of the room’s screen, among those of the tables."""

from django.urls import URLPattern, path

from . import screen_views

urlpatterns: list[URLPattern] = [
    path("tables/screen/<str:code>/", screen_views.screen_door, name="screen_door"),
    path("tables/<str:key>/screen/", screen_views.screen_page, name="screen"),
    path("tables/<str:key>/screen/clock.json", screen_views.screen_clock_json, name="screen_clock"),
    path("tables/<str:key>/reading/<str:act>/", screen_views.turn_reading_page, name="reading"),
    path(
        "tables/<str:key>/screen/<int:number>/why/<str:province>/",
        screen_views.screen_explanation_page,
        name="screen_why",
    ),
    path(
        "tables/<str:key>/screen/<int:number>/why/<str:province>/steps.json",
        screen_views.screen_explanation_json,
        name="screen_why_steps",
    ),
]
