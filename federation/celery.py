"""The Celery application: ``celery -A federation worker`` and ``celery -A federation beat``."""

import os

from celery import Celery
from celery.signals import worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")

app = Celery("federation")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# Otherwise only the thread that imports this has the application; a web process sends jobs from its other threads.
app.set_default()


@worker_ready.connect
def recover_at_start(**_kwargs: object) -> None:
    """Take over what a lost worker has left behind."""
    app.send_task("jobs.recover")
