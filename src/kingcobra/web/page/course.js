// SPDX-License-Identifier: GPL-3.0-or-later
// How the evaluation and its parts change along the game, and which bucket of the network evaluates.

import { pawns } from "./board.js";
import { byId, element, shape } from "./dom.js";

const WIDTH = 800;
const HEIGHT = 160;
// The scale fits the game, between these hundredths of a pawn; what is beyond touches the edge.
const LEAST_CP = 200;
const MOST_CP = 1000;

// `onGo(node)` is called for the move that is clicked.
export function showCourse(course, node, onGo) {
  const isShown = (course?.nodes.length ?? 0) > 1;
  byId("course").hidden = !isShown;
  byId("course-legend").hidden = !isShown;
  if (!isShown) return;
  const { nodes, total_cp: total, parts, buckets } = course;
  const steps = nodes.length - 1;
  const at = nodes.indexOf(node);
  const curves = [["evaluation", total], ...parts];
  const limit = Math.min(MOST_CP, Math.max(LEAST_CP, ...curves.flatMap(([, values]) => values.map(Math.abs))));
  const x = (index) => (WIDTH * index) / steps;
  const y = (value) => (HEIGHT / 2) * (1 - Math.max(-1, Math.min(1, value / limit)));
  const svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": `The evaluation along the game, from ${pawns(-limit)} to ${pawns(limit)} pawns` },
    ...bands(buckets, x),
    shape("line", { class: "even", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    ...curves.map(([, values], number) => shape("polyline", { class: `part-${number}`, points: values.map((value, index) => `${x(index)},${y(value)}`).join(" ") })));
  if (at >= 0) svg.append(shape("line", { class: "here", x1: x(at), x2: x(at), y1: 0, y2: HEIGHT }));
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    onGo(nodes[Math.min(steps, Math.max(0, Math.round(((event.clientX - box.left) / box.width) * steps)))]);
  });
  byId("course").replaceChildren(svg);
  const value = (values) => (at >= 0 ? ` ${pawns(values[at])}` : "");
  const names = curves.map(([name, values], number) => element("span", { class: `part-${number}` }, `${name}${value(values)}`));
  const bucket = at >= 0 && buckets[at] !== null ? [`bucket ${buckets[at]} of the network (shades show where it changes)`] : [];
  byId("course-legend").replaceChildren(...names, ...bucket);
}

// Every other bucket has a shade behind the curves.
function bands(buckets, x) {
  const found = [];
  let from = 0;
  for (let index = 1; index <= buckets.length; index++) {
    if (index < buckets.length && buckets[index] === buckets[from]) continue;
    const end = Math.min(index, buckets.length - 1);
    if (buckets[from] !== null && buckets[from] % 2) found.push(shape("rect", { class: "bucket", x: x(from), y: 0, width: x(end) - x(from), height: HEIGHT }));
    from = index;
  }
  return found;
}
