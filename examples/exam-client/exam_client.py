"""An exam client for the terminal that survives crashes and lost connections.

    pip install httpx cryptography
    python exam_client.py http://localhost:6543/v1 API-KEY 7 emmy@school.example

It works like the modules in `sitting`, whose comments explain the reasons. Each choice is first
written to a file. A thread saves the choices at the service. After a restart, the client continues
where it was.
"""

import hashlib
import json
import os
import random
import sys
import threading
import time
import uuid
from base64 import urlsafe_b64decode
from collections.abc import Mapping, Sequence
from datetime import datetime
from getpass import getpass
from pathlib import Path
from typing import Any

import httpx
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

LONGEST_PAUSE = 60
# Times in seconds. Several choices in a row share one save. An empty save shows that the candidate
# is present.
SAVE_AFTER = 2
SAVE_EVERY = 15
# Thousands of clients have the same deadline, and their drafts are saved. So each submits at a
# random time within this share of the grace period.
SHARE_OF_GRACE = 0.5
# Errors after the answers were submitted from another device, or when the service is about to
# submit them.
OVER = ("exam_already_submitted", "exam_not_open")
TRIES_FOR_A_RECEIPT = 20
LARGEST_PAGE = 100
LETTERS = ("A", "B", "C", "D")

Answers = list[dict[str, Any]]


class Refused(Exception):
    """An error of the service; decide by `code`."""

    def __init__(self, reply: httpx.Response) -> None:
        try:
            error = reply.json()
        except ValueError:
            # The error of a proxy.
            error = {}
        super().__init__(error.get("detail", reply.text))
        self.status = reply.status_code
        self.code = error.get("code", "")


class Service:
    """The service, for one user."""

    def __init__(self, base_url: str, api_key: str, email: str, password: str) -> None:
        self._http = httpx.Client(
            base_url=base_url, headers={"X-Api-Key": api_key}, timeout=20, trust_env=False
        )
        self._lock = threading.Lock()
        login = self._insist("POST", "/auth/login/", {"email": email, "password": password})
        self._access, self._refresh = login["access"], login["refresh"]

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Send a request until the service answers it, and return the reply.

        Use it only for requests that may be sent twice. Raises Refused if the service rejects the
        request.
        """
        access = self._access
        try:
            return self._insist(method, path, body, **self._bearer(access), **headers)
        except Refused as refused:
            if refused.status != httpx.codes.UNAUTHORIZED:
                raise
        with self._lock:
            # A refresh token works once, so only one of two threads refreshes. If the reply gets
            # lost, the service accepts the same token again, because the key is the same.
            if self._access == access:
                key = {"Idempotency-Key": str(uuid.uuid4())}
                token = {"refresh": self._refresh}
                login = self._insist("POST", "/auth/token/refresh/", token, **key)
                self._access, self._refresh = login["access"], login["refresh"]
        return self._insist(method, path, body, **self._bearer(self._access), **headers)

    def _bearer(self, access: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {access}"}

    def _insist(self, method: str, path: str, body: Any, **headers: str) -> Any:
        pause = 1
        while True:
            wait = 0
            try:
                reply = self._http.request(method, path, json=body, headers=headers)
                if reply.is_success:
                    return reply.json()
                if not (reply.is_server_error or reply.status_code == 429):
                    raise Refused(reply)
                wait = int(reply.headers.get("Retry-After", 0))
            except httpx.TransportError:
                pass
            time.sleep(wait + random.uniform(0, pause))
            pause = min(2 * pause, LONGEST_PAUSE)


class Sitting:
    """One candidate's exam.

    `chosen` has the candidate's choices by question. `saved` has the answers that the service had
    at its last reply. The sequence of each save is one more than the newest known sequence. So the
    client notices if another device has saved, and merges both drafts.
    """

    def __init__(self, service: Service, exam: int, file: Path) -> None:
        self._service, self._path, self._file = service, f"/exams/{exam}", file
        # Protects `stored`, which both threads change. No thread holds it during a request.
        self._lock = threading.RLock()
        self._wake, self._thread = threading.Event(), threading.Thread(target=self._work)
        self._thread.daemon = True
        self.stored: dict[str, Any] = {"chosen": {}, "saved": {}, "sequence": 0, "sent": None}
        if file.exists():
            self.stored |= json.loads(file.read_text())

    def open(self) -> None:
        """Open the paper, which starts the candidate's time, or continue."""
        try:
            opened = self._call("GET", "/take-exam/")
        except Refused as refused:
            started = refused.code in OVER and self._call("GET", "/time/")["started_at"]
            if not started:
                raise
            self._end()
            return
        if "receipt" in self.stored:
            # The service had submitted the answers, and then the candidate was given more time.
            self._forget("receipt", "submission")
        self._store_grace(opened)
        self._store(title=opened["title"], questions=opened["questions"])
        self._merge(opened["draft"])
        if "submission" in self.stored:
            self.hand_in()
        else:
            self._thread.start()

    @property
    def is_closed(self) -> bool:
        return "submission" in self.stored or "receipt" in self.stored or self.seconds_left == 0

    @property
    def seconds_left(self) -> float:
        """The remaining time by the service's clock, independent of this computer's clock."""
        return max(0.0, self._ends - time.monotonic())

    @property
    def unsaved(self) -> Answers:
        """The answers that the service does not have yet."""
        saved = self.stored["saved"]
        return [
            each for each in self.answers if each["selected_option"] != saved.get(_of(each), "")
        ]

    @property
    def answers(self) -> Answers:
        chosen = self.stored["chosen"]
        return [
            {"question": each["id"], "selected_option": chosen.get(str(each["id"]), "")}
            for each in self.stored.get("questions", ())
        ]

    def answer(self, question: int, option: str) -> None:
        """Choose an option, or "" for none."""
        with self._lock:
            if not self.is_closed:
                self._store(chosen={**self.stored["chosen"], str(question): option}, used=True)
        self._wake.set()

    def hand_in(self) -> None:
        """Submit the chosen answers, once, with as many tries as it takes.

        From then on nothing can be changed. After a crash, `open` continues the submission.
        """
        with self._lock:
            if "submission" not in self.stored:
                # Store it first, so that the same submission can be sent again with this key.
                self._store(submission={"key": str(uuid.uuid4()), "answers": self.answers})
        self._wake.set()
        body = {"answers": self.stored["submission"]["answers"]}
        key = {"Idempotency-Key": self.stored["submission"]["key"]}
        try:
            self._store(receipt=self._call("POST", "/submit-exam-answers/", body, **key)["receipt"])
        except Refused as refused:
            if refused.code not in OVER:
                raise
            self._end()

    def wait(self) -> None:
        """Wait until the time is over and the answers are submitted."""
        if self._thread.ident:
            self._thread.join()

    def check(self) -> tuple[bool, bool]:
        """Whether the receipt is genuine, and whether it covers the answers shown here.

        It does not cover them if the last answers did not arrive in time.
        """
        keys = self._service.call("GET", "/receipts/keys/")["keys"]
        answers = self.stored.get("submission", {}).get("answers", self.answers)
        return is_genuine(self.stored["receipt"], keys), is_of(self.stored["receipt"], answers)

    def news(self) -> list[str]:
        """The announcements and answers that are new since the last call, the oldest first.

        A service without the plugin clarifications has no `messages`.
        """
        messages = self._call("GET", "/time/").get("messages", 0)
        if messages == self.stored.get("messages", 0):
            return []
        shown = {
            f"announcement {each['id']}": f"Announcement: {each['text']}"
            for each in self._everything("/announcements/")
        }
        for each in self._everything("/clarifications/"):
            if each["status"] != "open":
                asked = f" to “{each['text']}”" if each["text"] else ""
                answer = each["answer"] or "Staff have not answered this question."
                shown[f"answer {each['id']}"] = f"Answer{asked}: {answer}"
        before = self.stored.get("news", {})
        self._store(messages=messages, news=shown)
        return [text for key, text in shown.items() if before.get(key) != text]

    def _everything(self, path: str) -> list[dict[str, Any]]:
        """All items of a list, the oldest first."""
        found, number, has_next = [], 1, True
        while has_next:
            query = f"?ordering=id&limit={LARGEST_PAGE}&page={number}"
            page = self._call("GET", path + query)
            found += page["results"]
            number, has_next = number + 1, page["pagination"]["has_next"]
        return found

    def _work(self) -> None:
        """Save the answers regularly, and submit them at the deadline."""
        try:
            while not self.is_closed:
                self._save()
                pause = SAVE_AFTER if self.unsaved else SAVE_EVERY
                self._wake.wait(min(pause * random.uniform(0.5, 1), self.seconds_left))
                self._wake.clear()
            if self.unsaved:
                # The program may be ended before it submits.
                self._save()
            while "submission" not in self.stored:
                # The candidate may have been given more time.
                self._call("GET", "/time/")
                if self.seconds_left:
                    return self._work()
                if not self.stored.get("used"):
                    # Another device may have answers that it can't send yet.
                    return self._end()
                time.sleep(random.uniform(0, self.stored["grace"] * SHARE_OF_GRACE))
                # Another device may have saved, or the candidate may have been given more time.
                self._save()
                if not self.seconds_left:
                    self.hand_in()
        except Refused as refused:
            if refused.code not in OVER:
                raise
            self._end()

    def _save(self) -> None:
        with self._lock:
            if self.stored["sent"] is None:
                known = self.stored["sequence"]
                sent = {"sequence": known + 1, "follows": known, "answers": self.unsaved}
                self._store(sent=sent)
            sent = self.stored["sent"]
        # A save without a reply may have arrived, so send exactly the same again.
        if self._call("PUT", "/draft/", sent)["applied"]:
            saved = {**self.stored["saved"], **_by_question(sent["answers"])}
            self._store(saved=saved, sequence=sent["sequence"], sent=None)
        else:
            self._merge(self._call("GET", "/draft/"))

    def _merge(self, draft: Mapping[str, Any]) -> None:
        """Take over the answers that another device has saved.

        A choice made here stays, unless the other device has since changed the answer to that
        question.
        """
        with self._lock:
            before, chosen = self.stored["saved"], dict(self.stored["chosen"])
            ours = _by_question((self.stored["sent"] or {"answers": []})["answers"])
            now = _by_question(draft["answers"])
            for question in map(_of, self.answers):
                there = now.get(question, "")
                if there not in (before.get(question, ""), ours.get(question)):
                    chosen[question] = there
            self._store(chosen=chosen, saved=now, sequence=draft["sequence"], sent=None)

    def _end(self) -> None:
        """Wait for the receipt of the submission. Devices can submit during the grace period, and
        only then does the service."""
        grace = self.stored.get("grace", 0)
        for _ in range(TRIES_FOR_A_RECEIPT + int(grace / SAVE_EVERY)):
            try:
                self._store(receipt=self._call("GET", "/receipt/"))
                return
            except Refused as refused:
                if refused.status != httpx.codes.NOT_FOUND:
                    raise
            time.sleep(SAVE_EVERY)

    def _call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        reply = self._service.call(method, self._path + path, body, **headers)
        if reply.get("deadline"):
            left = _time(reply["deadline"]) - _time(reply["server_time"])
            self._ends = time.monotonic() + left.total_seconds()
        return reply

    def _store_grace(self, opened: Mapping[str, Any]) -> None:
        grace = _time(opened["hand_in_until"]) - _time(opened["deadline"])
        self._store(grace=grace.total_seconds())

    def _store(self, **changes: Any) -> None:
        """Write the changes to the file, completely or not at all."""
        with self._lock:
            self.stored |= changes
            new = self._file.with_suffix(".new")
            with new.open("w") as file:
                json.dump(self.stored, file)
                file.flush()
                os.fsync(file.fileno())
            new.replace(self._file)

    def _forget(self, *names: str) -> None:
        for name in names:
            self.stored.pop(name, None)


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _of(answer: Mapping[str, Any]) -> str:
    """The id of the question, as a JSON key."""
    return str(answer["question"])


def _by_question(answers: Answers) -> dict[str, str]:
    return {_of(each): each["selected_option"] for each in answers}


def _canonical(value: Any) -> bytes:
    """Canonical JSON (RFC 8785) of the types that a receipt has."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def is_genuine(receipt: Mapping[str, Any], keys: Sequence[Mapping[str, str]]) -> bool:
    """Whether one of the service's keys has signed the receipt. This needs no request."""
    signed = {name: value for name, value in receipt.items() if name != "signature"}
    for key in keys:
        if key["kid"] == receipt["key_id"]:
            public = Ed25519PublicKey.from_public_bytes(_decoded(key["x"]))
            try:
                public.verify(_decoded(receipt["signature"]), _canonical(signed))
            except InvalidSignature:
                return False
            return True
    return False


def is_of(receipt: Mapping[str, Any], answers: Answers) -> bool:
    """Whether the receipt is for these answers."""
    given = {question: option for question, option in _by_question(answers).items() if option}
    salted = _canonical({"salt": receipt["salt"], "answers": given})
    return hashlib.sha256(salted).digest() == _decoded(receipt["digest"])


def main(base_url: str, api_key: str, exam: str, email: str) -> None:
    password = os.environ.get("PASSWORD") or getpass()
    # One file per candidate and exam, because several candidates may use one computer.
    file = Path(f"exam-{exam}-{hashlib.sha256(email.encode()).hexdigest()[:8]}.json")
    sitting = Sitting(Service(base_url, api_key, email, password), int(exam), file)
    sitting.open()
    questions = sitting.stored.get("questions", [])
    numbers = {str(number): each["id"] for number, each in enumerate(questions, start=1)}
    for number, question in zip(numbers, questions, strict=True):
        # A terminal can't show formulas and images, so print them in words.
        said = question["spoken"] or question
        print(f"\n{number}. {said['text']}")
        for letter in LETTERS:
            print(f"   {letter}  {said[f'option_{letter.lower()}']}")
    while not sitting.is_closed:
        for text in sitting.news():
            print(f"\n{text}")
        minutes, unsaved = f"{sitting.seconds_left / 60:.0f}", len(sitting.unsaved)
        print(f"\n{minutes} minutes left, {unsaved} answers to save.")
        words = input("Enter the number of a question and a letter, or `done`: ").upper().split()
        if words == ["DONE"]:
            sitting.hand_in()
        elif len(words) == 2 and words[0] in numbers and words[1] in LETTERS:
            sitting.answer(numbers[words[0]], words[1])
    sitting.wait()
    if "receipt" not in sitting.stored:
        sys.exit("No answers were submitted.")
    print(json.dumps(sitting.stored["receipt"], indent=2))
    genuine, complete = sitting.check()
    print(f"The receipt is {'genuine' if genuine else 'NOT GENUINE'}.")
    if not complete:
        print("It covers only the answers that were saved before the end.")


if __name__ == "__main__":
    main(*sys.argv[1:])
