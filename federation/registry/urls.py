"""Addresses of this application."""

from django.urls import path

from federation.registry.views import desk, events, public

urlpatterns = [
    path("clubs/", public.club_list, name="club-list"),
    path("clubs/<slug:slug>/", public.club_detail, name="club-detail"),
    path("p/<int:number>/", public.person_redirect, name="person-redirect"),
    path("desk/registry/", desk.overview, name="registry-desk"),
    path("desk/registry/people/<int:number>/", desk.person, name="registry-person"),
    path("desk/registry/people/<int:number>/confirm/", desk.confirm, name="registry-confirm"),
    path("desk/registry/people/<int:number>/anonymise/", desk.anonymise, name="registry-anonymise"),
    path("desk/registry/merge/", desk.merge, name="registry-merge"),
    path("desk/registry/merges/", desk.merges, name="registry-merges"),
    path("desk/registry/merges/<int:pk>/split/", desk.split, name="registry-split"),
    path("desk/registry/memberships/", desk.membership_list, name="registry-memberships"),
    path("desk/registry/events/<int:pk>/", events.event_steps, name="registry-event"),
]
