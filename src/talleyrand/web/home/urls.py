"""Addresses of the first page and of what moves on it."""

from django.urls import path

from . import views

app_name = "home"
urlpatterns = [
    path("", views.home_page, name="page"),
    path("demo/board.svg", views.living_board_image, name="board"),
    path("demo/<int:number>/scene.json", views.demonstration_scene_json, name="scene"),
    path("maps/<slug:variant>.svg", views.variant_map_image, name="variant_map"),
    path("maps/game/<str:key>.svg", views.game_map_image, name="game_map"),
]
