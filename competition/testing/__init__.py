"""Fixtures, clients and helpers for testing plugins. The service's own tests use them too.

This package is a pytest plugin. Name it in the `conftest.py` at the root of your tests:

    pytest_plugins = ("competition.testing",)

``pip install competition[testing]`` installs its requirements, including a PostgreSQL and a Valkey
for the tests. The package has no entry point for pytest, because pytest would then load it in every
project of the environment.

- `applications`: `app` and `live`, two ways to run the real service with all installed plugins
  enabled, and `without`, which disables plugins
- `statements`: the SQL statements that the service executes
- `service`: the class of `app`, with clients, people, jobs, emails and a clock that tests can move
- `document`: checks every reply to a client against the OpenAPI document
- `exam_day`: open exams, candidates who took them, and published leaderboards
- `identity_papers`: pictures and documents to upload
- `sockets`: `sockets`, a socket server and its clients
- `command_line`: `run`, which runs operator commands
- `databases`: the servers of the tests, `own_servers` that a test may stop, and databases with all
  migrations, including those of your plugin
- `races`, `waiting`: concurrent requests, and waiting for a condition
- `storages`, `transports`: contract tests for storages and mail transports
"""

import warnings

import pytest

# Warnings to ignore, even in a run that treats warnings as errors. Libraries cause them.
TOLERATED = (
    # Pyramid 2.1 and Cornice 6.1 import pkg_resources. setup.py requires a setuptools that has it.
    "ignore:pkg_resources is deprecated:UserWarning",
    "ignore:Deprecated call to .pkg_resources:DeprecationWarning",
    # WebOb 1.8 imports cgi, on Python 3.13 from the package legacy-cgi.
    "ignore:'cgi' is deprecated:DeprecationWarning",
    # WebOb 1.8 calls utcnow, which is deprecated since Python 3.12.
    "ignore:datetime.datetime.utcnow:DeprecationWarning:webob",
)

with warnings.catch_warnings():
    # Ignores the warnings at import, because TOLERATED is only configured later.
    warnings.simplefilter("ignore")
    import competition.core.plugins
    import competition.core.web.service  # noqa: F401

pytest_plugins = (
    "competition.testing.databases",
    "competition.testing.applications",
    "competition.testing.command_line",
    "competition.testing.sockets",
)


def pytest_configure(config: pytest.Config) -> None:
    for each in TOLERATED:
        config.addinivalue_line("filterwarnings", each)
