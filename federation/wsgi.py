"""WSGI entrance."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")
application = get_wsgi_application()

# After the set-up of Django: the watch needs the models. It gives jobs of a lost process to a new one.
from federation.jobs.services import start_watch  # noqa: E402

start_watch()
