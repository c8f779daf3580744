from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import views

app_name = "onlookers"
urlpatterns = [
    path(_("followed-games/"), views.followed_page, name="followed"),
    path(_("games/<str:key>/follow/"), views.follow_view, name="follow"),
    path(_("games/<str:key>/comments/"), views.comments_page, name="comments"),
    path(_("games/<str:key>/comments/delete/"), views.delete_comment_view, name="delete_comment"),
    path(_("games/<str:key>/comments/<int:comment>/report/"), views.report_comment, name="report_comment"),
]
