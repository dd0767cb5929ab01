"""Addresses of the site; each app brings its own."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("account/", include("federation.accounts.urls")),
    path("jobs/", include("federation.jobs.urls")),
    path("desk/uploads/", include("federation.uploads.urls")),
    path("", include("federation.registry.urls")),
    path("scrabble/", include("ratings.urls")),
    path("", include("federation.web.urls")),
]

handler400 = "federation.web.errors.bad_request"
handler403 = "federation.web.errors.forbidden"
handler404 = "federation.web.errors.not_found"
handler500 = "federation.web.errors.server_error"
