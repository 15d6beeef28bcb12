"""Operations: flags, API keys, jobs and emails for superadmins, over REST.

The command line does the same (`competition flags`, `api-key`, `jobs` and `mail`). This plugin is
for people who run a league without a shell on its machines.
"""

from pyramid.config import Configurator


def includeme(config: Configurator) -> None:
    config.add_examples(
        description="Score publication is switched on.",
        enabled=True,
        name="Exam client",
        prefix="Xk3vQ9aZ",
        scopes=["client"],
        rates="standard",
        key="Xk3vQ9aZ0J6yH3g1uQm8rT5wL2eB7nC4dF9sV0pKxYg",
        state="failed",
        template="accounts.email_code",
        recipient="ada@school.example",
        last_error="The mail server does not respond.",
    )
    config.scan()
