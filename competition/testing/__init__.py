"""The kit for tests of plugins: the fixtures, clients and factories of the service's own tests.

It is a plugin of pytest, which the `conftest.py` at the root of the tests names:

    pytest_plugins = ("competition.testing",)

``pip install competition[testing]`` brings what it needs, with a PostgreSQL and a Valkey for the
tests alone. It is no plugin by entry point: those are loaded into every run of pytest where the
service is installed, whatever is tested there.

- `applications`: `app` and `live`, the real service in two ways, and `statements`, the SQL of it
- `selection`: `plugins`, those that are on: by default yours and what they require
- `service`: what `app` is: clients, people, jobs, mails, a clock that can be moved
- `document`: every reply that a client gets is compared with the OpenAPI document
- `exam_day`: exams that are open, candidates who sat them, published boards
- `identity_papers`: pictures and documents as people upload them
- `command_line`: `run`, the commands of an operator
- `databases`: the servers, and databases that have all migrations, those of your plugin too
- `races`, `waiting`: what happens at the same time, or by itself
"""

pytest_plugins = (
    "competition.testing.selection",
    "competition.testing.databases",
    "competition.testing.applications",
    "competition.testing.command_line",
)
