# SPDX-License-Identifier: GPL-3.0-or-later
"""How quick `kingcobra web` is in a real Chromium on the same machine: from following the link to
the first paint and to the men on the board, and from a move on the board to the first line of
analysis. Needs Debian's chromium and chromium-driver, and selenium."""

import shutil
import signal
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from benchmarks.engines import KINGCOBRA, EngineFailed
from benchmarks.figures import Figure

LOADS_PER_ROUND = 4
MOVES = (
    "e4",
    "e5",
    "Nf3",
    "Nc6",
    "Bb5",
    "a6",
    "Ba4",
    "Nf6",
    "O-O",
    "Be7",
    "Re1",
    "b5",
    "Bb3",
    "d6",
)
# What is aimed at, on loopback.
FIRST_PAINT_MS, FIRST_LINE_MS = 300, 100
READY_S, ANSWER_S = 300, 60
ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--window-size=1440,900",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)

# Runs before the page's own scripts: notes when the men are on the board.
NOTE_MEN = """
new MutationObserver((_changes, observer) => {
  if (document.querySelector("#board .man")) {
    observer.disconnect();
    requestAnimationFrame(() => { window.menAt = performance.now(); });
  }
}).observe(document, { childList: true, subtree: true });
"""
IS_READY = """
const shown = (id) => document.getElementById(id)?.textContent;
return shown("connection") === "connected" && shown("notice") === "" && window.menAt !== undefined;
"""
PAINT = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
# Plays a move; answers with the milliseconds until the first line of the new position is shown.
PLAY = """
const [move, done] = arguments;
const effort = document.getElementById("effort");
let isNew = false;
const observer = new MutationObserver(() => {
  if (effort.textContent === "") isNew = true;
  else if (isNew) {
    observer.disconnect();
    done(performance.now() - started);
  }
});
observer.observe(effort, { childList: true, characterData: true, subtree: true });
document.getElementById("move-text").value = move;
const started = performance.now();
document.getElementById("move-form").requestSubmit();
"""


def measure(rounds: int) -> Iterator[Figure]:
    """Medians and worst cases, in milliseconds."""
    try:
        import selenium  # noqa: F401
    except ModuleNotFoundError:
        print("web needs selenium: pip install selenium")
        return
    if shutil.which("chromium") is None or shutil.which("chromedriver") is None:
        print("web needs Debian's chromium and chromium-driver")
        return
    with served_link() as link, chromium() as driver:
        wait_until_ready(driver, link)
        loads = [load(driver, link) for _ in range(rounds * LOADS_PER_ROUND)]
        paints, boards = zip(*loads, strict=True)
        yield from figures("first paint", paints, FIRST_PAINT_MS)
        yield from figures("men on the board", boards, None)
        answers = [ms for _ in range(rounds) for ms in play_game(driver)]
        yield from figures("move to the first line of analysis", answers, FIRST_LINE_MS)


def figures(
    name: str, found_ms: "tuple[float, ...] | list[float]", aim: int | None
) -> list[Figure]:
    """The median, the slowest, and what is aimed at."""
    remark = "" if aim is None else f"aim: within {aim} ms"
    return [
        Figure(f"{name}, median", statistics.median(found_ms), "ms", remark),
        Figure(f"{name}, slowest of {len(found_ms)}", max(found_ms), "ms"),
    ]


@contextmanager
def served_link() -> Iterator[str]:
    """The link of a server with the default network."""
    command = [*KINGCOBRA, "web", "--port", "0"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as server:
        assert server.stdout is not None
        lines = [server.stdout.readline(), server.stdout.readline()]
        try:
            if not lines[1].startswith("http://"):
                raise EngineFailed(f"kingcobra web has printed no link: {lines}")
            yield lines[1].strip()
        finally:
            server.send_signal(signal.SIGINT if sys.platform != "win32" else signal.SIGTERM)


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser that can reach nothing but this machine."""
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = shutil.which("chromium") or ""
    for argument in ARGUMENTS:
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        driver.set_script_timeout(ANSWER_S)
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": NOTE_MEN})
        yield driver
    finally:
        driver.quit()


def wait_until_ready(driver: Any, link: str) -> None:
    """The page is open and the engine is loaded; the first time it is compiled."""
    from selenium.webdriver.support.ui import WebDriverWait

    driver.get(link)
    WebDriverWait(driver, READY_S, 0.1).until(lambda _: driver.execute_script(IS_READY))


def load(driver: Any, link: str) -> tuple[float, float]:
    """Follows the link without its token, as a reload does; milliseconds to the first paint and to
    the men."""
    from selenium.webdriver.support.ui import WebDriverWait

    driver.get(link.partition("?")[0])
    wait = WebDriverWait(driver, ANSWER_S, 0.02)
    wait.until(lambda _: driver.execute_script(IS_READY))
    paint = wait.until(lambda _: driver.execute_script(PAINT))
    return float(paint), float(driver.execute_script("return window.menAt"))


def play_game(driver: Any) -> list[float]:
    """A game on the board with the analysis on; milliseconds from each move to its first line."""
    from selenium.webdriver.support.ui import WebDriverWait

    wait = WebDriverWait(driver, ANSWER_S, 0.02)
    driver.execute_script("document.getElementById('new-game').click()")
    wait.until(lambda _: driver.execute_script("return !document.querySelector('#moves button')"))
    press = (
        "const b = document.getElementById('analysis'); if (b.ariaPressed === 'false') b.click()"
    )
    driver.execute_script(press)
    wait.until(
        lambda _: driver.execute_script("return document.getElementById('effort').textContent")
    )
    return [float(driver.execute_async_script(PLAY, move)) for move in MOVES]
