"""New releases of the service between a pupil's visits, and during an exam."""

import shutil

import pytest

from competition.plugins.drafts.models import Draft
from competition.plugins.pages.front_ends import Files, FrontEnd, PageModule
from competition.plugins.pages.release import Release
from competition.plugins.pages.serving import BASE
from tests.support.browser import PHONE, wait_for
from tests.support.exam_page import ALL_SAVED, IN_NO_TIME, choose, says, shown, sign_in, stored
from tests.support.programs import CHROMIUM, needs_program

pytestmark = [needs_program(CHROMIUM), pytest.mark.usefixtures("proof")]

# JavaScript: the names of the caches that have the document, in the order of their creation.
COMPLETE = """
caches.keys().then(async names => {
  const found = await Promise.all(names.map(cacheName => caches.match("/", {cacheName})));
  return names.filter((_, number) => found[number]);
})
"""


class Deployments:
    """The releases of the service: `deploy` replaces the present one, as a restart would."""

    def __init__(self, site, folder):
        catalogue = site.service.runtime.catalogue
        self._pages = site.service.http.app.registry.pages

        def release(name):
            own = folder / name
            shutil.copytree(BASE.folder, own)
            # The hash of a release covers this file.
            (own / "changed.txt").write_text(name)
            front_ends, modules = catalogue[FrontEnd].values(), catalogue[PageModule].values()
            return Release(Files(BASE.plugin, own), front_ends, modules)

        self.old = self._pages.release
        self.new, self.third = release("second"), release("third")

    def deploy(self, release):
        self._pages.release = release


@pytest.fixture
def releases(site, tmp_path):
    releases = Deployments(site, tmp_path)
    yield releases
    # Other tests use the same application.
    releases.deploy(releases.old)


@pytest.fixture
def ada(site, exam_id, proof):
    ada = site.service.candidate()
    proof.expect(exam_id, ada)
    return ada


@pytest.fixture
def page(site, ada, releases):
    """The candidate's home page, with the service worker of the old release."""
    device = site.device(viewport=PHONE, has_touch=True, user_agent="phone")
    device.add_init_script(IN_NO_TIME)
    page = site.signed_in(ada, "/home", context=device)
    page.get_by_text("Hello,").wait_for()
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    assert cached(page) == [releases.old.hash]
    return page


def cached(page):
    """The hashes of the releases in the browser's caches, in the order of their installation."""
    return [each.removeprefix("release-") for each in page.evaluate(COMPLETE)]


def is_of(page, release):
    """Whether the page's document is of this release."""
    return f"/static/{release.hash}/" in page.locator("script").first.get_attribute("src")


def wait_for_worker(page):
    """Wait until the newest worker is installed. It waits until all pages are closed."""
    look = "navigator.serviceWorker.getRegistration().then(it => !!it.waiting && !it.installing)"
    wait_for(page, lambda: page.evaluate(look))


def begin(page, exam_id):
    page.goto(f"/exams/{exam_id}")
    page.get_by_role("button", name="Start").click()
    choose(page, 1, "B")
    says(page, ALL_SAVED)


def test_the_worker_of_a_new_release_takes_over_when_all_pages_are_closed(
    site, exam_id, page, releases, ada
):
    releases.deploy(releases.new)
    begin(page, exam_id)
    wait_for_worker(page)
    assert cached(page) == [releases.old.hash, releases.new.hash]
    device = page.context
    page.close()
    page = device.new_page()
    page.goto(f"/exams/{exam_id}")
    wait_for(page, lambda: cached(page) == [releases.new.hash])
    site.line.cut.add("phone")
    choose(page, 2, "C")
    page.reload()
    says(page, "One answer saved on this device only.")
    assert shown(page) == "BC" and is_of(page, releases.new)
    site.line.cut.clear()
    # The session was stored in the closed tab only.
    page.locator(".bar").get_by_role("button", name="Sign in").click()
    sign_in(page, ada.email)
    says(page, "All 2 answers saved at")
    assert stored(site, Draft, exam_id) == ["BC"]


def test_a_third_release_replaces_the_one_that_waits(site, exam_id, page, releases):
    releases.deploy(releases.new)
    begin(page, exam_id)
    wait_for_worker(page)
    releases.deploy(releases.third)
    page.reload()
    # The browser would also look for a new worker by itself, but later.
    page.evaluate("navigator.serviceWorker.getRegistration().then(it => it.update()).then(() => 0)")
    # The old worker stays: it runs the page. Each cache is complete, also while the third installs.
    hashes = [each.hash for each in (releases.old, releases.new, releases.third)]
    wait_for(page, lambda: cached(page) == hashes)
    wait_for_worker(page)
    site.line.cut.add("phone")
    page.reload()
    choose(page, 2, "C")
    says(page, "One answer saved on this device only.")
    assert is_of(page, releases.third)
    site.line.cut.clear()
    says(page, "All 2 answers saved at")
    # The worker of the second release never takes over. The third one deletes its files.
    device = page.context
    page.close()
    page = device.new_page()
    page.goto(f"/exams/{exam_id}")
    wait_for(page, lambda: cached(page) == [releases.third.hash])
    assert stored(site, Draft, exam_id) == ["BC"]


def test_after_a_return_to_the_old_release_a_reload_without_a_connection_shows_that_release(
    site, exam_id, page, releases
):
    releases.deploy(releases.new)
    begin(page, exam_id)
    wait_for_worker(page)
    releases.deploy(releases.old)
    page.reload()
    wait_for(page, lambda: cached(page) == [releases.new.hash, releases.old.hash])
    site.line.cut.add("phone")
    page.reload()
    choose(page, 2, "C")
    says(page, "One answer saved on this device only.")
    assert is_of(page, releases.old)
    site.line.cut.clear()
    says(page, "All 2 answers saved at")
    assert stored(site, Draft, exam_id) == ["BC"]
