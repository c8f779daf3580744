"""Addresses of a table's arbiter, below the table's own."""

from django.urls import URLPattern, URLResolver, path

from . import arbiter_views, archive_views, paper_orders, table_corrections, vote_views

urlpatterns: list[URLPattern | URLResolver] = [
    path("arbiter/", arbiter_views.arbiter_page, name="arbiter"),
    path("arbiter/seats/<int:number>/", arbiter_views.seat_page, name="arbiter_seat"),
    path("arbiter/seats/<int:number>/vote/", vote_views.vote_page, name="arbiter_vote"),
    path("arbiter/orders/<str:power>/", paper_orders.paper_orders_page, name="paper_orders"),
    path("arbiter/order-sheets.pdf", paper_orders.order_sheets_view, name="paper_sheets"),
    path("arbiter/correct/", table_corrections.correct_page, name="arbiter_correct"),
    path("arbiter/position/", table_corrections.position_page, name="arbiter_position"),
    path("arbiter/archive/", archive_views.archive_view, name="archive"),
    path("arbiter/codes/", archive_views.codes_page, name="codes"),
    path("arbiter/act/<str:act>/", arbiter_views.act_view, name="arbiter_act"),
    path("consents/", arbiter_views.consents_page, name="consents"),
    path("received/", arbiter_views.received_page, name="received"),
    path("received/<int:number>/", arbiter_views.received_page, name="received_phase"),
]
