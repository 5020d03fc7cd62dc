"use strict";
// Shows positions of annotated games. Text from files only ever becomes text content, never markup.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const SQUARE = 45, FILES = 8, LAST_MOVE = "#cdd26a", LIGHT = "#ecd9b9", DARK = "#b58863";
  const ARROW = "#2f7d4f", FULL_COLOUR_CP = 900;
  const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

  const make = (name, attributes, text) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const corner = (square) =>
    [(square.charCodeAt(0) - 97) * SQUARE, (FILES - Number(square[1])) * SQUARE];
  const mixed = (share) => {
    const end = share < 0 ? [38, 110, 200] : [200, 60, 40];
    const part = Math.sqrt(Math.min(Math.abs(share), 1));
    const channels = [245, 245, 240].map((low, i) => Math.round(low + (end[i] - low) * part));
    return `rgb(${channels.join(",")})`;
  };

  const drawMen = (board, placement) => {
    const men = [];
    placement.split("/").forEach((row, rank) => {
      let file = 0;
      for (const letter of row) {
        if (letter >= "1" && letter <= "8") { file += Number(letter); continue; }
        const colour = letter === letter.toLowerCase() ? "black" : "white";
        men.push(make("use", {
          href: `#${colour}-${NAMES[letter.toLowerCase()]}`,
          transform: `translate(${file * SQUARE} ${rank * SQUARE})`,
        }));
        file += 1;
      }
    });
    board.querySelector(".men").replaceChildren(...men);
  };

  const drawSquares = (board, move, heat) => {
    const last = move ? [move.slice(0, 2), move.slice(2, 4)] : [];
    board.querySelectorAll(".squares rect").forEach((rect, number) => {
      const name = "abcdefgh"[number % FILES] + (Math.floor(number / FILES) + 1);
      const plain = (number % FILES + Math.floor(number / FILES)) % 2 ? LIGHT : DARK;
      const value = heat ? heat[name] : undefined;
      const shade = heat ? (plain === LIGHT ? "#dededa" : "#bebeb8") : plain;
      rect.setAttribute("fill", value !== undefined ? mixed(value / FULL_COLOUR_CP)
        : !heat && last.includes(name) ? LAST_MOVE : shade);
    });
    const values = Object.entries(heat || {}).map(([name, value]) => {
      const [x, y] = corner(name);
      const tenths = Math.round(value / 10);
      const text = (tenths > 0 ? "+" : "") + (tenths / 10 || 0).toFixed(1);
      return make("text", {
        x: x + SQUARE / 2, y: y + SQUARE - 3, "font-size": 10, "font-family": "sans-serif",
        "font-weight": "bold", "text-anchor": "middle", stroke: "#fff", "stroke-width": 2.5,
        "paint-order": "stroke",
      }, text);
    });
    return values;
  };

  const arrow = (move) => {
    const [x1, y1] = corner(move.slice(0, 2)), [x2, y2] = corner(move.slice(2, 4));
    const half = SQUARE / 2, length = Math.hypot(x2 - x1, y2 - y1) || 1, head = 16;
    const dx = (x2 - x1) / length, dy = (y2 - y1) / length;
    const tip = [x2 + half, y2 + half], neck = [tip[0] - dx * head, tip[1] - dy * head];
    const side = [-dy * head * 0.6, dx * head * 0.6];
    return [
      make("line", { x1: x1 + half, y1: y1 + half, x2: neck[0], y2: neck[1], stroke: ARROW,
        "stroke-width": 8, opacity: 0.8 }),
      make("polygon", { points: `${tip} ${neck[0] + side[0]},${neck[1] + side[1]} ` +
        `${neck[0] - side[0]},${neck[1] - side[1]}`, fill: ARROW, opacity: 0.8 }),
    ];
  };

  class GameView {
    constructor(article) {
      this.article = article;
      this.plies = JSON.parse(article.querySelector("script.data").textContent);
      this.board = article.querySelector("svg.board");
      this.graph = article.querySelector("svg.graph");
      this.width = this.graph.viewBox.baseVal.width;
      this.height = this.graph.viewBox.baseVal.height;
      this.cursor = make("line", { stroke: "#c93232", "stroke-width": 2, y1: 0, y2: this.height });
      this.graph.append(this.cursor);
      this.showsHeat = false;
      this.ply = 0;
      article.addEventListener("click", (event) => this.clicked(event));
      this.show(Number(article.dataset.ply));
    }

    clicked(event) {
      const button = event.target.closest("button");
      if (button && button.dataset.ply !== undefined) this.show(Number(button.dataset.ply));
      else if (button && button.dataset.step) this.show(this.ply + Number(button.dataset.step));
      else if (button && button.classList.contains("heat")) this.toggleHeat();
      else if (event.target.closest("svg.graph")) {
        const box = this.graph.getBoundingClientRect();
        const share = (event.clientX - box.left) / box.width;
        this.show(Math.round(share * (this.plies.length - 1)));
      }
    }

    toggleHeat() {
      this.showsHeat = !this.showsHeat;
      this.show(this.ply);
    }

    show(ply) {
      this.ply = Math.max(0, Math.min(ply, this.plies.length - 1));
      const [placement, move, best, score, heat] = this.plies[this.ply];
      drawMen(this.board, placement);
      const values = drawSquares(this.board, move, this.showsHeat ? heat : null);
      const marks = best && !this.showsHeat ? arrow(best) : [];
      this.board.querySelector(".arrows").replaceChildren(...values, ...marks);
      this.article.querySelector(".state .score").textContent = score;
      const x = this.width * this.ply / Math.max(this.plies.length - 1, 1);
      this.cursor.setAttribute("x1", x);
      this.cursor.setAttribute("x2", x);
      this.article.querySelectorAll(".move").forEach((button) =>
        button.classList.toggle("shown", Number(button.dataset.ply) === this.ply));
    }
  }

  const articles = [...document.querySelectorAll("article.game")];
  const views = new Map();
  let open = null;
  const openGame = (article) => {
    articles.forEach((other) => { other.hidden = other !== article; });
    if (!views.has(article)) views.set(article, new GameView(article));
    open = views.get(article);
  };
  document.body.classList.add("has-script");
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-open]");
    if (button) openGame(document.getElementById(`game-${button.dataset.open}`));
  });
  document.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step && open) { event.preventDefault(); open.show(open.ply + step); }
  });
  if (articles.length) openGame(articles[0]);
})();
