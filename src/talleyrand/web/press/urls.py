from django.urls import URLPattern, URLResolver

app_name = "press"
urlpatterns: list[URLPattern | URLResolver] = []
