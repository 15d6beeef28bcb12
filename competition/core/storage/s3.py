"""A storage in a private S3 bucket. Links are presigned, so clients download from S3 directly."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from typing import IO

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from competition.core.errors import NotFound
from competition.core.storage.contract import StorageSettings, unavailable
from competition.core.storage.keys import filename

MISSING = ("404", "NoSuchKey", "NotFound")
# The largest file that is read into memory, in bytes. A larger file goes to a temporary file.
IN_MEMORY = 1024 * 1024


class S3Storage:
    def __init__(self, settings: StorageSettings) -> None:
        self._bucket = settings.s3_bucket
        self._prefix = settings.s3_prefix
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
                # Other S3 services than Amazon's may only support the bucket's name in the path.
                s3={"addressing_style": "path" if settings.s3_endpoint_url else "auto"},
            ),
        )

    def put(self, key: str, stream: IO[bytes], content_type: str) -> None:
        stream.seek(0)
        with _available():
            self._client.put_object(**self._at(key), Body=stream, ContentType=content_type)

    def open(self, key: str) -> IO[bytes]:
        """Download the whole object before returning it, so that reading can't fail later."""
        # The caller closes the stream.
        stream = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115
        try:
            with _available(), closing(self._client.get_object(**self._at(key))["Body"]) as body:
                shutil.copyfileobj(body, stream)
        except BaseException:
            stream.close()
            raise
        stream.seek(0)
        return stream

    def exists(self, key: str) -> bool:
        try:
            with _available():
                self._client.head_object(**self._at(key))
        except NotFound:
            return False
        return True

    def delete(self, key: str) -> None:
        with _available():
            self._client.delete_object(**self._at(key))

    def keys(self, before: datetime) -> Iterator[str]:
        with _available():
            pages = self._client.get_paginator("list_objects_v2").paginate(
                Bucket=self._bucket, Prefix=self._prefix
            )
            for page in pages:
                for item in page.get("Contents", []):
                    if item["LastModified"] < before:
                        yield item["Key"].removeprefix(self._prefix)

    def link(self, key: str, content_type: str, seconds: int) -> str:
        """A presigned URL. Its time of expiry is computed from this machine's clock."""
        parameters = {
            **self._at(key),
            "ResponseContentType": content_type,
            "ResponseContentDisposition": f'attachment; filename="{filename(key)}"',
            "ResponseCacheControl": "no-store",
        }
        # boto3 may have to fetch credentials first, which can fail.
        with _available():
            link: str = self._client.generate_presigned_url(
                "get_object", Params=parameters, ExpiresIn=seconds
            )
        return link

    def _at(self, key: str) -> dict[str, str]:
        return {"Bucket": self._bucket, "Key": self._prefix + key}


@contextmanager
def _available() -> Iterator[None]:
    """Context manager: translate boto3's errors into NotFound for a missing object, and
    StorageUnavailable for everything else."""
    try:
        yield
    except ClientError as error:
        if error.response.get("Error", {}).get("Code") in MISSING:
            raise NotFound from None
        raise unavailable(error) from error
    except BotoCoreError as error:
        raise unavailable(error) from error
