"""Addresses of the shell."""

from django.urls import path

from federation.web.views import home

urlpatterns = [
    path("", home.home, name="home"),
    path("search/", home.home, name="search"),
    path("desk/", home.home, name="desk"),
    path("players/<int:number>/", home.home, name="person-detail"),
]
