"""The kit for tests of plugins: the fixtures, clients and factories of the service's own tests.

It is a plugin of pytest, which the `conftest.py` at the root of the tests names:

    pytest_plugins = ("competition.testing",)

``pip install competition[testing]`` brings what it needs, with a PostgreSQL and a Valkey for the
tests alone. It is no plugin by entry point: those are loaded into every run of pytest where the
service is installed, whatever is tested there.

- `applications`: `app` and `live`, the real service in two ways, with every installed plugin
  enabled, and `without`, which disables some
- `statements`: the SQL that the service executes
- `service`: what `app` is: clients, people, jobs, mails, a clock that can be moved
- `document`: every reply that a client gets is compared with the OpenAPI document
- `exam_day`: exams that are open, candidates who sat them, published boards
- `identity_papers`: pictures and documents as people upload them
- `sockets`: `sockets`, a socket server and its clients
- `command_line`: `run`, the commands of an operator
- `databases`: the servers, `own_servers` that a test may stop, and databases that have all
  migrations, those of your plugin too
- `races`, `waiting`: what happens at the same time, or by itself
- `storages`, `transports`: what every storage and every mail transport has to do
"""

import warnings

import pytest

# Of libraries, which a run whose warnings are errors would end with.
TOLERATED = (
    # Pyramid 2.1 and Cornice 6.1 import it; setup.py pins the setuptools that still has it.
    "ignore:pkg_resources is deprecated:UserWarning",
    "ignore:Deprecated call to .pkg_resources:DeprecationWarning",
    # WebOb 1.8 imports it, on Python 3.13 from the package legacy-cgi.
    "ignore:'cgi' is deprecated:DeprecationWarning",
    # WebOb 1.8 calls it, which Python 3.12 was the first to mind.
    "ignore:datetime.datetime.utcnow:DeprecationWarning:webob",
)

with warnings.catch_warnings():
    # What the libraries say when they are imported; what is tolerated is not configured yet.
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
