"""Migrations of core and of every plugin, whether it is on or off.

``alembic -c development.ini …`` reads the service's own settings from the same file; tests and
``competition db upgrade`` hand over a connection.
"""

from pathlib import Path

from plaster import setup_logging
from sqlalchemy import Connection, create_engine

from alembic import context
from competition.cli.ini import Ini
from competition.core.db import Base
from competition.core.plugins import import_models
from competition.core.runtime import database_url

import_models()


def migrate(connection: Connection) -> None:
    context.configure(
        connection=connection, target_metadata=Base.metadata, transaction_per_migration=True
    )
    with context.begin_transaction():
        context.run_migrations()


connection = context.config.attributes.get("connection")
if connection is not None:
    migrate(connection)
else:
    path = context.config.config_file_name
    setup_logging(path)
    engine = create_engine(database_url(Ini(Path(path)).settings()))
    with engine.connect() as connection:
        migrate(connection)
    engine.dispose()
