# SPDX-License-Identifier: GPL-3.0-or-later
"""The page in a real Chromium: files that are no games, scripts in games, lost connections."""

import pytest

pytest.importorskip("starlette", reason="Starlette is not installed")
pytest.importorskip("websockets", reason="websockets is not installed")
pytest.importorskip("selenium", reason="selenium is not installed")

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.web.browser_page import PHONE
from tests.web.test_game_list import SEVERAL
from tests.web.test_room import SCRIPTS

pytestmark = pytest.mark.web


def test_a_bad_game_is_refused_in_words_and_scripts_stay_text(open_page):
    page = open_page()
    page.type_moves("e4")
    page.open("setup-details")
    page.element("pgn").send_keys("1. e4 e5 2. Ke3 *")
    page.driver.execute_script("document.getElementById('pgn-form').requestSubmit()")
    page.until(lambda: page.text("notice").startswith("PGN: "))
    assert page.moves() == ["e4"]
    page.driver.execute_script("document.getElementById('pgn').value = arguments[0]", SCRIPTS)
    page.driver.execute_script("document.getElementById('pgn-form').requestSubmit()")
    page.until(lambda: "<script>alert(1)</script>" in page.text("players"))
    assert "<b>bold</b>" in page.text("moves")
    inside = "return document.querySelectorAll('main script, main img, main b:not(li b)').length"
    assert page.driver.execute_script(inside) == 0


def test_one_of_several_games_is_chosen_and_broken_ones_are_named(open_page):
    page = open_page(PHONE)
    page.open("setup-details")
    script = "document.getElementById('pgn').value = arguments[0]"
    page.driver.execute_script(script, SEVERAL)
    page.driver.execute_script("document.getElementById('pgn-form').requestSubmit()")
    page.until(lambda: page.moves() == ["e4", "e5"])
    page.until(lambda: "cannot be shown, 2. Ke3 is not a legal move" in page.text("games-list"))
    find = page.driver.find_elements
    assert len(find(By.CSS_SELECTOR, "#games-list button")) == 2
    assert "<b>Anna</b> – Bert" in page.text("games-list")
    assert not find(By.CSS_SELECTOR, "#games-list b")
    page.driver.execute_script("document.querySelector('[data-number=\"3\"]').focus()")
    ActionChains(page.driver).send_keys(Keys.ENTER).perform()
    page.until(lambda: page.moves() == ["d4"])
    current = "return document.querySelector('#games-list [aria-current]').dataset.number"
    page.until(lambda: page.driver.execute_script(current) == "3")


def test_of_a_long_text_the_first_games_are_listed(open_page):
    page = open_page()
    page.open("setup-details")
    game = '[Event "long"]\n\n1. e4 {' + "x" * 60_000 + "} *\n\n"
    page.driver.execute_script("document.getElementById('pgn').value = arguments[0]", game * 9)
    page.driver.execute_script("document.getElementById('pgn-form').requestSubmit()")
    page.until(lambda: page.text("games-heading") == "Games (4)")
    assert page.element("games-part").is_displayed()
    script = "document.getElementById('pgn').value = arguments[0]"
    page.driver.execute_script(script, "1. e4 {" + "x" * 600_000 + "} *")
    page.driver.execute_script("document.getElementById('pgn-form').requestSubmit()")
    page.until(lambda: "too long" in page.text("notice"))
    assert page.text("connection") == "connected"


def test_a_lost_connection_comes_back_with_nothing_lost(open_page, served):
    page = open_page()
    page.type_moves("e4", "e5")
    server, loop = served
    loop.call_soon_threadsafe(server.drop_connections)
    page.until(lambda: page.text("connection") != "connected")
    page.until(lambda: page.text("connection") == "connected")
    assert page.moves() == ["e4", "e5"]
    page.type_moves("Nf3")


def test_a_message_is_seen_wherever_the_page_is_scrolled_to(open_page):
    page = open_page(PHONE)
    page.open("setup-details")
    page.element("pgn").send_keys("1. " + "x" * 400 + " Ke3 *")
    page.click("pgn")
    page.driver.execute_script("document.getElementById('pgn-form').requestSubmit()")
    page.until(lambda: page.text("notice") == "PGN: 1. Ke3 is not a legal move")
    box = "return document.getElementById('notice-box').getBoundingClientRect().toJSON()"
    seen = page.driver.execute_script(box)
    assert 0 <= seen["top"] < seen["bottom"] <= PHONE[1]
    assert 0 <= seen["left"] < seen["right"] <= PHONE[0]
    page.element("notice-close").click()
    assert page.text("notice") == ""
    assert not page.element("notice-close").is_displayed()


@pytest.mark.parametrize(
    ("content", "white"),
    [
        ('[White "Žižka"]\n\n1. e4 *'.encode(), "Žižka"),
        ('[White "Müller"]\n\n1. e4 *'.encode("cp1252"), "Müller"),
        ('[White "Мир"]\n\n1. e4 *'.encode("utf-16"), "Мир"),
        (b'[White "DOS"]\r\n\r\n1. e4 *\r\n\x1a', "DOS"),
    ],
)
def test_files_are_read_in_the_encodings_that_they_have(open_page, tmp_path, content, white):
    page = open_page()
    path = tmp_path / "game.pgn"
    path.write_bytes(content)
    page.open("setup-details")
    page.element("pgn-file").send_keys(str(path))
    page.until(lambda: page.text("near-name") == white)
    assert page.moves() == ["e4"]


def test_a_file_that_is_no_text_is_refused_in_words(open_page, tmp_path):
    page = open_page()
    path = tmp_path / "picture.pgn"
    path.write_bytes(bytes(range(32)) * 7000)
    page.open("setup-details")
    page.element("pgn-file").send_keys(str(path))
    page.until(lambda: page.text("notice").startswith("PGN: "))
    assert page.text("connection") == "connected"


def test_a_server_that_was_started_again_is_named(open_page, served, driver):
    page = open_page()
    driver.delete_all_cookies()
    server, loop = served
    loop.call_soon_threadsafe(server.drop_connections)
    page.until(lambda: "open the link" in page.text("connection"))
    page.click("analysis")
    assert page.text("notice") == "not connected: nothing was sent"
    driver.get("about:blank")
    assert all(
        "403" in entry["message"] or "ERR_" in entry["message"]
        for entry in driver.get_log("browser")
    )


def test_a_deep_nest_of_variations_can_be_shown(open_page):
    page = open_page(PHONE)
    page.open("setup-details")
    depth = 2000
    text = "1. e4 " + "(1. d4 (1. c4 " * depth + "))" * depth + " *"
    page.driver.execute_script("document.getElementById('pgn').value = arguments[0]", text)
    page.driver.execute_script("document.getElementById('pgn-form').requestSubmit()")
    page.until(lambda: len(page.moves()) > 1)
    page.driver.execute_script("document.getElementById('take-back').click()")
    page.until(lambda: page.moves()[:1] != ["e4"])
