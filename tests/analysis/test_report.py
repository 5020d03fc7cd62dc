# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages: what they show, and that nothing in a game becomes a part of them."""

import json
import re
import shutil
import subprocess
from base64 import b64decode
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from kingcobra.analysis.game_files import GameText
from kingcobra.analysis.game_html import game_page, notebook_html, shown_ply
from kingcobra.analysis.ordered_run import FinishedGame
from kingcobra.analysis.page import data_script, policy
from kingcobra.analysis.report import ReportOutput
from kingcobra.analysis.totals import RunTotals
from kingcobra.analysis.work_item import GameOutcome
from tests.analysis.games import SETTINGS, game_texts, record_of
from tests.analysis.hostile import ATTACKS, MARK, Elements, assert_harmless, hostile_game

PAGE_ELEMENTS = {
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "svg",
    "defs",
    "g",
    "path",
    "circle",
    "rect",
    "line",
    "polygon",
    "polyline",
    "text",
    "use",
    "h1",
    "h2",
    "p",
    "table",
    "tr",
    "th",
    "td",
    "div",
    "span",
    "button",
    "article",
    "script",
}
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
BROWSER_PATIENCE_S = 600


def report_of(records, path):
    """The text of a report with these games."""
    totals = RunTotals()
    output = ReportOutput(path, SETTINGS, totals)
    for number, record in enumerate(records, start=1):
        totals.add(record)
        finished = FinishedGame(GameText(Path("games.pgn"), number, 1, "*"), GameOutcome({}))
        output.add(number, finished, record)
    output.finish()
    return path.read_text("utf-8")


@pytest.fixture(scope="module")
def records(searcher):
    return [record_of(text, searcher) for text in (*game_texts()[:2], *game_texts()[3:])]


@pytest.fixture(scope="module")
def hostile_records(searcher):
    settings = replace(SETTINGS, heat=True)
    return [record_of(hostile_game(attack), searcher, settings) for attack in ATTACKS]


def test_a_report_has_players_games_and_moves(records, tmp_path):
    page = report_of(records, tmp_path / "r.html")
    for text in ("Morphy, Paul", "Anderssen, Adolf", "C41 Philidor Defense", "4 games"):
        assert text in page
    assert page.count('<article class="game"') == 4
    assert page.count('<button type="button" class="move') == sum(
        len(record.moves) for record in records
    )
    assert page.count('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 160"') == 4
    assert not (tmp_path / "r.html.part").exists()


def test_pages_need_nothing_from_elsewhere(records, tmp_path):
    page = report_of(records, tmp_path / "r.html")
    for tag, attributes in Elements(page).found:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form")
        assert "style" not in attributes
    assert "default-src 'none'" in unescape(page)
    assert "unsafe-inline" not in policy()


def test_data_for_the_script_has_every_position(records):
    (text,) = re.findall(
        r'<script type="application/json" class="data">(.*?)</script>',
        game_page(records[0]),
        re.DOTALL,
    )
    rows = json.loads(text)
    assert len(rows) == len(records[0].moves) + 1
    assert rows[-1][0] == records[0].moves[-1].fen.split()[0]


@pytest.mark.parametrize("text", ["</script>", "<!--", "\u2028\u2029", "&lt;", "]]>"])
def test_no_text_ends_a_script(text):
    script = data_script([text])
    body = script.removeprefix('<script type="application/json" class="data">')
    body = body.removesuffix("</script>")
    assert not set(body) & set("<>&\u2028\u2029")
    assert json.loads(body) == [text]


def test_hostile_games_stay_text(hostile_records, tmp_path):
    page = report_of(hostile_records, tmp_path / "r.html")
    assert_harmless(page, PAGE_ELEMENTS)
    scripts = [attributes for tag, attributes in Elements(page).found if tag == "script"]
    assert len(scripts) == len(ATTACKS) + 1


def test_hostile_games_stay_text_in_notebooks(hostile_records):
    for record in hostile_records:
        outer = notebook_html(record)
        assert_harmless(outer, {"div", "p", "b", "img", "iframe"})
        (frame,) = (attributes for tag, attributes in Elements(outer).found if tag == "iframe")
        assert frame["sandbox"] == "allow-scripts"
        assert_harmless(frame["srcdoc"], PAGE_ELEMENTS)
        for tag, attributes in Elements(outer).found:
            if tag == "img":
                svg = b64decode(attributes["src"].partition(",")[2]).decode()
                assert_harmless(svg, PAGE_ELEMENTS)


def test_a_game_without_moves_has_a_page(searcher):
    record = record_of('[Event "Not played"]\n\n*', searcher)
    assert shown_ply(record) == 0
    assert_harmless(game_page(record), PAGE_ELEMENTS)


def test_the_worst_move_is_shown_first(searcher):
    record = record_of("1. f3 e5 2. g4 Qh4# 0-1", searcher)
    assert shown_ply(record) == 3


def dom_of(path):
    """The page as a browser has it after its scripts have run; skips without a browser."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        pytest.skip("Chromium is not installed")
    # A profile of its own: two browsers at once do not share one.
    profile = f"--user-data-dir={path.parent / 'profile'}"
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", profile]
    command = [browser, *options, "--dump-dom", path.as_uri()]
    done = subprocess.run(command, capture_output=True, timeout=BROWSER_PATIENCE_S, check=False)
    return done.stdout.decode("utf-8", "replace")


@pytest.mark.web
def test_a_browser_runs_our_script_and_no_other(hostile_records, tmp_path):
    path = tmp_path / "r.html"
    report_of(hostile_records, path)
    dom = dom_of(path)
    assert '<body class="has-script">' in dom
    assert 'class="move blunder shown"' in dom
    html = re.search(r"<html[^>]*>", dom)[0]
    assert MARK not in html
    assert f"<title>{MARK}" not in dom


@pytest.mark.web
def test_a_browser_would_run_them_without_escaping(tmp_path):
    """The test above can fail."""
    path = tmp_path / "r.html"
    path.write_text(f"<!DOCTYPE html><html><body><p>{ATTACKS[0]}</p></body></html>")
    assert MARK in re.search(r"<html[^>]*>", dom_of(path))[0]
