"""Operations: flags, API keys, jobs and emails for superadmins, metrics, and reports of backups.

Superadmins can do over REST what the commands `competition flags`, `api-key`, `jobs` and `mail` do,
for leagues whose staff have no shell on the machines. Prometheus gets the metrics of the service. A
backup script reports its results, and superadmins get an email if a backup fails permanently.
"""

from pyramid.config import Configurator

from competition.core.limits.counters import parse_rates

# How many reports are accepted per API key. A script sends one per backup, and repeats it if the
# network fails.
BACKUP_REPORTS = parse_rates("60/minute")


def includeme(config: Configurator) -> None:
    config.add_ceiling("backup report", lambda settings: BACKUP_REPORTS, by="api_key")
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
        backup_filename="league-2026-03-01.dump",
        error_message=None,
    )
    config.scan()
