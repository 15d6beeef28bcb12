"""An exam that survives anything, in a terminal.

    pip install httpx cryptography
    python exam_client.py http://localhost:6543/v1 API-KEY 7 emmy@school.example

It works as exam.js does, where the reasons stand. What is chosen is in a file before anything else
happens; a thread saves it at the service. Started again, it goes on where it was.
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
# Several choices in a row are one save; with nothing to save, one is a sign of life.
SAVE_AFTER = 2
SAVE_EVERY = 15
# Thousands have the same deadline. Their drafts are saved: nobody has to be first.
SHARE_OF_GRACE = 0.5
# Handed in from another device, or about to be by the service.
OVER = ("exam_already_submitted", "exam_not_open")
TRIES_FOR_A_RECEIPT = 20
LETTERS = ("A", "B", "C", "D")

Answers = list[dict[str, Any]]


class Refused(Exception):
    """What the service said no to; decide by `code`."""

    def __init__(self, reply: httpx.Response) -> None:
        try:
            error = reply.json()
        except ValueError:
            # A proxy's.
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
        """The reply, however long that takes: only for what may be sent twice. Raises Refused."""
        access = self._access
        try:
            return self._insist(method, path, body, **self._bearer(access), **headers)
        except Refused as refused:
            if refused.status != httpx.codes.UNAUTHORIZED:
                raise
        with self._lock:
            # A refresh token counts once: of two threads one refreshes.
            if self._access == access:
                body_with_it = {"refresh": self._refresh}
                login = self._insist("POST", "/auth/token/refresh/", body_with_it)
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
    """The exam as one candidate sits it.

    `chosen` is what the pupil wants, `saved` what the service had when it last answered, both by
    question. Each save has the sequence after the newest one known: so one that was made on another
    device shows, and what is here is merged with what is there.
    """

    def __init__(self, service: Service, exam: int, file: Path) -> None:
        self._service, self._path, self._file = service, f"/exams/{exam}", file
        # Of `kept`, which both threads change; never held while the service is asked.
        self._lock = threading.RLock()
        self._wake, self._thread = threading.Event(), threading.Thread(target=self._work)
        self._thread.daemon = True
        self.kept: dict[str, Any] = {"chosen": {}, "saved": {}, "sequence": 0, "sent": None}
        if file.exists():
            self.kept |= json.loads(file.read_text())

    def open(self) -> None:
        """Open the paper, which starts the clock; or go on."""
        try:
            opened = self._call("GET", "/take-exam/")
        except Refused as refused:
            started = refused.code in OVER and self._call("GET", "/time/")["started_at"]
            if not started:
                raise
            self._end()
            return
        if "receipt" in self.kept:
            # Handed in by the service, and then time was given.
            self._forget("receipt", "submission")
        self._keep_grace(opened)
        self._keep(title=opened["title"], questions=opened["questions"])
        self._merge(opened["draft"])
        if "submission" in self.kept:
            self.hand_in()
        else:
            self._thread.start()

    @property
    def is_closed(self) -> bool:
        return "submission" in self.kept or "receipt" in self.kept or self.seconds_left == 0

    @property
    def seconds_left(self) -> float:
        """By the service's clock; what this computer's says does not matter."""
        return max(0.0, self._ends - time.monotonic())

    @property
    def unsaved(self) -> Answers:
        """What the service does not have yet."""
        saved = self.kept["saved"]
        return [
            each for each in self.answers if each["selected_option"] != saved.get(_of(each), "")
        ]

    @property
    def answers(self) -> Answers:
        chosen = self.kept["chosen"]
        return [
            {"question": each["id"], "selected_option": chosen.get(str(each["id"]), "")}
            for each in self.kept.get("questions", ())
        ]

    def answer(self, question: int, option: str) -> None:
        """Choose an option, or "" for none."""
        with self._lock:
            if not self.is_closed:
                self._keep(chosen={**self.kept["chosen"], str(question): option})
        self._wake.set()

    def hand_in(self) -> None:
        """Hand in what is chosen, once, in as many tries as it takes. From then on nothing can be
        changed, and `open` goes on with it after a crash."""
        with self._lock:
            if "submission" not in self.kept:
                # Kept before it is sent: with the same key it may be sent again.
                self._keep(submission={"key": str(uuid.uuid4()), "answers": self.answers})
        self._wake.set()
        body = {"answers": self.kept["submission"]["answers"]}
        key = {"Idempotency-Key": self.kept["submission"]["key"]}
        try:
            self._keep(receipt=self._call("POST", "/submit-exam-answers/", body, **key)["receipt"])
        except Refused as refused:
            if refused.code not in OVER:
                raise
            self._end()

    def wait(self) -> None:
        """Until the time is over, and everything is handed in."""
        if self._thread.ident:
            self._thread.join()

    def check(self) -> tuple[bool, bool]:
        """What the receipt proves: whether it is genuine, and of what is shown here. The latter it
        is not when the last answers had not arrived in time."""
        keys = self._service.call("GET", "/receipts/keys/")["keys"]
        answers = self.kept.get("submission", {}).get("answers", self.answers)
        return is_genuine(self.kept["receipt"], keys), is_of(self.kept["receipt"], answers)

    def _work(self) -> None:
        """Save, and hand in at the deadline."""
        try:
            while not self.is_closed:
                self._save()
                pause = SAVE_AFTER if self.unsaved else SAVE_EVERY
                self._wake.wait(min(pause * random.uniform(0.5, 1), self.seconds_left))
                self._wake.clear()
            while "submission" not in self.kept:
                # Time may have been given meanwhile.
                self._call("GET", "/time/")
                if self.seconds_left:
                    return self._work()
                time.sleep(random.uniform(0, self.kept["grace"] * SHARE_OF_GRACE))
                self.hand_in()
        except Refused as refused:
            if refused.code not in OVER:
                raise
            self._end()

    def _save(self) -> None:
        with self._lock:
            if self.kept["sent"] is None:
                sequence = self.kept["sequence"] + 1
                self._keep(sent={"sequence": sequence, "answers": self.unsaved})
            sent = self.kept["sent"]
        # One that got no answer may have arrived: it is sent again as it was.
        if self._call("PUT", "/draft/", sent)["applied"]:
            saved = {**self.kept["saved"], **_by_question(sent["answers"])}
            self._keep(saved=saved, sequence=sent["sequence"], sent=None)
        else:
            self._merge(self._call("GET", "/draft/"))

    def _merge(self, draft: Mapping[str, Any]) -> None:
        """Take over what another device saved. What was chosen here stays, unless the same question
        was answered differently there since."""
        with self._lock:
            before, chosen = self.kept["saved"], dict(self.kept["chosen"])
            ours = _by_question((self.kept["sent"] or {"answers": []})["answers"])
            now = _by_question(draft["answers"])
            for question in map(_of, self.answers):
                there = now.get(question, "")
                if there not in (before.get(question, ""), ours.get(question)):
                    chosen[question] = there
            self._keep(chosen=chosen, saved=now, sequence=draft["sequence"], sent=None)

    def _end(self) -> None:
        """Wait for the receipt of what was handed in, by whomever."""
        for _ in range(TRIES_FOR_A_RECEIPT):
            try:
                self._keep(receipt=self._call("GET", "/receipt/"))
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

    def _keep_grace(self, opened: Mapping[str, Any]) -> None:
        grace = _time(opened["hand_in_until"]) - _time(opened["deadline"])
        self._keep(grace=grace.total_seconds())

    def _keep(self, **changes: Any) -> None:
        """A file is there whole, or as it was before."""
        with self._lock:
            self.kept |= changes
            new = self._file.with_suffix(".new")
            with new.open("w") as file:
                json.dump(self.kept, file)
                file.flush()
                os.fsync(file.fileno())
            new.replace(self._file)

    def _forget(self, *names: str) -> None:
        for name in names:
            self.kept.pop(name, None)


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _of(answer: Mapping[str, Any]) -> str:
    """The question, as a name in JSON."""
    return str(answer["question"])


def _by_question(answers: Answers) -> dict[str, str]:
    return {_of(each): each["selected_option"] for each in answers}


def _canonical(value: Any) -> bytes:
    """RFC 8785, of what is in a receipt."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def is_genuine(receipt: Mapping[str, Any], keys: Sequence[Mapping[str, str]]) -> bool:
    """Whether one of the service's keys has signed it. Nobody has to be asked."""
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
    given = {question: option for question, option in _by_question(answers).items() if option}
    told = _canonical({"salt": receipt["salt"], "answers": given})
    return hashlib.sha256(told).digest() == _decoded(receipt["digest"])


def main(base_url: str, api_key: str, exam: str, email: str) -> None:
    password = os.environ.get("PASSWORD") or getpass()
    # A file for each candidate and exam: several may use one computer.
    file = Path(f"exam-{exam}-{hashlib.sha256(email.encode()).hexdigest()[:8]}.json")
    sitting = Sitting(Service(base_url, api_key, email, password), int(exam), file)
    sitting.open()
    questions = sitting.kept.get("questions", [])
    numbers = {str(number): each["id"] for number, each in enumerate(questions, start=1)}
    for number, question in zip(numbers, questions, strict=True):
        print(f"\n{number}. {question['text']}")
        for letter in LETTERS:
            print(f"   {letter}  {question[f'option_{letter.lower()}']}")
    while not sitting.is_closed:
        print(f"\n{sitting.seconds_left / 60:.0f} minutes left, {len(sitting.unsaved)} to save.")
        words = input("A number and a letter, or `done`: ").upper().split()
        if words == ["DONE"]:
            sitting.hand_in()
        elif len(words) == 2 and words[0] in numbers and words[1] in LETTERS:
            sitting.answer(numbers[words[0]], words[1])
    sitting.wait()
    if "receipt" not in sitting.kept:
        sys.exit("Nothing was handed in.")
    print(json.dumps(sitting.kept["receipt"], indent=2))
    genuine, complete = sitting.check()
    print(f"The receipt is {'genuine' if genuine else 'NOT GENUINE'}.")
    if not complete:
        print("It is of the answers that had been saved before.")


if __name__ == "__main__":
    main(*sys.argv[1:])
