# SPDX-License-Identifier: GPL-3.0-or-later
"""The page in a real Chromium: playing, analysing, annotating."""

import pytest

pytest.importorskip("starlette", reason="Starlette is not installed")
pytest.importorskip("websockets", reason="websockets is not installed")
pytest.importorskip("selenium", reason="selenium is not installed")

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from kingcobra.web.played_game import DRAW_RULE
from kingcobra.web.serving import opening_file
from tests.web.browser_page import DESKTOP, PHONE, Page
from tests.web.served import TOKEN

pytestmark = pytest.mark.web

MATE = [("e2", "e4"), ("e7", "e5"), ("d1", "h5"), ("b8", "c6"), ("f1", "c4"), ("g8", "f6")]
MATE += [("h5", "f7")]
MATE_SAN = ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"]


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
@pytest.mark.parametrize("drags", [True, False])
def test_a_whole_game_by_mouse(open_page, size, drags):
    page = open_page(size)
    for number, (origin, target) in enumerate(MATE, 1):
        chain = ActionChains(page.driver, duration=20)
        if drags:
            chain.click_and_hold(page.square(origin)).move_to_element(page.square(target))
            chain.release().perform()
        else:
            chain.click(page.square(origin)).click(page.square(target)).perform()
        page.until(lambda number=number: len(page.moves()) == number)
    assert page.moves() == MATE_SAN
    assert page.text("end") == "Checkmate: White wins"
    assert page.text("announcement") == "White: queen takes f7. Checkmate: White wins."
    widths = "const page = document.documentElement; return [page.scrollWidth, page.clientWidth]"
    needed, given = page.driver.execute_script(widths)
    assert needed <= given <= size[0]


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_a_whole_game_by_keyboard(open_page, size):
    page = open_page(size)
    page.driver.execute_script("document.querySelector('#board [tabindex=\"0\"]').focus()")

    def focused() -> str:
        return str(page.driver.execute_script("return document.activeElement.dataset.square"))

    def go_to(square: str) -> None:
        here = focused()
        files, ranks = ord(square[0]) - ord(here[0]), int(square[1]) - int(here[1])
        keys = [Keys.ARROW_RIGHT if files > 0 else Keys.ARROW_LEFT] * abs(files)
        keys += [Keys.ARROW_UP if ranks > 0 else Keys.ARROW_DOWN] * abs(ranks)
        if keys:
            ActionChains(page.driver).send_keys(*keys).perform()
        assert focused() == square

    for number, (origin, target) in enumerate(MATE, 1):
        go_to(origin)
        ActionChains(page.driver).send_keys(Keys.ENTER).perform()
        assert "picked up" in page.square(origin).get_attribute("aria-label")
        assert f"on {origin} picked up, may go to" in page.text("announcement")
        go_to(target)
        assert "legal target" in page.square(target).get_attribute("aria-label")
        ActionChains(page.driver).send_keys(" ").perform()
        page.until(lambda number=number: len(page.moves()) == number)
    assert page.moves() == MATE_SAN


def test_the_file_that_a_browser_is_started_with_leads_to_the_board(open_page, driver, tmp_path):
    page = open_page()
    link = f"{driver.current_url}?token={TOKEN}"
    driver.delete_all_cookies()
    driver.get(opening_file(link, tmp_path).as_uri())
    page.until(lambda: driver.current_url == link.partition("?")[0])
    page.until(lambda: page.text("connection") == "connected")


def test_promotion_asks(open_page):
    page = open_page(PHONE)
    page.open("setup-details")
    page.element("fen").send_keys("7k/P7/8/8/8/8/8/K7 w - - 0 1")
    page.driver.execute_script("document.getElementById('fen-form').requestSubmit()")
    page.until(
        lambda: (
            "P" not in page.text("moves")
            and page.square("a7").get_attribute("aria-label").endswith("white pawn")
        )
    )
    page.driver.execute_script("scrollTo(0, 0)")
    ActionChains(page.driver).click(page.square("a7")).click(page.square("a8")).perform()
    page.until(lambda: page.element("promotion").is_displayed())
    page.driver.find_element(By.CSS_SELECTOR, '#promotion button[value="n"]').click()
    page.until(lambda: page.moves() == ["a8=N"])


def test_analysis_shows_lines_an_arrow_and_the_bar(open_page):
    page = open_page()
    page.click("analysis")
    lines = lambda: page.driver.find_elements(By.CSS_SELECTOR, "#analysis-lines button")  # noqa: E731
    page.until(lambda: len(lines()) == 1)
    Select(page.element("lines")).select_by_visible_text("3")
    page.until(lambda: len(lines()) == 3)
    page.until(lambda: len(page.driver.find_elements(By.CSS_SELECTOR, "#board .arrow")) == 3)
    assert "White wins" in page.element("bar").get_attribute("aria-label")
    assert page.text("effort").startswith("depth ")
    page.type_moves("e4")
    page.until(lambda: len(lines()) == 3)
    drag_beside_analysis(page)
    page.click("analysis")
    page.until(lambda: not lines())


def drag_beside_analysis(page: Page) -> None:
    """A man that is being dragged stays the same element while lines come in."""
    chain = ActionChains(page.driver, duration=20)
    chain.click_and_hold(page.square("e7")).move_by_offset(0, 20).perform()
    page.driver.execute_script(
        "window.dragged = document.querySelector('#board .man:last-child');"
        "window.effort = document.getElementById('effort').textContent"
    )
    page.until(lambda: page.text("effort") != page.driver.execute_script("return window.effort"))
    assert page.driver.execute_script("return window.dragged.isConnected")
    ActionChains(page.driver, duration=20).move_to_element(page.square("e5")).release().perform()
    page.until(lambda: page.moves() == ["e4", "e5"])


def test_inside_the_evaluation(open_page):
    page = open_page()
    page.open("inside-details")
    page.click("inside")
    page.until(lambda: len(page.driver.find_elements(By.CSS_SELECTOR, "#board .worth")) == 30)
    page.until(lambda: "positional" in page.text("parts"))
    page.type_moves("e4", "d5", "exd5")
    page.until(lambda: len(curve_points(page)) == 4)
    assert len(page.driver.find_elements(By.CSS_SELECTOR, "#course polyline")) == 3
    page.until(lambda: "bucket 8 of the network" in page.text("course-legend"))
    course = page.driver.find_element(By.CSS_SELECTOR, "#course svg")
    page.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", course)
    ActionChains(page.driver).move_to_element_with_offset(
        course, 2 - course.size["width"] // 2, 0
    ).click().perform()
    page.until(lambda: page.text("announcement") == "Start of the game.")
    page.click("inside")
    page.until(lambda: not page.driver.find_elements(By.CSS_SELECTOR, "#board .worth"))
    assert not page.element("course").is_displayed()


def curve_points(page: Page) -> list[str]:
    """The points of the first curve of the parts of the evaluation."""
    script = "return document.querySelector('#course polyline')?.getAttribute('points') ?? ''"
    return str(page.driver.execute_script(script)).split()


def test_the_verdict_of_tables_is_said_in_words(open_page):
    page = open_page()
    assert page.text("tables") == ""
    page.open("setup-details")
    page.element("fen").send_keys("8/8/8/8/8/2k5/8/K6Q w - - 0 1")
    page.driver.execute_script("document.getElementById('fen-form').requestSubmit()")
    page.until(lambda: page.text("tables").startswith("Tablebases: White wins ("))
    page.type_moves("Qd5")
    page.until(
        lambda: page.text("tables").endswith("moves to the next capture, pawn move or mate).")
    )


def test_annotating_draws_the_curve_and_a_click_goes_there(open_page):
    page = open_page()
    page.type_moves("f3", "e5", "g4", "Qh4")
    page.click("annotate")
    page.until(lambda: "blunder" in page.text("summary"))
    page.until(lambda: page.element("graph").is_displayed())
    assert "g4??" in page.moves()
    graph = page.driver.find_element(By.CSS_SELECTOR, "#graph svg")
    page.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", graph)
    width = graph.size["width"]
    ActionChains(page.driver).move_to_element_with_offset(
        graph, 2 - width // 2, 0
    ).click().perform()
    page.until(lambda: page.text("announcement") == "Start of the game.")


def test_against_the_engine(open_page):
    page = open_page(PHONE)
    page.open("play-details")
    Select(page.element("elo")).select_by_value("1320")
    Select(page.element("clock")).select_by_value("180+2")
    page.driver.execute_script("document.getElementById('play-form').requestSubmit()")
    page.until(lambda: page.text("near-name") == "You")
    page.until(lambda: page.text("near-turn") == "to move")
    focused = "return document.activeElement.dataset.square"
    assert page.driver.execute_script(focused) is not None
    page.click("analysis")
    page.until(lambda: page.text("effort") == "Waits until the game is over.")
    assert not page.element("play").is_enabled()
    page.element("move-text").send_keys("e4" + Keys.ENTER)
    page.until(lambda: len(page.moves()) == 2)
    assert page.text("near-clock").startswith(("3:0", "2:5"))
    page.click("offer-draw")
    page.until(lambda: f"declines; {DRAW_RULE}" in page.text("notice"))
    page.click("resign")
    page.until(lambda: "you resigned" in page.text("end"))
    assert "you resigned" in page.text("announcement")
    page.until(lambda: page.text("effort").startswith("depth "))
    assert page.element("play").is_enabled()


def test_where_copying_is_not_allowed_the_text_is_in_a_field(open_page):
    page = open_page()
    page.type_moves("e4")
    page.open("setup-details")
    page.driver.execute_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    for name, start in (("fen", "rnbqkbnr/"), ("pgn", "[Event ")):
        page.click(f"copy-{name}")
        page.until(lambda: "does not allow copying" in page.text("notice"))
        page.until(lambda name=name: page.element(name).get_attribute("value") != "")
        assert page.element(name).get_attribute("value").startswith(start)
        page.element("notice-close").click()


def test_quick_steps_through_the_game_all_count(open_page):
    page = open_page()
    page.type_moves("e4", "e5", "Nf3", "Nc6")
    page.driver.execute_script("document.activeElement.blur()")
    keys = ActionChains(page.driver, duration=0)
    keys.send_keys(Keys.HOME, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT).perform()
    page.until(lambda: page.text("announcement") == "White: knight f3.")


def test_keys_with_control_are_the_browser_s(open_page):
    page = open_page()
    page.driver.execute_script(
        "document.querySelector('#board [tabindex=\"0\"]').focus();"
        "document.addEventListener('keydown', (event) => {"
        "  window.isMine = event.defaultPrevented;"
        "})"
    )
    keys = ActionChains(page.driver)
    keys.key_down(Keys.CONTROL).send_keys(Keys.ENTER).key_up(Keys.CONTROL).perform()
    assert page.driver.execute_script("return window.isMine") is False
    assert page.text("announcement") == ""


def test_light_and_dark_follow_the_system_until_one_is_chosen(open_page, driver):
    page = open_page()
    ink = lambda: driver.execute_script("return getComputedStyle(document.body).color")  # noqa: E731

    def prefer(theme: str) -> None:
        feature = {"name": "prefers-color-scheme", "value": theme}
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})

    prefer("light")
    light = ink()
    prefer("dark")
    dark = ink()
    assert light != dark
    page.click("theme")
    assert ink() == light
    driver.refresh()
    assert ink() == light
    driver.execute_script("localStorage.clear()")
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
