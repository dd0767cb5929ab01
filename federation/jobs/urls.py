"""Addresses of this application."""

from django.urls import URLPattern, path

from federation.jobs import views

urlpatterns: list[URLPattern] = [
    path("", views.job_list, name="job-list"),
    path("<int:pk>/", views.job_detail, name="job-detail"),
    path("<int:pk>/retry/", views.job_retry, name="job-retry"),
]
