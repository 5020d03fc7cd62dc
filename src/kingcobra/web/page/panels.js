// SPDX-License-Identifier: GPL-3.0-or-later
// What stands beside the board: evaluation bar, lines, curve of the game, parts of the evaluation, players and clocks.

import { pawns } from "./board.js";
import { byId, element, shape } from "./dom.js";

const numbers = new Intl.NumberFormat("en");

export function showBar(line, flipped) {
  const bar = byId("bar");
  bar.classList.toggle("flipped", flipped);
  const [win, draw, loss] = line?.wdl ?? [0, 0, 0];
  byId("bar-white").style.flexGrow = win;
  byId("bar-draw").style.flexGrow = draw;
  byId("bar-black").style.flexGrow = loss;
  const text = line?.wdl ? `${line.score}: ${chances(line.wdl)}` : "No evaluation";
  bar.setAttribute("aria-label", text);
  bar.title = text;
}

function chances(wdl) {
  const [win, draw, loss] = wdl.map((permille) => `${Math.round(permille / 10)} %`);
  return `White wins ${win}, draws ${draw}, loses ${loss}`;
}

// `waiting` says why there are no lines although they are wanted.
export function showLines(analysis, onPlay, waiting) {
  const effort = analysis
    ? `depth ${analysis.depth}/${analysis.seldepth} · ${numbers.format(analysis.nodes)} nodes · ${numbers.format(Math.round(analysis.nps / 1000))} k/s`
      + (analysis.tbhits ? ` · ${numbers.format(analysis.tbhits)} table hits` : "")
    : waiting;
  byId("effort").textContent = effort;
  const wdl = (line) => (line.wdl ? [element("span", { class: "wdl", title: chances(line.wdl) }, ` ${line.wdl.map((n) => Math.round(n / 10)).join("/")} %`)] : []);
  // Buttons stay where they are while their text changes, so a click or the focus is not lost.
  const list = byId("analysis-lines");
  const lines = analysis?.lines ?? [];
  while (list.children.length > lines.length) list.lastChild.remove();
  while (list.children.length < lines.length) {
    const button = element("button", { type: "button" });
    button.addEventListener("click", () => onPlay(button.dataset.uci));
    list.append(element("li", {}, button));
  }
  lines.forEach((line, index) => {
    const button = list.children[index].firstChild;
    button.dataset.uci = line.uci;
    button.replaceChildren(element("b", {}, line.score), line.san, ...wdl(line));
  });
}

// The curve comes from the server as SVG of its own making.
export function showGraph(graph, node, onGo) {
  const place = byId("graph");
  place.hidden = !graph?.svg;
  place.replaceChildren();
  if (graph?.svg) {
    const svg = document.importNode(new DOMParser().parseFromString(graph.svg, "image/svg+xml").documentElement, true);
    const width = svg.viewBox.baseVal.width;
    const steps = Math.max(graph.nodes.length - 1, 1);
    const at = graph.nodes.indexOf(node);
    if (at >= 0) {
      const x = (width * at) / steps;
      svg.append(shape("line", { class: "here", x1: x, x2: x, y1: 0, y2: svg.viewBox.baseVal.height }));
    }
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      const index = Math.round(((event.clientX - box.left) / box.width) * steps);
      onGo(graph.nodes[Math.min(graph.nodes.length - 1, Math.max(0, index))]);
    });
    place.append(svg);
  }
  byId("summary").textContent = graph?.summary ? summaryText(graph.summary) : "";
}

function summaryText(summary) {
  return ["white", "black"].map((side) => {
    const { accuracy, inaccuracies, mistakes, blunders } = summary[side];
    const shown = accuracy === null ? "–" : `${accuracy.toFixed(0)}\u00a0%`;
    const faults = [counted(inaccuracies, "inaccuracy", "inaccuracies"), counted(mistakes, "mistake", "mistakes"), counted(blunders, "blunder", "blunders")];
    return `${side === "white" ? "White" : "Black"}: accuracy ${shown}, ${faults.join(", ")}`;
  }).join(" · ");
}

const counted = (count, one, several) => `${count} ${count === 1 ? one : several}`;

// `waiting` as above.
export function showParts(inside, waiting) {
  byId("inside-name").textContent = inside ? `${inside.evaluation}: ${pawns(inside.total_cp)} pawns, White's view` : waiting;
  const rows = (inside?.parts ?? []).map(([name, worth]) => element("tr", {}, element("td", {}, name), element("td", {}, pawns(worth))));
  byId("parts").replaceChildren(...rows);
}

// Above and below the board: who plays which side, who is to move, and the clocks, which run on between two messages.
export class PlayerRows {
  constructor() {
    this.names = { white: "White", black: "Black" };
    this.position = null;
    this.flipped = false;
    this.since = 0;
    setInterval(() => this.draw(), 200);
  }

  showNames(names) {
    this.names = names;
    this.draw();
  }

  show(position, flipped) {
    if (position !== this.position) this.since = performance.now();
    this.position = position;
    this.flipped = flipped;
    this.draw();
  }

  draw() {
    this.drawSide("far", this.flipped ? "white" : "black");
    this.drawSide("near", this.flipped ? "black" : "white");
  }

  drawSide(place, side) {
    const isNext = this.position && !this.position.end && this.position.turn === side;
    const clock = this.position?.play?.clock;
    const isRunning = clock?.running === side;
    const left = clock ? clock[`${side}_ms`] - (isRunning ? performance.now() - this.since : 0) : null;
    byId(`${place}-name`).textContent = this.names[side];
    byId(`${place}-turn`).textContent = isNext ? "to move" : "";
    byId(`${place}-clock`).textContent = left === null ? "" : clockText(Math.max(0, left));
    byId(`${place}-clock`).classList.toggle("running", isRunning);
  }
}

function clockText(ms) {
  const seconds = Math.floor(ms / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const tenths = ms < 20000 ? `.${Math.floor((ms % 1000) / 100)}` : "";
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}${tenths}`;
}
