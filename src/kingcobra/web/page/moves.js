// SPDX-License-Identifier: GPL-3.0-or-later
// The moves of a game as text: the main line, variations in brackets, comments.

import { element } from "./dom.js";

const GLYPHS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };
const ROOT = 0;

export class Moves {
  constructor(moves = []) {
    this.byId = new Map(moves.map((move) => [move.id, move]));
    this.answers = new Map([[ROOT, []]]);
    for (const move of moves) {
      this.answers.set(move.id, []);
      this.answers.get(move.parent).push(move);
    }
  }

  // Shows the moves; `onGo(id)` is called for the one that is clicked.
  render(onGo) {
    const parts = [];
    this.renderLine(ROOT, true, parts, onGo);
    return parts;
  }

  // A loop along a line, a call only for a variation: games are long, variations are not deep.
  renderLine(start, isFirst, parts, onGo) {
    let answers = this.answers.get(start) ?? [];
    let needsNumber = isFirst;
    while (answers.length) {
      const [main, ...others] = answers;
      needsNumber = this.renderMove(main, needsNumber, parts, onGo);
      for (const other of others) {
        const inside = [];
        const number = this.renderMove(other, true, inside, onGo);
        this.renderLine(other.id, number, inside, onGo);
        parts.push(element("span", { class: "variation" }, "(", ...inside, ")"));
        needsNumber = true;
      }
      answers = this.answers.get(main.id);
    }
  }

  // Whether the next move needs its number although it is Black's.
  renderMove(move, needsNumber, parts, onGo) {
    const isWhite = move.ply % 2 === 1;
    const number = Math.ceil(move.ply / 2);
    if (isWhite) parts.push(element("span", { class: "number" }, `${number}.`));
    else if (needsNumber) parts.push(element("span", { class: "number" }, `${number}…`));
    const glyphs = move.nags.map((nag) => GLYPHS[nag] ?? "").join("");
    const button = element("button", { type: "button", "data-id": move.id }, move.san + glyphs);
    button.addEventListener("click", () => onGo(move.id));
    parts.push(button);
    if (move.comment) parts.push(element("span", { class: "comment" }, ` ${move.comment} `));
    return Boolean(move.comment);
  }
}

const MEN = { N: "knight", B: "bishop", R: "rook", Q: "queen", K: "king" };

// A move as it is read aloud: `Nxf3+` is "knight takes f3, check". The end of the game is announced anyway.
export function spoken(san) {
  const end = san.endsWith("+") ? ", check" : "";
  const text = san.replace(/[+#]$/, "");
  if (text === "O-O") return `castles king side${end}`;
  if (text === "O-O-O") return `castles queen side${end}`;
  const [move, promotion] = text.split("=");
  const man = MEN[move[0]] ?? "";
  const rest = (man ? move.slice(1) : move).replace("x", " takes ");
  return `${man} ${rest}`.replace(/ +/g, " ").trim() + (promotion ? `, promotes to ${MEN[promotion]}` : "") + end;
}
