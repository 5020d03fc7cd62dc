// SPDX-License-Identifier: GPL-3.0-or-later
// The games of a PGN: the list to choose from, and as much of a long text as the server takes.

import { byId, element } from "./dom.js";

const MOST_BYTES = 250000;
const NEXT_GAME = /\n\[Event /g;

// They mean nothing in a game, and each takes six bytes of a message.
const CONTROL_CHARACTERS = /[\0-\x08\x0e-\x1f]/g;

// What to send of a text: `is_part` says that there is more of it. Null if not even the first game fits.
export async function partOfGames(blob) {
  const text = decoded(await blob.slice(0, MOST_BYTES).arrayBuffer()).replace(CONTROL_CHARACTERS, " ");
  if (blob.size <= MOST_BYTES) return { pgn: text, is_part: false };
  const end = [...text.matchAll(NEXT_GAME)].at(-1)?.index ?? 0;
  return text.slice(0, end).trim() ? { pgn: text.slice(0, end), is_part: true } : null;
}

// As the server decodes files: UTF-8, UTF-16 with its mark, or old Windows text.
function decoded(bytes) {
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    // As a stream: the last character may be cut.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

// `onChoose(number)` is called for the game that is clicked. One game needs no list.
export function showGames({ games, chosen, is_part: isPart }, onChoose) {
  const focused = document.activeElement.dataset.number;
  byId("games").hidden = games.length < 2;
  byId("games-heading").textContent = `Games (${games.length})`;
  byId("games-part").hidden = !isPart;
  byId("games-list").replaceChildren(...games.map(({ number, title, fault }) => element("li", {}, fault ? broken(title, fault) : button(number, title))));
  const current = byId("games-list").querySelector(`[data-number="${chosen}"]`);
  current?.setAttribute("aria-current", "true");
  // The list is told anew while games are checked; the focus stays where it was.
  if (focused) byId("games-list").querySelector(`[data-number="${focused}"]`)?.focus();

  function button(number, title) {
    const found = element("button", { type: "button", "data-number": number }, title);
    found.addEventListener("click", () => onChoose(number));
    return found;
  }
}

const broken = (title, fault) => element("span", { class: "fault" }, `${title}: cannot be shown, ${fault}`);
