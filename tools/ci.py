"""CI: the checks, the audit, and one run of all tests. `.ci/run` starts it after the installation.

It prints how long everything took, and how much CPU time it used, with every process that it has
started. If it takes longer than `BUDGET`, it stops, fails, and names what did not run.
"""

import ctypes
import os
import resource
import subprocess
import sys
import time

STEPS = (["make", "check"], ["make", "audit"], ["make", "full", "ONLY=--maxfail=20"])
# In seconds.
BUDGET = 75 * 60
# How long the tests' own end may take, in seconds, before they are killed.
END = 60
# The Linux option with which a process adopts the orphans among its descendants.
PR_SET_CHILD_SUBREAPER = 36


def main() -> int:
    begun = time.monotonic()
    # Servers that tests start in the background outlive their parents. Adopted, they count too.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    os.environ["CI"] = "true"
    status = 0
    for step in STEPS:
        left = int(BUDGET - (time.monotonic() - begun))
        try:
            environment = {**os.environ, "TEST_BUDGET": str(max(left - END, 1))}
            status = subprocess.run(step, env=environment, timeout=max(left, 1)).returncode
        except subprocess.TimeoutExpired:
            print(f"`{' '.join(step)}` did not end within {BUDGET // 60} minutes.")
            status = 1
        if status:
            break
    adopt_and_wait()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    minutes, seconds = divmod(round(time.monotonic() - begun), 60)
    print(
        f"CI took {minutes} min {seconds} s, and {used.ru_utime + used.ru_stime:.0f} CPU seconds."
    )
    return status


def adopt_and_wait() -> None:
    """Wait for the processes that have ended since their parent did."""
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                return
        except ChildProcessError:
            return


if __name__ == "__main__":
    sys.exit(main())
