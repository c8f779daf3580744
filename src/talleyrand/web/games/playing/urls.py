from django.urls import URLPattern, URLResolver, path

from . import copies, curves, explanations, exports, papers, receipts, scenes, views

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.game, name="game"),
    path("now.json", views.now, name="now"),
    path("curves/", curves.curves, name="curves"),
    path("<int:number>/", views.phase, name="phase"),
    path("<int:number>/scene.json", scenes.scene, name="scene"),
    path("<int:number>/why/<str:province>/", explanations.why, name="why"),
    path("<int:number>/why/<str:province>/steps.json", explanations.steps, name="why_steps"),
    path("<int:number>/revisions/<int:revision>/", views.revision, name="revision"),
    path("<int:number>/orders/<str:power>/draft/", receipts.draft, name="draft"),
    path("<int:number>/orders/<str:power>/", receipts.orders, name="orders"),
    path("<int:number>/orders/<str:power>/restore/", receipts.restore, name="restore"),
    path("<int:number>/receipts/<str:power>/<int:receipt>/", receipts.receipt, name="receipt"),
    path("<int:number>/copy/", copies.copy, name="copy"),
    path("<int:number>/map.<str:form>", exports.picture, name="picture"),
    path("<int:number>/report/", papers.report, name="report"),
    path("<int:number>/report.pdf", papers.report_pdf, name="report_pdf"),
    path("game.<str:form>", exports.record, name="record"),
]
