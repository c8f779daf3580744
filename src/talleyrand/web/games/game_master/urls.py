"""Addresses of the game master's desk, below the game's own."""

from django.urls import URLPattern, URLResolver, path

from . import correction_views, enter_orders_views, phase_views, roles_and_end_views, seat_views, views

urlpatterns: list[URLPattern | URLResolver] = [
    path("desk/", views.desk_page, name="desk"),
    path("desk/extend/", views.extend_view, name="desk_extend"),
    path("desk/pause/", views.pause_game_view, name="desk_pause"),
    path("desk/resume/", views.resume_game_view, name="desk_resume"),
    path("desk/remind/", views.remind_view, name="desk_remind"),
    path("desk/rule/", views.deadline_settings_page, name="desk_rule"),
    path("desk/gazette/", views.publish_gazette_view, name="desk_gazette"),
    path("desk/gazette/<int:pk>/remove/", views.remove_gazette_view, name="desk_gazette_remove"),
    path("desk/preview/", phase_views.preview_page, name="desk_preview"),
    path("desk/adjudicate/", phase_views.adjudicate_page, name="desk_adjudicate"),
    path("desk/retry/", phase_views.retry_view, name="desk_retry"),
    path("desk/back/", phase_views.roll_back_page, name="desk_back"),
    path("desk/restore/", phase_views.restore_view, name="desk_restore"),
    path("desk/correct/", correction_views.override_results_page, name="desk_correct"),
    path("desk/position/", correction_views.edit_position_page, name="desk_position"),
    path("desk/orders/<str:power>/", enter_orders_views.enter_orders_page, name="desk_orders"),
    path("desk/seat/<str:power>/", seat_views.seat_page, name="desk_seat"),
    path("desk/people/", roles_and_end_views.roles_page, name="desk_people"),
    path("desk/reveal/", roles_and_end_views.reveal_view, name="desk_reveal"),
    path("desk/end/", roles_and_end_views.end_game_page, name="desk_end"),
]
