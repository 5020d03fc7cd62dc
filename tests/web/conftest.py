# SPDX-License-Identifier: GPL-3.0-or-later
"""A real Chromium, which can resolve no name and reach nothing but this machine, and a server for
it."""

import asyncio
import shutil
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from selenium import webdriver

    from tests.web.browser_page import Page
    from tests.web.served import Served

HANGS_AFTER_S = 60


@pytest.fixture(scope="session")
def driver() -> "Iterator[webdriver.Chrome]":
    pytest.importorskip("selenium", reason="selenium is not installed")
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    browser, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if browser is None or chromedriver is None:
        pytest.skip("chromium or chromium-driver is not installed")
    options = Options()
    options.binary_location = browser
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    found = webdriver.Chrome(options=options, service=Service(chromedriver))
    yield found
    found.quit()


@pytest.fixture
def served(core: object) -> "Iterator[tuple[Served, asyncio.AbstractEventLoop]]":
    """A server with a real engine, in a thread of its own."""
    from kingcobra.analysis.settings import AnnotationSettings
    from kingcobra.web.annotator import Annotator
    from kingcobra.web.engine_desk import EngineDesk, EngineOptions
    from kingcobra.web.room import Room
    from tests.paths import DATA
    from tests.web.served import serving

    assert core
    room = Room(EngineDesk(EngineOptions(hash_mb=1, tables=str(DATA / "syzygy"))))
    room.annotator = Annotator(room.clients.post, AnnotationSettings(nodes=2000, hash_mb=1))
    ready, finished = threading.Event(), asyncio.Event()
    found: list[Any] = []

    async def serve() -> None:
        async with serving(room) as running:
            found.extend([running, asyncio.get_running_loop()])
            ready.set()
            await finished.wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert ready.wait(HANGS_AFTER_S)
    yield found[0], found[1]
    found[1].call_soon_threadsafe(finished.set)
    thread.join(HANGS_AFTER_S)


@pytest.fixture
def open_page(
    driver: "webdriver.Chrome", served: "tuple[Served, asyncio.AbstractEventLoop]"
) -> "Iterator[Callable[..., Page]]":
    from tests.web.browser_page import DESKTOP, Page
    from tests.web.served import TOKEN

    link = f"http://127.0.0.1:{served[0].port}/?token={TOKEN}"
    yield lambda size=DESKTOP: Page(driver, link, size)
    base = link.partition("?")[0]
    loaded = driver.execute_script(
        "return performance.getEntriesByType('resource').map(e => e.name)"
    )
    assert all(str(name).startswith(base) for name in loaded), loaded
    assert [entry for entry in driver.get_log("browser") if "ERR_" not in entry["message"]] == []
    driver.get("about:blank")
