# SPDX-License-Identifier: GPL-3.0-or-later
"""The page in a browser, as a person uses it."""

from collections.abc import Callable
from typing import Any

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

HANGS_AFTER_S = 60
PHONE, DESKTOP = (360, 780), (1440, 900)


class Page:
    """The page as a person uses it."""

    def __init__(self, driver: webdriver.Chrome, link: str, size: tuple[int, int]) -> None:
        self.driver = driver
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        driver.get(link)
        self.until(lambda: self.text("connection") == "connected")
        self.until(lambda: len(driver.find_elements(By.CSS_SELECTOR, "#board .man")) == 32)

    def until(self, holds: Callable[[], bool]) -> None:
        """Waits until something holds."""
        WebDriverWait(self.driver, HANGS_AFTER_S, 0.05).until(lambda _driver: holds())

    def text(self, name: str) -> str:
        """The text of an element."""
        return str(
            self.driver.execute_script(f"return document.getElementById('{name}').textContent")
        )

    def element(self, name: str) -> Any:
        """An element by its name."""
        return self.driver.find_element(By.ID, name)

    def click(self, name: str) -> None:
        """Clicks an element, wherever it is on the page."""
        self.driver.execute_script(
            "arguments[0].scrollIntoView({block: 'center'})", self.element(name)
        )
        self.element(name).click()

    def open(self, name: str) -> None:
        """Unfolds a part of the page."""
        self.driver.execute_script(f"document.getElementById('{name}').open = true")

    def square(self, name: str) -> Any:
        """A square of the board."""
        return self.driver.find_element(By.CSS_SELECTOR, f'#board rect[data-square="{name}"]')

    def moves(self) -> list[str]:
        """The moves of the game."""
        script = "return [...document.querySelectorAll('#moves button')].map(b => b.textContent)"
        return list(self.driver.execute_script(script))

    def type_moves(self, *sans: str) -> None:
        """Plays moves through the field for them."""
        for san in sans:
            before = len(self.moves())
            self.element("move-text").send_keys(san + Keys.ENTER)
            self.until(lambda before=before: len(self.moves()) == before + 1)
