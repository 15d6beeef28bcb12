"""A real S3 server."""

import contextlib
import os
import subprocess
import sys
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from competition.testing.waiting import wait_until
from tests.support.ports import free_port

ACCESS_KEY = "test-access-key"
SECRET_KEY = "test-secret-key"
BUCKET = "documents"


class S3Server:
    """SeaweedFS on free ports. Tests use only its S3 API."""

    def __init__(self, folder: Path) -> None:
        ports = [free_port() for _ in range(10)]
        self.url = f"http://127.0.0.1:{ports[0]}"
        names = ("s3.port", "s3.port.grpc", "master.port", "master.port.grpc", "volume.port")
        names += ("volume.port.grpc", "filer.port", "filer.port.grpc", "admin.port")
        names += ("admin.port.grpc",)
        self._command = [
            str(Path(sys.executable).with_name("weed")),
            *("mini", f"-dir={folder}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1"),
            *("-webdav=false", "-admin.ui=false", "-master.telemetry=false"),
            *("-s3.port.iceberg=0", "-s3.port.lance=0"),
            *(f"-{name}={port}" for name, port in zip(names, ports, strict=True)),
        ]
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._folder.mkdir(exist_ok=True)
        environment = {
            **os.environ,
            "AWS_ACCESS_KEY_ID": ACCESS_KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
            "HOME": str(self._folder),
        }
        self._process = subprocess.Popen(
            self._command,
            env=environment,
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_until(self._is_up, pause=0.1)

    def _is_up(self) -> bool:
        assert self._process is not None and self._process.poll() is None
        return self._takes_files()

    @cached_property
    def client(self) -> Any:
        return boto3.client(
            "s3",
            endpoint_url=self.url,
            region_name="us-east-1",
            aws_access_key_id=ACCESS_KEY,
            aws_secret_access_key=SECRET_KEY,
            config=Config(connect_timeout=1, read_timeout=5, retries={"max_attempts": 0}),
        )

    def listed(self) -> list[str]:
        found = self.client.list_objects_v2(Bucket=BUCKET).get("Contents", [])
        return [each["Key"] for each in found]

    def _takes_files(self) -> bool:
        try:
            with contextlib.suppress(ClientError):
                self.client.create_bucket(Bucket=BUCKET)
            self.client.put_object(Bucket=BUCKET, Key="probe", Body=b"probe")
            self.client.delete_object(Bucket=BUCKET, Key="probe")
        except (ClientError, BotoCoreError):
            return False
        return True

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
