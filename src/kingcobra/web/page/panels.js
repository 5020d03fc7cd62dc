// SPDX-License-Identifier: GPL-3.0-or-later
// What stands beside the board: evaluation bar, lines, curve of the game, parts of the evaluation, clocks.

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
  const percent = (permille) => `${Math.round(permille / 10)} %`;
  const text = line?.wdl ? `${line.score}: White wins ${percent(win)}, draws ${percent(draw)}, loses ${percent(loss)}` : "No evaluation";
  bar.setAttribute("aria-label", text);
  bar.title = text;
}

export function showLines(analysis, onPlay) {
  const effort = analysis
    ? `depth ${analysis.depth}/${analysis.seldepth} · ${numbers.format(analysis.nodes)} nodes · ${numbers.format(Math.round(analysis.nps / 1000))} k/s`
      + (analysis.tbhits ? ` · ${numbers.format(analysis.tbhits)} table hits` : "")
    : "";
  byId("effort").textContent = effort;
  const wdl = (line) => (line.wdl ? ` (${line.wdl.map((n) => Math.round(n / 10)).join("/")})` : "");
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
    button.replaceChildren(element("b", {}, line.score), `${line.san}${wdl(line)}`);
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

export function showParts(inside) {
  byId("inside-name").textContent = inside ? `${inside.evaluation}: ${pawns(inside.total_cp)} pawns, White's view` : "";
  const rows = (inside?.parts ?? []).map(([name, worth]) => element("tr", {}, element("td", {}, name), element("td", {}, pawns(worth))));
  byId("parts").replaceChildren(...rows);
}

// Clocks run on between two messages.
export class Clocks {
  constructor() {
    this.play = null;
    this.since = 0;
    setInterval(() => this.draw(), 200);
  }

  show(play, flipped) {
    this.play = play;
    this.flipped = flipped;
    this.since = performance.now();
    this.draw();
  }

  draw() {
    const sides = this.flipped ? ["white", "black"] : ["black", "white"];
    sides.forEach((side, index) => {
      const place = index ? "near" : "far";
      byId(`${place}-name`).textContent = this.play?.[side] ?? "";
      const clock = this.play?.clock;
      const running = clock?.running === side;
      const left = clock ? clock[`${side}_ms`] - (running ? performance.now() - this.since : 0) : null;
      byId(`${place}-clock`).textContent = left === null ? "" : clockText(Math.max(0, left));
      byId(`${place}-clock`).classList.toggle("running", running);
    });
  }
}

function clockText(ms) {
  const seconds = Math.floor(ms / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const tenths = ms < 20000 ? `.${Math.floor((ms % 1000) / 100)}` : "";
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}${tenths}`;
}
