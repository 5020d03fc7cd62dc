// SPDX-License-Identifier: GPL-3.0-or-later
// The board: shows a position, and lets moves be made by dragging, by two clicks, or by keys.

import { shape } from "./dom.js";

const SQUARE = 45;
const SIZE = 8 * SQUARE;
const FILES = "abcdefgh";
const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
const ARROW_KEYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
// Worths are told apart up to this many hundredths of a pawn.
const FULL_COLOUR_CP = 900;

const isWhite = (symbol) => symbol === symbol.toUpperCase();
export const manName = (symbol) => `${isWhite(symbol) ? "white" : "black"} ${NAMES[symbol.toLowerCase()]}`;
export const manId = (symbol) => `#${manName(symbol).replace(" ", "-")}`;

export class BoardView {
  // `onMove(moves)` gets the legal moves between two squares: several when a pawn promotes. `onSay(text)` is for
  // those who do not see the board.
  constructor(svg, onMove, onSay) {
    this.svg = svg;
    this.onMove = onMove;
    this.onSay = onSay;
    this.flipped = false;
    this.position = { men: {}, legal: [], last: null, check: null };
    this.picked = null;
    this.drag = null;
    this.focused = "e2";
    this.worths = null;
    this.arrows = [];
    // Whoever sets up a position: asked instead of the rules.
    this.editor = null;
    this.build();
    svg.addEventListener("pointerdown", (event) => this.press(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    svg.addEventListener("pointerup", (event) => this.release(event));
    svg.addEventListener("pointercancel", () => this.cancel());
    svg.addEventListener("keydown", (event) => this.key(event));
  }

  // --- drawing ------------------------------------------------------------------------------

  build() {
    this.squares = new Map();
    const rows = [];
    for (let row = 0; row < 8; row++) {
      const cells = [];
      for (let column = 0; column < 8; column++) {
        const cell = shape("rect", {
          x: column * SQUARE, y: row * SQUARE, width: SQUARE, height: SQUARE, role: "gridcell", tabindex: "-1",
        });
        cell.addEventListener("focus", () => { this.focused = cell.dataset.square; });
        cells.push(cell);
        this.squares.set(this.nameAt(column, row), cell);
      }
      rows.push(shape("g", { role: "row" }, ...cells));
    }
    this.layers = {};
    for (const name of ["coordinates", "targets", "men", "worths", "arrows"]) this.layers[name] = shape("g", { "aria-hidden": "true" });
    this.svg.replaceChildren(...rows, ...Object.values(this.layers));
  }

  nameAt(column, row) {
    const file = this.flipped ? 7 - column : column;
    const rank = this.flipped ? row : 7 - row;
    return FILES[file] + (rank + 1);
  }

  // Column and row on the screen.
  placeOf(name) {
    const file = FILES.indexOf(name[0]);
    const rank = Number(name[1]) - 1;
    return this.flipped ? [7 - file, rank] : [file, 7 - rank];
  }

  flip(flipped) {
    const hadFocus = this.svg.contains(document.activeElement);
    this.flipped = flipped;
    this.picked = null;
    this.build();
    this.draw();
    if (hadFocus) this.focus();
  }

  show(position) {
    this.position = position;
    this.picked = null;
    this.cancel();
  }

  showArrows(arrows) {
    this.arrows = arrows;
    this.drawArrows();
  }

  showWorths(worths) {
    if (!worths && !this.worths) return;
    this.worths = worths;
    for (const [name, cell] of this.squares) this.drawSquare(name, cell);
    this.drawWorths();
  }

  draw() {
    for (const [name, cell] of this.squares) this.drawSquare(name, cell);
    this.drawCoordinates();
    this.drawMen();
    this.drawTargets();
    this.drawWorths();
    this.drawArrows();
  }

  drawSquare(name, cell) {
    const { men, last, check } = this.position;
    const classes = ["square", (FILES.indexOf(name[0]) + Number(name[1])) % 2 ? "dark" : "light"];
    if (last?.includes(name)) classes.push("last");
    if (check === name) classes.push("check");
    if (this.picked === name) classes.push("picked");
    cell.setAttribute("class", classes.join(" "));
    cell.dataset.square = name;
    cell.style.fill = this.worths && name in this.worths ? worthColour(this.worths[name]) : "";
    cell.setAttribute("tabindex", name === this.focused ? "0" : "-1");
    cell.setAttribute("aria-label", this.label(name, men[name]));
    cell.setAttribute("aria-selected", String(this.picked === name));
  }

  label(name, symbol) {
    const worth = this.worths && name in this.worths ? `, worth ${pawns(this.worths[name])}` : "";
    const target = !this.editor && this.picked && this.movesTo(name).length ? ", legal target" : "";
    return `${name}, ${symbol ? manName(symbol) : "empty"}${worth}${this.picked === name ? ", picked up" : ""}${target}`;
  }

  drawCoordinates() {
    const texts = [];
    for (let index = 0; index < 8; index++) {
      const bottom = shape("text", { class: "coordinate", x: index * SQUARE + 37, y: SIZE - 3 });
      bottom.textContent = this.nameAt(index, 7)[0];
      const left = shape("text", { class: "coordinate", x: 2, y: index * SQUARE + 9 });
      left.textContent = this.nameAt(0, index)[1];
      texts.push(bottom, left);
    }
    this.layers.coordinates.replaceChildren(...texts);
  }

  drawMen() {
    const men = Object.entries(this.position.men).map(([name, symbol]) => {
      const [column, row] = this.placeOf(name);
      const man = shape("use", { href: manId(symbol), class: "man", transform: `translate(${column * SQUARE} ${row * SQUARE})` });
      man.dataset.square = name;
      return man;
    });
    this.layers.men.replaceChildren(...men);
  }

  drawTargets() {
    const targets = new Set(this.position.legal.filter(([from]) => from === this.picked).map(([, to]) => to));
    this.layers.targets.replaceChildren(...[...targets].map((name) => {
      const [column, row] = this.placeOf(name);
      const radius = this.position.men[name] ? 20 : 7;
      return shape("circle", { class: "target", cx: (column + 0.5) * SQUARE, cy: (row + 0.5) * SQUARE, r: radius });
    }));
  }

  drawWorths() {
    this.layers.worths.replaceChildren(...Object.entries(this.worths ?? {}).map(([name, worth]) => {
      const [column, row] = this.placeOf(name);
      const text = shape("text", { class: "worth", x: (column + 0.5) * SQUARE, y: (row + 1) * SQUARE - 2 });
      text.textContent = pawns(worth);
      return text;
    }));
  }

  drawArrows() {
    this.layers.arrows.replaceChildren(...this.arrows.map(({ from, to }, index) => {
      const [x1, y1] = this.placeOf(from).map((place) => (place + 0.5) * SQUARE);
      const [x2, y2] = this.placeOf(to).map((place) => (place + 0.5) * SQUARE);
      const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
      const length = Math.hypot(x2 - x1, y2 - y1) - 8;
      const width = index ? 3 : 6;
      return shape("g", { class: "arrow", "stroke-width": width, transform: `translate(${x1} ${y1}) rotate(${angle})`, opacity: index ? 0.55 : 0.85 },
        shape("line", { x1: 0, y1: 0, x2: length - 8, y2: 0 }),
        shape("path", { class: "arrow-head", d: `M${length - 10} ${-width - 4}L${length + 4} 0L${length - 10} ${width + 4}z` }));
    }));
  }

  // Brings the board into view, for the hand and for the keyboard.
  focus() { this.squares.get(this.focused).focus(); }

  // --- moves --------------------------------------------------------------------------------

  movesTo(name) {
    if (this.editor) return this.picked && name !== this.picked ? [[this.picked, name, ""]] : [];
    return this.position.legal.filter(([from, to]) => from === this.picked && to === name);
  }

  canPick(name) {
    if (this.editor) return this.editor.canPick(name);
    return this.position.legal.some(([from]) => from === name);
  }

  // The first click picks a man up, the second puts it down.
  choose(name) {
    const moves = this.picked ? this.movesTo(name) : [];
    if (moves.length) {
      this.picked = null;
      this.draw();
      if (this.editor) this.editor.move(moves[0][0], moves[0][1]);
      else this.onMove(moves);
    } else if (this.editor && !this.canPick(name)) {
      this.editor.put(name);
    } else {
      const wasPicked = this.picked;
      this.picked = this.canPick(name) && name !== this.picked ? name : null;
      this.draw();
      this.onSay(this.picked ? this.pickedText() : `${wasPicked ? "put back" : "no move"} from ${wasPicked ?? name}`);
    }
  }

  pickedText() {
    const targets = new Set(this.position.legal.filter(([from]) => from === this.picked).map(([, to]) => to));
    const text = `${manName(this.position.men[this.picked])} on ${this.picked} picked up`;
    return targets.size ? `${text}, may go to ${[...targets].sort().join(", ")}` : text;
  }

  pointAt(event) {
    const box = this.svg.getBoundingClientRect();
    return [((event.clientX - box.left) / box.width) * SIZE, ((event.clientY - box.top) / box.height) * SIZE];
  }

  squareAt(event) {
    const [column, row] = this.pointAt(event).map((place) => Math.floor(place / SQUARE));
    return column >= 0 && column < 8 && row >= 0 && row < 8 ? this.nameAt(column, row) : null;
  }

  press(event) {
    const name = this.squareAt(event);
    if (event.button !== 0 || !event.isPrimary || name === null) return;
    event.preventDefault();
    this.focused = name;
    this.squares.get(name).focus({ preventScroll: true });
    const wasPicked = this.picked === name;
    if (this.canPick(name) && !(this.picked && this.movesTo(name).length)) {
      this.picked = name;
      this.svg.setPointerCapture(event.pointerId);
      this.draw();
      this.drag = { from: name, wasPicked, man: this.layers.men.querySelector(`[data-square="${name}"]`) };
    } else {
      this.choose(name);
    }
  }

  move(event) {
    if (!this.drag?.man || !event.isPrimary) return;
    const [x, y] = this.pointAt(event);
    this.drag.man.setAttribute("transform", `translate(${x - SQUARE / 2} ${y - SQUARE / 2})`);
    this.layers.men.append(this.drag.man);
  }

  release(event) {
    if (!this.drag || !event.isPrimary) return;
    const { from, wasPicked } = this.drag;
    this.drag = null;
    const name = this.squareAt(event);
    if (name === from) {
      if (wasPicked) this.picked = null;
      this.draw();
    } else if (name !== null && this.movesTo(name).length) {
      this.choose(name);
    } else {
      this.cancel();
      if (this.editor && name === null) this.editor.remove(from);
    }
  }

  cancel() {
    this.drag = null;
    this.picked = null;
    this.draw();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = ARROW_KEYS[event.key];
    if (step) {
      const [column, row] = this.placeOf(this.focused).map((place, axis) => Math.min(7, Math.max(0, place + step[axis])));
      this.focused = this.nameAt(column, row);
      this.draw();
      this.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      this.choose(this.focused);
    } else if (event.key === "Escape") {
      this.cancel();
    } else if (!this.editor?.key(event.key, this.focused)) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

export function pawns(centipawns) {
  return `${centipawns > 0 ? "+" : ""}${(centipawns / 100).toFixed(2)}`;
}

// Red for what helps White, blue for what helps Black, as in the pictures of `kingcobra net heat`.
function worthColour(centipawns) {
  const share = Math.sqrt(Math.min(Math.abs(centipawns) / FULL_COLOUR_CP, 1));
  return `hsl(${centipawns > 0 ? 8 : 215} 75% ${90 - 42 * share}%)`;
}
