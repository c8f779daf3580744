from django.urls import URLPattern, URLResolver, path

from . import (
    game_chart_views,
    game_coach_views,
    game_explanation_views,
    game_export_views,
    game_scenes,
    order_views,
    phase_reports,
    practice_copies,
    views,
)

order_urlpatterns: list[URLPattern | URLResolver] = [
    path("<int:number>/orders/<str:power>/", order_views.submit_orders_view, name="orders"),
    path("<int:number>/orders/<str:power>/draft/", order_views.change_draft_view, name="draft"),
    path("<int:number>/orders/<str:power>/restore/", order_views.restore_orders_view, name="restore"),
]
urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.game_page, name="game"),
    path("now.json", views.game_state_json, name="now"),
    path("curves/", game_chart_views.game_chart_page, name="curves"),
    path("<int:number>/", views.phase_page, name="phase"),
    path("<int:number>/scene.json", game_scenes.game_scene_json, name="scene"),
    path("<int:number>/why/<str:province>/", game_explanation_views.game_explanation_page, name="why"),
    path(
        "<int:number>/why/<str:province>/steps.json",
        game_explanation_views.game_explanation_json,
        name="why_steps",
    ),
    path("<int:number>/coach/", game_coach_views.game_coach_page, name="coach"),
    path("<int:number>/revisions/<int:revision>/", views.revision_page, name="revision"),
    path("<int:number>/receipts/<str:power>/<int:receipt>/", order_views.receipt_page, name="receipt"),
    path("<int:number>/copy/", practice_copies.copy_to_practice, name="copy"),
    path("<int:number>/map.<str:form>", game_export_views.game_map_file, name="picture"),
    path("<int:number>/map-<str:paper>.pdf", game_export_views.game_map_sheet, name="map_sheet"),
    path("<int:number>/order-sheets.pdf", game_export_views.game_order_sheets, name="order_sheets"),
    path("<int:number>/report/", phase_reports.report_page, name="report"),
    path("<int:number>/report.pdf", phase_reports.report_pdf_view, name="report_pdf"),
    path("game.<str:form>", game_export_views.game_record_file, name="record"),
]
