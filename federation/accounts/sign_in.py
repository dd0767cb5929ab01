"""The form of the sign-in page, named in the settings."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import LoginForm
from django.utils.translation import gettext_lazy as _


class SignInForm(LoginForm):
    """User name or address, and password, in the site's words."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = _("User name or e-mail address")
        for name in ("login", "password"):
            self.fields[name].widget.attrs.pop("placeholder", None)
        self.fields["password"].help_text = ""
