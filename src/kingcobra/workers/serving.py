# SPDX-License-Identifier: GPL-3.0-or-later
"""The life of a worker process: what it is to do, and then tasks, from the standard input until
its end; answers on the standard output. It does not import the user's program, so scripts need no
guard."""

import os
import pickle
import queue
import signal
import sys
import threading
from contextlib import suppress
from typing import IO, Any

from kingcobra.exit_codes import EXIT_OK

# What an answer is: the worker can begin, it cannot, or the result of a task.
READY, REFUSED, DONE = "ready", "refused", "done"


def main() -> None:
    """Serves until the parent is gone, or cannot be served at all."""
    # Ctrl-C is the parent's business.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = sys.stdout.buffer
    # What is printed by mistake must not disturb the answers.
    sys.stdout = sys.stderr
    requests: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, requests), daemon=True).start()
    with suppress(BrokenPipeError):
        make_serve, settings, failure = requests.get()
        try:
            serve = make_serve(settings)
        except failure as error:
            send(answers, (REFUSED, str(error)))
            return
        send(answers, (READY, None))
        while True:
            send(answers, (DONE, serve(requests.get())))


def send(stream: IO[bytes], value: object) -> None:
    """Writes a value for the other side. May raise OSError."""
    pickle.dump(value, stream)
    stream.flush()


def _read(stream: IO[bytes], requests: "queue.SimpleQueue[Any]") -> None:
    """Reads requests. When the parent is gone the process ends, whatever it is doing."""
    with suppress(EOFError, pickle.UnpicklingError):
        while True:
            requests.put(pickle.load(stream))
    os._exit(EXIT_OK)


if __name__ == "__main__":
    main()
