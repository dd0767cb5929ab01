"""Addresses of this application, below ``/desk/uploads/``."""

from django.urls import path

from federation.uploads.views import files, finish, names, people, rows, start

urlpatterns = [
    path("", start.upload_list, name="upload-list"),
    path("new/", start.choose_event, name="upload-new"),
    path("new/<slug:discipline>/<slug:slug>/", start.send_results, name="upload-file"),
    path("template/<slug:discipline>/<slug:slug>/", start.template, name="upload-template"),
    path("opening/<slug:discipline>/", start.send_opening, name="upload-opening"),
    path("names/", names.names, name="upload-names"),
    path("names/<int:pk>/forget/", names.forget, name="upload-forget"),
    path("<int:pk>/", start.detail, name="upload-detail"),
    path("<int:pk>/rows/", rows.rows, name="upload-rows"),
    path("<int:pk>/people/", people.people, name="upload-people"),
    path("<int:pk>/effect/", finish.effect, name="upload-effect"),
    path("<int:pk>/commit/", finish.commit, name="upload-commit"),
    path("<int:pk>/receipt/", finish.receipt, name="upload-receipt"),
    path("<int:pk>/withdraw/", finish.withdraw, name="upload-withdraw"),
    path("<int:pk>/reject/", start.reject, name="upload-reject"),
    path("<int:pk>/files/<int:position>/", files.original, name="upload-original"),
]
