// SPDX-License-Identifier: GPL-3.0-or-later
// Setting up a position by hand: a palette of men, and what is not seen on the board. The server says what is
// wrong with the position and which rights its men allow; only one without a fault can be used.

import { manId, manName } from "./board.js";
import { byId, element, shape } from "./dom.js";

const MEN = ["K", "Q", "R", "B", "N", "P", "k", "q", "r", "b", "n", "p"];
const HAND = "hand";
const ERASER = "eraser";
// A pointer, and a cross.
const HAND_PATH = "M15 9L15 34L21 28L26 38L31 35.5L26 26L34 25Z";
const ERASER_PATH = "M13 13L32 32M32 13L13 32";
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const FILES = "abcdefgh";

export class SetupEditor {
  // `onEnd()` is called when the board shows the game again.
  constructor(board, send, onEnd) {
    this.board = board;
    this.send = send;
    this.onEnd = onEnd;
    this.isOn = false;
    this.isUsed = false;
    this.men = {};
    this.rights = [...document.querySelectorAll("#setup .right")];
    this.buildPalette();
    byId("setup-turn").addEventListener("change", () => this.change());
    byId("setup-en-passant").addEventListener("change", () => this.change());
    byId("setup-960").addEventListener("change", () => this.change());
    for (const box of this.rights) box.addEventListener("change", () => this.change());
    byId("setup-use").addEventListener("click", () => this.use());
    byId("setup-cancel").addEventListener("click", () => this.end());
    byId("setup-clear").addEventListener("click", () => this.take({}, "w", "", "-"));
    byId("setup-start").addEventListener("click", () => this.takeFen(START));
  }

  buildPalette() {
    const tools = [[HAND, "move men", sign(HAND_PATH)], ...MEN.slice(0, 6).map((man) => [man, manName(man)]),
      [ERASER, "remove men", sign(ERASER_PATH)], ...MEN.slice(6).map((man) => [man, manName(man)])];
    for (const [value, name, picture] of tools) {
      const radio = element("input", { type: "radio", name: "tool", value, "aria-label": name });
      radio.checked = value === HAND;
      const label = element("label", { title: name }, radio, picture ?? manPicture(value));
      if (!picture) label.addEventListener("pointerdown", (event) => this.drag(event, radio));
      byId("palette").append(label);
    }
  }

  get tool() { return document.querySelector("#palette :checked").value; }

  // --- beginning and ending -----------------------------------------------------------------

  begin(position) {
    this.isOn = true;
    this.isUsed = false;
    this.board.editor = this;
    byId("setup").hidden = false;
    byId("setup-960").checked = position.chess960;
    this.takeFen(position.fen);
    byId("table").scrollIntoView({ block: "start" });
    document.querySelector("#palette :checked").focus({ preventScroll: true });
  }

  // The position of the page is asked for; the editor stays until it is there.
  use() {
    this.isUsed = true;
    this.send({ do: "position", fen: this.fen(), chess960: byId("setup-960").checked });
  }

  endIfUsed() { if (this.isOn && this.isUsed) this.end(); }

  keep() { this.isUsed = false; }

  end() {
    this.isOn = false;
    this.board.editor = null;
    byId("setup").hidden = true;
    this.onEnd();
  }

  // --- the position -------------------------------------------------------------------------

  takeFen(fen) {
    const [rows, turn, rights, enPassant] = fen.split(" ");
    const men = {};
    rows.split("/").forEach((row, index) => {
      let file = 0;
      for (const sign of row) {
        if (/\d/.test(sign)) file += Number(sign);
        else men[FILES[file++] + (8 - index)] = sign;
      }
    });
    this.take(men, turn, rights, enPassant);
  }

  take(men, turn, rights, enPassant) {
    this.men = men;
    byId("setup-turn").value = turn;
    for (const box of this.rights) box.checked = hasRight(rights, box.value, men);
    this.offerEnPassant(enPassant === "-" ? [] : [enPassant]);
    byId("setup-en-passant").value = enPassant;
    this.change();
  }

  fen() {
    const rows = [];
    for (let rank = 8; rank >= 1; rank--) {
      const signs = [...FILES].map((file) => this.men[file + rank] ?? "1").join("");
      rows.push(signs.replace(/1+/g, (empty) => empty.length));
    }
    const rights = this.rights.filter((box) => box.checked).map((box) => box.value).join("");
    return `${rows.join("/")} ${byId("setup-turn").value} ${rights || "-"} ${byId("setup-en-passant").value} 0 1`;
  }

  change() {
    this.board.show({ men: this.men, legal: [], last: null, check: null });
    byId("setup-use").disabled = true;
    this.send({ do: "check", fen: this.fen(), chess960: byId("setup-960").checked });
  }

  // The server's word on a position; the one on the board may be another by now.
  judge({ fen, chess960, fault, castling, en_passant: squares }) {
    if (!this.isOn || fen !== this.fen() || chess960 !== byId("setup-960").checked) return;
    for (const box of this.rights) {
      box.disabled = !castling.includes(box.value);
      if (box.disabled) box.checked = false;
    }
    this.offerEnPassant(squares);
    if (fen !== this.fen()) {
      // A right went with its man.
      this.change();
      return;
    }
    byId("setup-fault").textContent = fault ? `Not a position of a game: ${fault}.` : "";
    byId("setup-use").disabled = Boolean(fault);
  }

  offerEnPassant(squares) {
    const list = byId("setup-en-passant");
    const chosen = list.value;
    list.replaceChildren(element("option", { value: "-" }, "none"), ...squares.map((square) => element("option", { value: square }, square)));
    list.value = squares.includes(chosen) ? chosen : "-";
  }

  // --- men ----------------------------------------------------------------------------------

  canPick(square) { return this.tool === HAND && square in this.men; }

  // What the chosen tool does to a square; a second click with the same man removes it.
  put(square) {
    if (this.tool === HAND) return;
    if (this.tool === ERASER || this.men[square] === this.tool) this.remove(square);
    else this.place(square, this.tool);
  }

  place(square, man) {
    this.men = { ...this.men, [square]: man };
    this.change();
  }

  remove(square) {
    const { [square]: _removed, ...rest } = this.men;
    this.men = rest;
    this.change();
  }

  move(from, to) {
    const { [from]: man, ...rest } = this.men;
    this.men = { ...rest, [to]: man };
    this.change();
  }

  // Whether a key on a square means something here.
  key(key, square) {
    if (key === "Delete" || key === "Backspace") this.remove(square);
    else if (MEN.includes(key)) this.place(square, key);
    else return false;
    return true;
  }

  // A man drawn from the palette to the board.
  drag(event, radio) {
    if (event.button !== 0) return;
    radio.checked = true;
    const ghost = manPicture(radio.value);
    ghost.classList.add("ghost");
    const follow = ({ clientX, clientY }) => {
      ghost.style.left = `${clientX}px`;
      ghost.style.top = `${clientY}px`;
      if (!ghost.isConnected) document.body.append(ghost);
    };
    const drop = (last) => {
      document.removeEventListener("pointermove", follow);
      document.removeEventListener("pointerup", drop);
      document.removeEventListener("pointercancel", drop);
      ghost.remove();
      const square = last.type === "pointerup" ? this.board.squareAt(last) : null;
      if (square !== null && this.isOn) this.place(square, radio.value);
    };
    document.addEventListener("pointermove", follow);
    document.addEventListener("pointerup", drop);
    document.addEventListener("pointercancel", drop);
  }
}

const picture = (child) => shape("svg", { viewBox: "0 0 45 45", "aria-hidden": "true" }, child);
const manPicture = (man) => picture(shape("use", { href: manId(man) }));
const sign = (path) => picture(shape("path", { d: path }));

// Rights are `KQkq`, or in Chess960 the files of the rooks.
function hasRight(rights, right, men) {
  if (rights.includes(right)) return true;
  const isWhite = right === right.toUpperCase();
  const king = Object.keys(men).find((square) => men[square] === (isWhite ? "K" : "k"));
  if (!king) return false;
  const isKingside = right.toLowerCase() === "k";
  return [...rights].some((file) => FILES.includes(file.toLowerCase()) && (file === file.toUpperCase()) === isWhite
    && (file.toLowerCase() > king[0]) === isKingside);
}
