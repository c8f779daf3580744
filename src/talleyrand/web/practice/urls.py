from django.urls import path

from . import explanations, exports, opponents_views, positions, previews, scenes, starts, views

app_name = "practice"
urlpatterns = [
    path("", starts.home, name="home"),
    path("p/new/", starts.new, name="new"),
    path("p/import/", starts.take_in, name="import"),
    path("p/position/", positions.blank, name="position"),
    path("p/position/look/", positions.look, name="look"),
    path("p/<str:key>/", views.board, name="board"),
    path("p/<str:key>/<int:number>/", views.board, name="phase"),
    path("p/<str:key>/<int:number>/position/", positions.from_game, name="change"),
    path("p/<str:key>/<int:number>/draft/", views.draft, name="draft"),
    path("p/<str:key>/<int:number>/sheet/", views.save_sheet, name="sheet"),
    path("p/<str:key>/<int:number>/resolve/", views.resolve, name="resolve"),
    path("p/<str:key>/<int:number>/back/", views.take_back, name="back"),
    path("p/<str:key>/<int:number>/copy/", views.copy, name="copy"),
    path("p/<str:key>/<int:number>/scene.json", scenes.scene, name="scene"),
    path("p/<str:key>/<int:number>/why/<str:province>/", explanations.why, name="why"),
    path("p/<str:key>/<int:number>/why/<str:province>/steps.json", explanations.steps, name="why_steps"),
    path("p/<str:key>/power/", views.power, name="power"),
    path("p/<str:key>/players/", opponents_views.players, name="players"),
    path("p/<str:key>/<int:number>/onward/", opponents_views.onward, name="onward"),
    path("p/<str:key>/computer/", opponents_views.progress, name="computer"),
    path("p/<str:key>/computer/stop/", opponents_views.stop, name="computer_stop"),
    path("p/<str:key>/computer/again/", opponents_views.again, name="computer_again"),
    path("p/<str:key>/<int:number>/map.<str:form>", exports.picture, name="picture"),
    path("p/<str:key>/game.<str:form>", exports.record, name="record"),
    path("s/<str:shared>/", views.shared, name="shared"),
    path("s/<str:shared>/<int:number>/", views.shared, name="shared_phase"),
    path("s/<str:shared>/<int:number>/scene.json", scenes.shared_scene, name="shared_scene"),
    path("s/<str:shared>/<int:number>/why/<str:province>/", explanations.shared_why, name="shared_why"),
    path(
        "s/<str:shared>/<int:number>/why/<str:province>/steps.json",
        explanations.shared_steps,
        name="shared_why_steps",
    ),
    path("s/<str:shared>/<int:number>/copy/", views.shared_copy, name="shared_copy"),
    path("s/<str:shared>/<int:number>/map.<str:form>", exports.shared_picture, name="shared_picture"),
    path("s/<str:shared>/<int:number>/preview.png", previews.preview, name="preview"),
    path("s/<str:shared>/game.<str:form>", exports.shared_record, name="shared_record"),
]
