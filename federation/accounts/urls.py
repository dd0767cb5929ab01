"""Addresses of this application."""

from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView

from federation.accounts import views

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.account_home, name="account"),
    path("invitation/<str:secret>/", views.invitation, name="account-invitation"),
    path("people/", views.account_list, name="account-list"),
    path("people/invite/", views.invite, name="account-invite"),
    path("people/<int:pk>/", views.account_detail, name="account-detail"),
    path("people/<int:pk>/close/", views.account_close, name="account-close"),
    path("people/<int:pk>/open/", views.account_open, name="account-open"),
    path("people/<int:pk>/reset-second-factor/", views.account_reset_factor, name="account-reset-factor"),
    path("people/invitations/<int:pk>/withdraw/", views.invitation_revoke, name="account-invitation-revoke"),
    # The library's pages for making an account and for addresses have ours in their place.
    path("signup/", views.no_sign_up, name="account_signup"),
    path("email/", RedirectView.as_view(pattern_name="account"), name="account_email"),
    path("", include("allauth.account.urls")),
    path("second-factor/", include("allauth.mfa.urls")),
]
