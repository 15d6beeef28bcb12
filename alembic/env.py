"""Run the migrations of one history (see `competition.core.histories.history`).

``alembic -c development.ini …`` runs the migrations of the service and reads its settings from the
same file. Tests and ``competition db …`` pass a connection and a history.
"""

from pathlib import Path

from plaster import setup_logging
from sqlalchemy import Connection, create_engine

from alembic import context
from competition.cli.ini import Ini
from competition.core.database import Base
from competition.core.histories.history import History, ours
from competition.core.histories.migrations import locked
from competition.core.runtime import direct_database_url


def migrate(connection: Connection, history: History) -> None:
    ran = context.config.attributes.get("ran", lambda revision, what: None)

    def is_own(name: str | None, kind: str) -> bool:
        """Whether Alembic compares a table. Tables of other histories are neither created nor
        dropped."""
        return kind != "table" or name in history.tables

    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        transaction_per_migration=True,
        version_table=history.version_table,
        # Compare check constraints by name: PostgreSQL stores a different text.
        autogenerate_plugins=["alembic.autogenerate.*", "alembic.ext.checkconstraint_byname"],
        # The first option filters tables of the database, the second tables of the metadata.
        include_name=lambda name, kind, parents: is_own(name, kind),
        include_object=lambda thing, name, kind, reflected, other: is_own(name, kind),
        on_version_apply=lambda ctx, step, heads, run_args: ran(
            step.up_revision_id, step.up_revision.doc
        ),
    )
    with context.begin_transaction():
        context.run_migrations()


connection = context.config.attributes.get("connection")
if connection is not None:
    migrate(connection, context.config.attributes["history"])
else:
    path = context.config.config_file_name
    setup_logging(path)
    engine = create_engine(direct_database_url(Ini(Path(path)).settings()))
    with engine.connect() as connection, locked(connection):
        migrate(connection, ours())
    engine.dispose()
