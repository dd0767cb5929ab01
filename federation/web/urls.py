"""Addresses of the shell."""

from django.urls import path

from federation.web.views import about, calendar, desk, home, people, search

urlpatterns = [
    path("", home.home, name="home"),
    path("search/", search.search, name="search"),
    path("players/<int:number>/", people.person_detail, name="person-detail"),
    path("calendar/", calendar.calendar, name="calendar"),
    path("calendar.ics", calendar.calendar_ical, name="calendar-ical"),
    path("feed/", calendar.feed, name="feed"),
    path("desk/", desk.desk, name="desk"),
    path("privacy/", about.privacy, name="privacy"),
    path("accessibility/", about.accessibility, name="accessibility"),
    path("open-data/", about.open_data, name="open-data"),
    path("health/", about.health, name="health"),
    path("robots.txt", about.robots, name="robots"),
]
