"""Settings of the site, all from the typed environment (docs/settings.md lists them)."""

from __future__ import annotations

import sys
from pathlib import Path

from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from federation.env import SettingsError, mail_settings, read_environment, secret_key

BASE_DIR = Path(__file__).resolve().parent.parent
env = read_environment()

DATA_DIR = Path(env.str("BAREM_DATA_DIR", str(BASE_DIR / "var"))).resolve()
HTTPS = env.bool("BAREM_HTTPS", False)
DEBUG = env.bool("BAREM_DEBUG", False)
TESTING = "pytest" in sys.modules
if DEBUG and HTTPS:
    raise SettingsError("BAREM_DEBUG and BAREM_HTTPS exclude each other: a public site never runs in debug mode.")

SECRET_KEY = secret_key(env, DATA_DIR, local=not HTTPS)
ALLOWED_HOSTS = env.list("BAREM_ALLOWED_HOSTS", ["127.0.0.1", "localhost", "[::1]"])
BASE_URL = env.str("BAREM_BASE_URL", "http://127.0.0.1:8000").rstrip("/")
if HTTPS:
    CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS if host != "*"]

INSTALLED_APPS = [
    "federation.audit",
    "federation.accounts",
    "federation.jobs",
    "federation.registry",
    "federation.uploads",
    "federation.web",
    "ratings",
    "rules.apps.AutodiscoverRulesConfig",
    "federation.admin_site.BaremAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_tables2",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "axes",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "federation.web.middleware.RequestIdMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "federation.web.middleware.LanguageMiddleware",
    "federation.web.middleware.FederationMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "federation.audit.middleware.ActorMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "federation.accounts.middleware.TwoFactorMiddleware",
    "axes.middleware.AxesMiddleware",
    "federation.web.middleware.PlainAddressMiddleware",
]

ROOT_URLCONF = "federation.urls"
WSGI_APPLICATION = "federation.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "federation.web.context.site",
            ],
        },
    }
]

# ---- database -----------------------------------------------------------------------------------
DATA_DIR.mkdir(parents=True, exist_ok=True)
DATABASES = {"default": env.dj_db_url("DATABASE_URL", f"sqlite:///{DATA_DIR / 'barem.sqlite3'}")}
_database = DATABASES["default"]
if _database["ENGINE"].endswith("sqlite3"):
    # Immediate transactions make the second writer wait instead of failing in the middle of its work.
    _database.setdefault("OPTIONS", {}).update(
        transaction_mode="IMMEDIATE",
        timeout=20,
        init_command="PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;"
        " PRAGMA temp_store=MEMORY; PRAGMA cache_size=-65536;",
    )
else:
    _database.update(CONN_MAX_AGE=60, CONN_HEALTH_CHECKS=True)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# ---- broker, cache, jobs ------------------------------------------------------------------------
REDIS_URL = env.str("REDIS_URL", "")
#: ``celery`` with a broker, ``thread`` without, ``inline`` in tests and commands.
JOBS_BACKEND = env.str("BAREM_JOBS", "celery" if REDIS_URL else "thread")
if JOBS_BACKEND not in {"celery", "thread", "inline"}:
    raise SettingsError("BAREM_JOBS is celery, thread or inline.")
if JOBS_BACKEND == "celery" and not REDIS_URL:
    raise SettingsError("BAREM_JOBS=celery needs REDIS_URL.")
#: Seconds without a sign of life after which a running job is given to another worker.
JOBS_LOST_AFTER = 30
if REDIS_URL:
    CACHES = {
        "default": {
            "BACKEND": "federation.cache.OptionalRedisCache",
            "LOCATION": REDIS_URL,
            "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 2},
        }
    }
else:
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
CELERY_BROKER_URL = REDIS_URL or "memory://"
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_TIME_LIMIT = 3600
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 2 * 3600}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BEAT_SCHEDULE = {
    "recover lost jobs": {"task": "jobs.recover", "schedule": 60.0, "options": {"expires": 55}},
    "prepare the close of ended seasons": {
        "task": "ratings.prepare_due_closes",
        "schedule": crontab(hour=4, minute=15),
        "options": {"expires": 3600},
    },
    "delete runs of no list": {
        "task": "ratings.prune_runs",
        "schedule": crontab(hour=3, minute=15),
        "options": {"expires": 3600},
    },
}
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "celerybeat-schedule")
CELERY_TIMEZONE = env.str("BAREM_TIME_ZONE", "Europe/Madrid")
CELERY_ENABLE_UTC = True

# ---- people -------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "rules.permissions.ObjectPermissionBackend",
    "federation.accounts.backends.PasswordBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
if TESTING:
    PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_FORMS = {"login": "federation.accounts.sign_in.SignInForm"}
ACCOUNT_ADAPTER = "federation.accounts.adapter.InvitedOnlyAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_SESSION_REMEMBER = False
ACCOUNT_PREVENT_ENUMERATION = True
REQUIRE_TWO_FACTOR = env.bool("BAREM_REQUIRE_TWO_FACTOR", False)
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Barem"
#: Addresses come from an administrator's invitation or from the account's owner; there is no public sign-up.
MFA_ALLOW_UNVERIFIED_EMAIL = True
AXES_USERNAME_CALLABLE = "federation.accounts.adapter.attempted_name"
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = 0.25
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_TEMPLATE = "account/locked.html"
AXES_IPWARE_PROXY_COUNT = env.int("BAREM_PROXY_COUNT", 0)
AXES_VERBOSE = False
SESSION_COOKIE_AGE = 12 * 3600
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = HTTPS

# ---- security -----------------------------------------------------------------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
        "object-src": [NONE],
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
#: The largest file a director may upload, with room for the rest of the form.
DATA_UPLOAD_MAX_MEMORY_SIZE = 6 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 6 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000
#: One more than an upload may have (``federation.core.limits``), so that the page can say so.
DATA_UPLOAD_MAX_NUMBER_FILES = 221

# ---- languages, times ---------------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("ca", _("Catalan"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
USE_I18N = True
USE_TZ = True
TIME_ZONE = env.str("BAREM_TIME_ZONE", "Europe/Madrid")

# ---- files --------------------------------------------------------------------------------------
STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if TESTING or DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = TESTING or DEBUG

# ---- mail ---------------------------------------------------------------------------------------
EMAIL_CONFIG = mail_settings(env)
vars().update(EMAIL_CONFIG)
if not EMAIL_CONFIG:
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = env.str("BAREM_MAIL_DIR", str(DATA_DIR / "mail"))
DEFAULT_FROM_EMAIL = env.str("BAREM_MAIL_FROM", "barem@localhost")

DJANGO_TABLES2_TEMPLATE = "web/table.html"
SILENCED_SYSTEM_CHECKS = ["security.W004", "security.W008", "security.W012", "security.W016"] if not HTTPS else []
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {"federation": {"level": "INFO"}, "ratings": {"level": "INFO"}},
}
