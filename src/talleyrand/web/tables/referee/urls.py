"""Addresses of a table's referee, below the table's own."""

from django.urls import URLPattern, URLResolver, path

from . import archive_views, paper_orders, referee_views, table_corrections, vote_views

urlpatterns: list[URLPattern | URLResolver] = [
    path("referee/", referee_views.referee_page, name="referee"),
    path("referee/seats/<int:number>/", referee_views.seat_page, name="referee_seat"),
    path("referee/seats/<int:number>/vote/", vote_views.vote_page, name="referee_vote"),
    path("referee/orders/<str:power>/", paper_orders.paper_orders_page, name="paper_orders"),
    path("referee/order-sheets.pdf", paper_orders.order_sheets_view, name="paper_sheets"),
    path("referee/correct/", table_corrections.correct_page, name="referee_correct"),
    path("referee/position/", table_corrections.position_page, name="referee_position"),
    path("referee/archive/", archive_views.archive_view, name="archive"),
    path("referee/codes/", archive_views.codes_page, name="codes"),
    path("referee/act/<str:act>/", referee_views.act_view, name="referee_act"),
    path("consents/", referee_views.consents_page, name="consents"),
    path("received/", referee_views.received_page, name="received"),
    path("received/<int:number>/", referee_views.received_page, name="received_phase"),
]
