"""A private bucket on S3; links are presigned, so that a download does not pass through here."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import IO

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from competition.core.errors import NotFound, StorageUnavailable
from competition.core.storage.contract import (
    StorageSettings,
    StoredFile,
    content_type,
    filename,
    new_key,
)

MISSING = ("404", "NoSuchKey", "NotFound")


class S3Storage:
    def __init__(self, settings: StorageSettings) -> None:
        self._bucket = settings.s3_bucket
        self._link_seconds = settings.link_seconds
        # A client is safe to share between threads.
        self._client = boto3.client(
            "s3",
            endpoint_url=settings.s3_endpoint_url or None,
            region_name=settings.s3_region,
            aws_access_key_id=settings.s3_access_key or None,
            aws_secret_access_key=str(settings.s3_secret_key) or None,
            config=Config(
                signature_version="s3v4",
                connect_timeout=settings.s3_timeout,
                read_timeout=settings.s3_timeout,
                retries={"max_attempts": 2, "mode": "standard"},
                # As every S3 has it, Amazon's or another.
                s3={"addressing_style": "path" if settings.s3_endpoint_url else "auto"},
            ),
        )

    def put(self, folder: str, stream: IO[bytes], extension: str) -> str:
        key = new_key(folder, extension)
        stream.seek(0)
        with _available():
            self._client.put_object(
                Bucket=self._bucket, Key=key, Body=stream, ContentType=content_type(key)
            )
        return key

    def delete(self, key: str) -> None:
        with _available():
            self._client.delete_object(Bucket=self._bucket, Key=key)

    def exists(self, key: str) -> bool:
        try:
            with _available():
                self._client.head_object(Bucket=self._bucket, Key=key)
        except NotFound:
            return False
        return True

    def url(self, key: str, now: datetime) -> str:
        """By the clock of this machine, whatever `now` is."""
        asked = {
            "Bucket": self._bucket,
            "Key": key,
            "ResponseContentType": content_type(key),
            "ResponseContentDisposition": f'attachment; filename="{filename(key)}"',
            "ResponseCacheControl": "no-store",
        }
        # Credentials may have to be fetched.
        with _available():
            link: str = self._client.generate_presigned_url(
                "get_object", Params=asked, ExpiresIn=self._link_seconds
            )
        return link

    def keys(self, before: datetime) -> Iterator[str]:
        with _available():
            pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket)
            for page in pages:
                for item in page.get("Contents", []):
                    if item["LastModified"] < before:
                        yield item["Key"]

    def open_link(self, key: str, expires: str, signature: str, now: datetime) -> StoredFile:
        raise NotFound


@contextmanager
def _available() -> Iterator[None]:
    """Raises NotFound for a missing object, StorageUnavailable for everything else."""
    try:
        yield
    except ClientError as error:
        if error.response.get("Error", {}).get("Code") in MISSING:
            raise NotFound from None
        raise StorageUnavailable from error
    except BotoCoreError as error:
        raise StorageUnavailable from error
