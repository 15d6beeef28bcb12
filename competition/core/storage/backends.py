"""Which storage the settings ask for."""

from competition.core.keyring import Keyring
from competition.core.settings import Settings
from competition.core.storage.contract import Storage, StorageSettings

SETTINGS = StorageSettings


def make_storage(settings: Settings, keyring: Keyring, api_url: str) -> Storage:
    storage = settings[StorageSettings]
    if storage.s3_bucket:
        # Imported where it is asked for: boto3 takes a third of a second.
        from competition.core.storage.s3 import S3Storage

        return S3Storage(storage)
    from competition.core.storage.local import LocalStorage

    assert storage.folder is not None, "one of the two is given, as StorageSettings.problems says"
    return LocalStorage(storage.folder, storage.link_seconds, keyring, api_url)
