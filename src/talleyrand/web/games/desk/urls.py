"""Addresses of the game master's desk, below the game's own."""

from django.urls import URLPattern, URLResolver, path

from . import correcting, entering, game_views, phase_views, seat_views, views

urlpatterns: list[URLPattern | URLResolver] = [
    path("desk/", views.desk, name="desk"),
    path("desk/extend/", views.extend, name="desk_extend"),
    path("desk/pause/", views.pause, name="desk_pause"),
    path("desk/resume/", views.resume, name="desk_resume"),
    path("desk/remind/", views.remind, name="desk_remind"),
    path("desk/rule/", views.rule, name="desk_rule"),
    path("desk/gazette/", views.gazette, name="desk_gazette"),
    path("desk/gazette/<int:pk>/remove/", views.remove_gazette, name="desk_gazette_remove"),
    path("desk/preview/", phase_views.preview, name="desk_preview"),
    path("desk/adjudicate/", phase_views.adjudicate, name="desk_adjudicate"),
    path("desk/retry/", phase_views.retry, name="desk_retry"),
    path("desk/back/", phase_views.take_back, name="desk_back"),
    path("desk/restore/", phase_views.restore, name="desk_restore"),
    path("desk/correct/", correcting.override, name="desk_correct"),
    path("desk/position/", correcting.edit, name="desk_position"),
    path("desk/orders/<str:power>/", entering.orders, name="desk_orders"),
    path("desk/seat/<str:power>/", seat_views.seat, name="desk_seat"),
    path("desk/people/", game_views.people, name="desk_people"),
    path("desk/reveal/", game_views.reveal, name="desk_reveal"),
    path("desk/end/", game_views.end, name="desk_end"),
]
