"""Log records carry the id of the request that caused them, in tasks and sockets too."""

import logging
from contextvars import ContextVar

from pythonjsonlogger.json import JsonFormatter

request_id_var: ContextVar[str] = ContextVar("request_id", default="-")


class PlainFormatter(logging.Formatter):
    """For a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        record.request_id = request_id_var.get()
        return super().format(record)


class StructuredFormatter(JsonFormatter):
    """One JSON object a line."""

    def add_fields(
        self,
        log_data: dict[str, object],
        record: logging.LogRecord,
        message_dict: dict[str, object],
    ) -> None:
        super().add_fields(log_data, record, message_dict)
        log_data.update(level=record.levelname, logger=record.name, request_id=request_id_var.get())
