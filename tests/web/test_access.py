# SPDX-License-Identifier: GPL-3.0-or-later
"""Who may talk to the server, and what it says to all others."""

import asyncio

import pytest

pytest.importorskip("starlette", reason="Starlette is not installed")
pytest.importorskip("websockets", reason="websockets is not installed")

from websockets.exceptions import InvalidStatus

from kingcobra.web.access import AllowedHosts, is_loopback
from kingcobra.web.clients import MOST_CLIENTS
from kingcobra.web.serving import MOST_MESSAGE_BYTES
from tests.web.served import TOKEN, Served, ask, at_node, message, room_without_engine, run, serving

PORT = 8064


@pytest.mark.parametrize("header", ["localhost:8064", "127.0.0.1:8064", "[::1]:8064"])
def test_the_machine_s_own_names_are_allowed(header):
    assert AllowedHosts("127.0.0.1", PORT).allows(header)


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "127.0.0.1",
        "127.0.0.1:80",
        "evil.example:8064",
        "127.0.0.1.evil.example:8064",
        "evil.example@127.0.0.1:8064",
        "127.0.0.1:8064@evil.example",
        "127.0.0.1:8064/x",
        "127.0.0.1:eight",
        "[::1:8064",
        "192.168.0.7:8064",
    ],
)
def test_other_hosts_are_not(header):
    assert not AllowedHosts("127.0.0.1", PORT).allows(header)


def test_a_server_for_the_network_answers_to_addresses_and_its_own_name():
    hosts = AllowedHosts("0.0.0.0", PORT)
    assert hosts.allows("192.168.0.7:8064")
    assert hosts.allows("localhost:8064")
    assert not hosts.allows("evil.example:8064")
    assert AllowedHosts("chess.lan", PORT).allows("chess.lan:8064")


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.0.7", False),
        ("chess.lan", False),
    ],
)
def test_what_only_this_machine_can_reach(host, expected):
    assert is_loopback(host) is expected


def test_the_token_becomes_a_cookie():
    async def test():
        async with serving(room_without_engine()) as served:
            answer = await served.get(f"/?token={TOKEN}", cookie=None)
            assert answer.startswith("HTTP/1.1 200")
            assert 'content="0; url=/"' in answer
            assert TOKEN not in answer.partition("\r\n\r\n")[2]
            (cookie,) = [line for line in answer.splitlines() if line.startswith("set-cookie")]
            assert cookie.startswith(f"set-cookie: kingcobra-{served.port}={TOKEN};")
            assert "HttpOnly" in cookie
            assert "SameSite=strict" in cookie

    run(test())


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/", {}, 200),
        ("/app.js", {}, 200),
        ("/", {"host": "evil.example"}, 421),
        ("/", {"host": None}, 400),
        ("/", {"origin": "http://evil.example"}, 403),
        ("/", {"origin": "null"}, 403),
        ("/", {"cookie": None}, 403),
        ("/app.js", {"cookie": None}, 403),
        ("/", {"cookie": "kingcobra-1=a-token-for-tests"}, 403),
        ("/", {"cookie": "=;;; ,"}, 403),
        ("/?token=wrong", {"cookie": None}, 403),
        ("/?token=%FF", {"cookie": None}, 403),
        ("/nothing", {}, 404),
        ("/../pyproject.toml", {}, 404),
        ("/%2e%2e/page_files.py", {}, 404),
    ],
)
def test_requests(path, headers, status):
    async def test():
        async with serving(room_without_engine()) as served:
            answer = await served.get(path, **headers)
            assert answer.startswith(f"HTTP/1.1 {status} "), answer

    run(test())


def test_cookies_of_other_servers_on_this_machine_do_no_harm():
    async def test():
        async with serving(room_without_engine()) as served:
            others = ['prefs={"theme": "dark"}', "a[b]=c d", "=", "\xff=\xff"]
            cookie = "; ".join([*others, served.cookie, 'more="'])
            assert (await served.get("/", cookie=cookie)).startswith("HTTP/1.1 200 ")

    run(test())


def test_every_answer_has_the_policy_and_nothing_is_inline():
    async def test():
        async with serving(room_without_engine()) as served:
            for headers in ({}, {"cookie": None}, {"host": "evil.example"}):
                answer = await served.get("/", **headers)
                assert "content-security-policy: default-src 'none'; script-src 'self';" in answer
                assert "x-content-type-options: nosniff" in answer
                assert "unsafe-inline" not in answer
            page = await served.get("/")
            assert " style=" not in page
            assert "onclick" not in page
            assert "//" not in page.replace("http://www.w3.org/", "").partition("\r\n\r\n")[2]

    run(test())


def test_only_reading_is_answered():
    async def test():
        async with serving(room_without_engine()) as served:
            head = f"Host: {served.host}\r\nCookie: {served.cookie}\r\nConnection: close\r\n\r\n"
            assert (await served.raw(f"POST / HTTP/1.1\r\n{head}")).startswith("HTTP/1.1 405")

    run(test())


async def _refused(served: Served, **changes: object) -> int:
    with pytest.raises(InvalidStatus) as raised:
        async with served.page(**changes):
            pass
    return raised.value.response.status_code


def test_foreign_sockets_are_refused():
    async def test():
        async with serving(room_without_engine()) as served:
            assert await _refused(served, origin="http://evil.example") == 403
            assert await _refused(served, origin=None) == 403
            assert await _refused(served, origin=f"http://localhost:{served.port}") == 403
            assert await _refused(served, additional_headers={}) == 403
            wrong = {"Cookie": f"kingcobra-{served.port}=wrong"}
            assert await _refused(served, additional_headers=wrong) == 403
            assert len(served.room.clients) == 0

    run(test())


MALFORMED = [
    "",
    "no JSON",
    "[]",
    "1",
    "null",
    "{}",
    '{"do": "format the disk"}',
    '{"do": ["move"]}',
    '{"do": "move"}',
    '{"do": "move", "node": -1, "text": "e4"}',
    '{"do": "move", "node": true, "text": "e4"}',
    '{"do": "move", "node": 1e300, "text": "e4"}',
    '{"do": "move", "node": 0, "text": 4}',
    '{"do": "move", "node": 0, "text": "e4", "more": 1}',
    '{"do": "go", "node": 99}',
    '{"do": "step", "to": "away"}',
    '{"do": "step", "to": ["first"]}',
    '{"do": "analysis", "on": true, "lines": 6}',
    '{"do": "play", "colour": "red", "elo": null, "base_s": null, "increment_s": 0}',
    '{"do": "load", "pgn": "1. e4 e5 2. Ke3", "is_part": false}',
    '{"do": "load", "pgn": "words", "is_part": false}',
    '{"do": "position", "fen": "8/8/8/8/8/8/8/8 w - - 0 1", "chess960": false}',
    '{"do": "position", "fen": "nonsense", "chess960": true}',
    "[" * 100_000,
]


def test_malformed_messages_are_answered_in_words_and_the_game_goes_on():
    async def test():
        async with serving(room_without_engine()) as served, served.page() as page:
            for text in MALFORMED:
                await page.send(text)
                answer = await message(page, "notice")
                assert answer["error"] is True
                assert answer["text"]
                assert "Traceback" not in answer["text"]
                assert "\n" not in answer["text"]
            await page.send(b"\x00\xff")
            assert (await message(page, "notice"))["text"] == "the message is not text"
            await ask(page, "move", node=0, text="e4")
            assert (await message(page, "position", at_node(1)))["turn"] == "black"

    run(test())


def test_an_oversized_message_costs_its_sender_the_socket_and_nobody_else_anything():
    async def test():
        async with serving(room_without_engine()) as served, served.page() as other:
            async with served.page() as page:
                await page.send("x" * (MOST_MESSAGE_BYTES + 1))
                await page.wait_closed()
            assert page.close_code == 1009
            await ask(other, "move", node=0, text="e4")
            await message(other, "position", at_node(1))

    run(test())


def test_two_hundred_sockets():
    async def test():
        async with serving(room_without_engine()) as served:
            pages = [await served.page() for _ in range(MOST_CLIENTS)]
            refused = await asyncio.gather(*(_closed_at_once(served) for _ in range(200)))
            assert refused == [1013] * 200
            assert len(served.room.clients) == MOST_CLIENTS
            await ask(pages[0], "move", node=0, text="e4")
            await message(pages[-1], "position", at_node(1))
            await pages[1].close()
            while served.room.clients.is_full:
                await asyncio.sleep(0.01)
            async with served.page() as page:
                await message(page, "position", at_node(1))
            for page in pages:
                await page.close()

    run(test())


async def _closed_at_once(served: Served) -> int | None:
    async with served.page() as page:
        await page.wait_closed()
    return page.close_code
