from collections.abc import Callable

from django.http import HttpResponse
from django.urls import URLPattern, path

from . import (
    bot_views,
    link_previews,
    position_editor_views,
    practice_chart_views,
    practice_coach_views,
    practice_explanation_views,
    practice_export_views,
    practice_scenes,
    start_views,
    talk_views,
    views,
)

app_name = "practice"
# What a game shows to whoever plays (`p/…`) and, under `shared_…`, to whoever only looks (`s/…`).
SHOWN: list[tuple[str, Callable[..., HttpResponse], str]] = [
    ("<int:number>/", views.practice_board_page, "phase"),
    ("curves/", practice_chart_views.practice_chart_page, "curves"),
    ("<int:number>/scene.json", practice_scenes.practice_scene_json, "scene"),
    ("<int:number>/why/<str:province>/", practice_explanation_views.practice_explanation_page, "why"),
    (
        "<int:number>/why/<str:province>/steps.json",
        practice_explanation_views.practice_explanation_json,
        "why_steps",
    ),
    ("<int:number>/coach/", practice_coach_views.practice_coach_page, "coach"),
    ("<int:number>/copy/", views.copy_view, "copy"),
    ("<int:number>/map.<str:form>", practice_export_views.practice_map_file, "picture"),
    ("<int:number>/map-<str:paper>.pdf", practice_export_views.practice_map_sheet, "map_sheet"),
    ("<int:number>/order-sheets.pdf", practice_export_views.practice_order_sheets, "order_sheets"),
    ("game.<str:form>", practice_export_views.practice_record_file, "record"),
]
urlpatterns: list[URLPattern] = [
    path("p/new/", start_views.new_game_page, name="new"),
    path("p/import/", start_views.import_view, name="import"),
    path("p/import/<str:key>/", start_views.import_progress_page, name="imported"),
    path("p/position/", position_editor_views.new_position_page, name="position"),
    path("p/position/look/", position_editor_views.edit_position_json, name="look"),
    path("p/<str:key>/", views.practice_board_page, name="board"),
    *(path(f"p/<str:key>/{route}", view, name=name) for route, view, name in SHOWN),
    path("p/<str:key>/<int:number>/position/", position_editor_views.position_of_game_page, name="change"),
    path("p/<str:key>/<int:number>/draft/", views.change_practice_draft_view, name="draft"),
    path("p/<str:key>/<int:number>/sheet/", views.save_orders_view, name="sheet"),
    path("p/<str:key>/<int:number>/resolve/", views.resolve_view, name="resolve"),
    path("p/<str:key>/<int:number>/talk/", talk_views.talk_view, name="talk"),
    path("p/<str:key>/<int:number>/back/", views.roll_back_view, name="back"),
    path("p/<str:key>/power/", views.choose_power_view, name="power"),
    path("p/<str:key>/players/", bot_views.choose_players_view, name="players"),
    path("p/<str:key>/<int:number>/onward/", bot_views.bots_play_on_view, name="onward"),
    path("p/<str:key>/computer/", bot_views.bot_progress_json, name="computer"),
    path("p/<str:key>/computer/stop/", bot_views.stop_bots_view, name="computer_stop"),
    path("p/<str:key>/computer/again/", bot_views.retry_bots_view, name="computer_again"),
    path("s/<str:shared>/", views.practice_board_page, name="shared"),
    *(path(f"s/<str:shared>/{route}", view, name=f"shared_{name}") for route, view, name in SHOWN),
    path("s/<str:shared>/<int:number>/preview.png", link_previews.link_preview_image, name="preview"),
]
