"""Child processes of the tests, which end them by process id."""

import ctypes
import queue
import signal
import subprocess
import threading
import time


class LineReader:
    """Reads a stream line by line in a thread, so that a test can wait for a line for a while."""

    def __init__(self, stream):
        self.lines = []
        self._queue = queue.Queue()
        self._thread = threading.Thread(target=self._read, args=(stream,), daemon=True)
        self._thread.start()

    def _read(self, stream):
        for line in stream:
            self.lines.append(line.rstrip("\n"))
            self._queue.put(line.rstrip("\n"))
        self._queue.put(None)

    def next(self, timeout=10.0):
        """The next line; None at the end of the stream."""
        try:
            return self._queue.get(timeout=timeout)
        except queue.Empty:
            raise AssertionError(
                f"no further line within {timeout} s; so far: {self.lines}"
            ) from None

    def until(self, wanted, timeout=10.0):
        """Skips to the first line for which wanted(line) holds."""
        deadline = time.monotonic() + timeout
        while True:
            line = self.next(max(0.0, deadline - time.monotonic()))
            if line is None:
                raise AssertionError(f"the stream ended; lines: {self.lines}")
            if wanted(line):
                return line

    def quiet(self, seconds):
        """Holds if no line comes for so long."""
        try:
            line = self._queue.get(timeout=seconds)
        except queue.Empty:
            return True
        return line is None


LIBC = ctypes.CDLL(None, use_errno=True)
PR_SET_PDEATHSIG = 1


def die_with_parent():
    """Runs in the child: nothing is left over when the tests themselves are killed."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Child:
    """A process whose output goes to a file, so that it never blocks on a full pipe."""

    def __init__(self, command, log, env=None):
        self.log = log
        with open(log, "a", encoding="utf-8") as output:
            self.process = subprocess.Popen(
                command,
                stdout=output,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                env=env,
                preexec_fn=die_with_parent,
            )

    def output(self):
        return self.log.read_text(encoding="utf-8", errors="replace")

    def running(self):
        return self.process.poll() is None

    def stop(self, timeout=20.0):
        if self.running():
            self.process.terminate()
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(
                f"did not end within {timeout} s of SIGTERM:\n{self.output()}"
            ) from None

    def kill(self):
        if self.running():
            self.process.kill()
        self.process.wait(20)


def eventually(check, timeout=10.0, interval=0.05):
    """Repeats check() until it returns something true, and returns that. An AssertionError
    counts as "not yet"; the last one is raised when time is up."""
    deadline = time.monotonic() + timeout
    while True:
        failure = None
        try:
            result = check()
            if result:
                return result
        except AssertionError as error:
            failure = error
        if time.monotonic() > deadline:
            raise failure or AssertionError(f"not within {timeout} s: {check}")
        time.sleep(interval)
