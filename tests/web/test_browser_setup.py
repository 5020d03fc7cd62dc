# SPDX-License-Identifier: GPL-3.0-or-later
"""The page in a real Chromium: setting up a position by hand."""

import pytest

pytest.importorskip("starlette", reason="Starlette is not installed")
pytest.importorskip("websockets", reason="websockets is not installed")
pytest.importorskip("selenium", reason="selenium is not installed")

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from tests.web.browser_page import DESKTOP, PHONE, Page

pytestmark = pytest.mark.web


def setup_square(page: Page, name: str, label: str) -> None:
    """Waits until a square says what stands on it."""
    page.until(lambda: page.square(name).get_attribute("aria-label") == f"{name}, {label}")


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_a_position_is_set_up_by_mouse(open_page, size):
    page = open_page(size)
    page.open("setup-details")
    page.click("set-up")
    page.until(lambda: page.element("setup-use").is_enabled())
    page.click("setup-clear")
    page.until(lambda: "the board is empty" in page.text("setup-fault"))
    assert not page.element("setup-use").is_enabled()
    page.driver.execute_script("document.getElementById('board').scrollIntoView({block: 'end'})")
    tool = lambda value: page.driver.find_element(  # noqa: E731
        By.CSS_SELECTOR, f'#palette input[value="{value}"]'
    )
    # One man is dragged from the palette, the others are clicked.
    page.driver.execute_script("arguments[0].scrollIntoView({block: 'end'})", tool("p"))
    chain = ActionChains(page.driver, duration=20)
    chain.click_and_hold(tool("K")).move_to_element(page.square("e1")).release().perform()
    setup_square(page, "e1", "white king")
    for man, square in (("k", "e8"), ("P", "d5"), ("p", "e5"), ("R", "h1"), ("Q", "a4")):
        ActionChains(page.driver, duration=20).click(tool(man)).click(page.square(square)).perform()
    setup_square(page, "a4", "white queen")
    page.until(lambda: "not to move is in check" in page.text("setup-fault"))
    # A man is dragged off the board, and another one erased and put back.
    chain = ActionChains(page.driver, duration=20).click(tool("hand"))
    chain.click_and_hold(page.square("a4")).move_to_element(page.element("setup-heading"))
    chain.release().perform()
    setup_square(page, "a4", "empty")
    ActionChains(page.driver, duration=20).click(tool("eraser")).click(page.square("h1")).perform()
    setup_square(page, "h1", "empty")
    ActionChains(page.driver, duration=20).click(tool("R")).click(page.square("h1")).perform()
    page.until(lambda: page.text("setup-fault") == "" and page.element("setup-use").is_enabled())
    page.driver.find_element(By.CSS_SELECTOR, '#setup .right[value="K"]').click()
    Select(page.element("setup-en-passant")).select_by_value("e6")
    page.until(lambda: page.element("setup-use").is_enabled())
    page.click("setup-use")
    page.until(lambda: not page.element("setup").is_displayed())
    page.type_moves("dxe6", "Ke7", "O-O")
    assert page.moves() == ["dxe6", "Ke7", "O-O"]


def test_a_position_is_set_up_by_keyboard(open_page):
    page = open_page()
    page.open("setup-details")
    page.driver.execute_script("document.getElementById('set-up').focus()")
    keys = lambda *pressed: ActionChains(page.driver).send_keys(*pressed).perform()  # noqa: E731
    keys(Keys.ENTER)
    page.until(lambda: page.element("setup-use").is_enabled())
    page.driver.execute_script("document.getElementById('setup-clear').focus()")
    keys(Keys.ENTER)
    page.driver.execute_script("document.querySelector('#board [tabindex=\"0\"]').focus()")
    # From e2 on: letters place men, Delete removes one, Enter uses the chosen tool.
    keys("K", Keys.ARROW_UP, "q", Keys.DELETE, Keys.ARROW_UP, Keys.ARROW_UP, "k")
    setup_square(page, "e5", "black king")
    setup_square(page, "e3", "empty")
    page.driver.execute_script("document.querySelector('#palette input').focus()")
    keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    page.driver.execute_script("document.querySelector('#board [tabindex=\"0\"]').focus()")
    keys(Keys.ARROW_LEFT, Keys.ENTER)
    setup_square(page, "d5", "white queen")
    Select(page.element("setup-turn")).select_by_value("b")
    page.until(lambda: page.element("setup-use").is_enabled())
    page.driver.execute_script("document.getElementById('setup-use').focus()")
    keys(Keys.ENTER)
    page.until(lambda: not page.element("setup").is_displayed())
    page.type_moves("Kxd5")
    assert page.text("end") == "Draw: nobody can mate"


def test_setting_up_can_be_given_up(open_page):
    page = open_page()
    page.type_moves("e4")
    page.open("setup-details")
    page.click("set-up")
    page.until(lambda: page.element("setup-use").is_enabled())
    page.click("setup-clear")
    setup_square(page, "e4", "empty")
    page.click("setup-cancel")
    setup_square(page, "e4", "white pawn")
    assert page.moves() == ["e4"]
