from datetime import datetime
from typing import Literal, TypedDict


class Health(TypedDict):
    status: Literal["healthy", "unhealthy"]
    timestamp: datetime


def health(healthy: bool, now: datetime) -> Health:
    return Health(status="healthy" if healthy else "unhealthy", timestamp=now)
