"""One's own devices: under `/nouvelles/appareils/` in French, `/en/news/devices/` in English."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import views

app_name = "push"
urlpatterns = [
    path(_("news/devices/"), views.device_list, name="devices"),
    path(_("news/devices/add/"), views.add_device, name="add"),
    path(_("news/devices/trial/"), views.send_test_push, name="trial"),
    path(_("news/devices/remove/"), views.remove_device, name="remove"),
]
