"""Runs the migrations of one history (see `competition.core.histories.history`).

``alembic -c development.ini …`` is about our own, and reads the service's settings from the same
file. Tests and ``competition db …`` hand over a connection and a history.
"""

from pathlib import Path

from plaster import setup_logging
from sqlalchemy import Connection, create_engine

from alembic import context
from competition.cli.ini import Ini
from competition.core.database import Base
from competition.core.histories import migrations
from competition.core.histories.history import History, adopt, held, recording
from competition.core.plugins import installed
from competition.core.runtime import direct_database_url


def migrate(connection: Connection, history: History) -> None:
    ran = context.config.attributes.get("ran", lambda revision, what: None)
    with recording(connection, history) as own:

        def is_own(name: str | None, kind: str) -> bool:
            """Tables of others are neither compared nor dropped."""
            return kind != "table" or name in own

        context.configure(
            connection=connection,
            target_metadata=Base.metadata,
            transaction_per_migration=True,
            version_table=history.version_table,
            # Checks are compared by their names: PostgreSQL keeps another text of each.
            autogenerate_plugins=["alembic.autogenerate.*", "alembic.ext.checkconstraint_byname"],
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
    with engine.connect() as connection, held(connection):
        histories = migrations.histories(installed().values())
        adopt(connection, histories)
        migrate(connection, histories[0])
    engine.dispose()
