"""Threads for calls to the database and to Redis, which would block the event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Threads:
    def __init__(self, count: int, name: str) -> None:
        self._executor = ThreadPoolExecutor(count, name)

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call the function in a thread, and return its result."""
        loop = asyncio.get_running_loop()
        # The thread uses the caller's request id in the log, and its trace.
        context = copy_context()
        return await loop.run_in_executor(
            self._executor, lambda: context.run(function, *args, **kwargs)
        )

    def close(self) -> None:
        """Wait until the running calls have finished."""
        self._executor.shutdown()
