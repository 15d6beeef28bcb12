"""What other systems report: the backups of the database."""

from pyramid.config import Configurator


def includeme(config: Configurator) -> None:
    from competition.plugins.webhooks.commands import backups

    config.registry.runtime.commands.append(backups)
    config.add_examples(
        backup_filename="league-2026-03-01.dump",
        error_message=None,
    )
    config.scan()
