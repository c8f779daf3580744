"""One's own devices: under `/notifications/appareils/` in French, `/en/notifications/devices/` in English."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import views

app_name = "push"
urlpatterns = [
    path(_("notifications/devices/"), views.device_list, name="devices"),
    path(_("notifications/devices/add/"), views.add_device, name="add"),
    path(_("notifications/devices/test/"), views.send_test_push, name="trial"),
    path(_("notifications/devices/remove/"), views.remove_device, name="remove"),
]
