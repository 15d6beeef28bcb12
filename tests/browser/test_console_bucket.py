"""Identity documents in a bucket, which is another origin than the console."""

import re
from urllib.parse import urlsplit

import pytest

from competition.core.storage.contract import Storage
from competition.testing.identity_papers import PDF, documents, image, submit
from tests.support.browser import wait_for
from tests.support.programs import CHROMIUM, needs_program
from tests.support.s3 import BUCKET

pytestmark = needs_program(CHROMIUM)


@pytest.fixture
def sockets(sockets_with, s3_server, s3_storage):
    # With a setting of its own, the test has an application of its own. The application remembers
    # the origin of its files.
    found = sockets_with({"competition.name": "A league with a bucket"})
    found.service.runtime.provide(Storage, s3_storage(s3_server.url))
    return found


def test_documents_of_a_bucket_are_shown(site, s3_server):
    rule = {"AllowedMethods": ["GET"], "AllowedOrigins": [site.address]}
    s3_server.client.put_bucket_cors(Bucket=BUCKET, CORSConfiguration={"CORSRules": [rule]})
    # The browser's PDF viewer requests its own files.
    site.tolerate(f"request: ({re.escape(s3_server.url)}|chrome(-extension)?:/)/")
    amara = site.service.candidate(verification="not_submitted")
    card = ("card.png", image(size=(900, 600)))
    submit(amara, documents(id_card=card, verification_document=("letter.pdf", PDF)))
    read = set()

    def note(response):
        if response.ok and response.url.startswith(s3_server.url):
            read.add(urlsplit(response.url).path)

    site.prepare.append(lambda device: device.on("response", note))
    page = site.signed_in(site.service.staff("manager"), f"/console/documents/{amara.id}")
    shown = page.get_by_role("img", name="Identity card")
    shown.and_(page.locator("[viewBox='0 0 900 600']")).wait_for()
    page.locator("iframe[title='School letter']").wait_for()
    wait_for(page, lambda: len(read) == 3)
