// SPDX-License-Identifier: GPL-3.0-or-later
// The page: what the server tells is shown, what the player does is sent. The game itself is the server's.

import { BoardView, manId } from "./board.js";
import { showCourse } from "./course.js";
import { byId, shape } from "./dom.js";
import { partOfGames, showGames } from "./games.js";
import { Moves, spoken } from "./moves.js";
import { showNotice } from "./notice.js";
import { PlayerRows, showBar, showGraph, showLines, showParts } from "./panels.js";
import { SetupEditor } from "./setup.js";
import { Connection } from "./socket.js";

let moves = new Moves();
let game = null;
let position = null;
let analysis = null;
let inside = null;
let graph = null;
let course = null;
let tables = null;

const NOT_CONNECTED = "not connected: nothing was sent";

const players = new PlayerRows();
const board = new BoardView(byId("board"), (choices) => chooseMove(choices), say);
const setup = new SetupEditor(board, send, showBoard);
const connection = new Connection(receive, (text) => { byId("connection").textContent = text; });

function send(request) {
  if (!connection.send(request)) notify(NOT_CONNECTED, true);
}

const isPlaying = () => Boolean(position?.play && !position.play.over);

const go = (node) => send({ do: "go", node });
const play = (text) => send({ do: "move", node: position.node, text });

// --- what the server tells --------------------------------------------------------------------

function receive(message) {
  if (message.kind === "game") showGame(message);
  else if (message.kind === "games") showGames(message, (number) => send({ do: "choose", number }));
  else if (message.kind === "setup") setup.judge(message);
  else if (message.kind === "position") showPosition(message);
  else if (message.kind === "notice") notify(message.text, message.error);
  else if (message.kind === "progress") showProgress(message.share);
  else if (message.kind === "analysis") {
    analysis = message;
    showAnalysis();
  } else if (message.kind === "inside") {
    inside = message;
    showInside();
  } else if (message.kind === "course") {
    course = message;
    showInside();
  } else if (message.kind === "tables") {
    tables = message;
    showTables();
  } else if (message.kind === "graph") {
    graph = message;
    showGraph(graph, position?.node, go);
  }
}

function showGame(message) {
  game = message;
  setup.endIfUsed();
  moves = new Moves(message.moves);
  byId("moves").replaceChildren(...moves.render(go));
  const { White: white = "?", Black: black = "?", Event: event, Result: result = "*" } = message.tags;
  players.showNames({ white: known(white, "White"), black: known(black, "Black") });
  const names = white === "?" && black === "?" ? "" : `${white} – ${black}, ${result}`;
  byId("players").textContent = [names, event].filter((text) => text && text !== "?").join(" · ");
}

const known = (name, otherwise) => (name === "?" ? otherwise : name);

function showPosition(message) {
  const moved = position !== null && position.fen !== message.fen;
  const ended = Boolean(message.end) && position?.end !== message.end;
  const engineCame = position?.engine !== message.engine;
  position = message;
  showBoard();
  byId("opening").textContent = message.opening ?? "";
  byId("end").textContent = message.end ?? "";
  byId("play").disabled = isPlaying();
  byId("resign").disabled = byId("offer-draw").disabled = !isPlaying();
  byId("analysis").setAttribute("aria-pressed", message.analysis.on);
  byId("lines").value = message.analysis.lines;
  byId("inside").setAttribute("aria-pressed", message.analysis.inside);
  markMove();
  if (engineCame) showEngine(message.engine);
  if (moved) {
    notify("");
    byId("promotion").close();
  }
  if (moved || ended) announce(message);
  players.show(message, board.flipped);
  showAnalysis();
  showInside();
  showTables();
  showGraph(graph, message.node, go);
}

function showBoard() {
  if (!setup.isOn) board.show(position);
}

function showEngine(state) {
  if (state === "ready") notify("");
  else if (state === "starting") notify("The engine is getting ready; the first time it is compiled, which takes a minute or two.");
  else notify(state, true);
}

// Only what belongs to the position on the board, here and below. This comes many times a second: the
// rest of the board stays as it is, or a man could not be dragged.
function showAnalysis() {
  const shown = !setup.isOn && position?.analysis.on && analysis?.node === position.node ? analysis : null;
  showBar(shown?.lines[0], board.flipped);
  showLines(shown, play, position?.analysis.on ? waitsFor() : "");
  board.showArrows(shown?.lines ?? []);
}

// Why the engine does not do now what is switched on.
function waitsFor() {
  if (isPlaying()) return "Waits until the game is over.";
  if (!byId("progress").hidden) return "Waits for the annotation.";
  return position.legal.length ? "" : "There is no move to analyse.";
}

function showInside() {
  const shown = !setup.isOn && position?.analysis.inside && inside?.node === position.node ? inside : null;
  board.showWorths(shown?.men_cp ?? null);
  showParts(shown, position?.analysis.inside && isPlaying() ? waitsFor() : "");
  showCourse(position?.analysis.inside ? course : null, position?.node, go);
}

function showTables() {
  const isShown = tables?.text && tables.node === position?.node && !isPlaying();
  byId("tables").textContent = isShown ? `Tablebases: ${tables.text}.` : "";
}

// Marks the move on the board, and scrolls its list, but not the page, to where it is seen.
function markMove() {
  if (!position) return;
  const list = byId("moves");
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const button = list.querySelector(`[data-id="${position.node}"]`);
  if (!button) return;
  button.setAttribute("aria-current", "true");
  const top = button.offsetTop - list.offsetTop;
  const isSeen = top >= list.scrollTop && top + button.offsetHeight <= list.scrollTop + list.clientHeight;
  if (!isSeen) list.scrollTop = top - list.clientHeight / 2;
}

window.addEventListener("resize", markMove);

function announce(message) {
  const san = moves.byId.get(message.node)?.san;
  const mover = message.turn === "white" ? "Black" : "White";
  const text = san ? `${mover}: ${spoken(san)}.` : "Start of the game.";
  say(message.end ? `${text} ${message.end}.` : text);
}

function say(text) { byId("announcement").textContent = text; }

function notify(text, isError = false) {
  showNotice(text, isError);
  if (isError) setup.keep();
}

function showProgress(share) {
  byId("progress").hidden = share === null;
  byId("progress").value = share ?? 0;
  byId("annotate").textContent = share === null ? "Annotate the game" : "Stop annotating";
  showAnalysis();
}

// --- what the player does ---------------------------------------------------------------------

function chooseMove(choices) {
  if (choices.length === 1) play(choices[0][2]);
  else askPromotion(choices);
}

function askPromotion(choices) {
  const dialog = byId("promotion");
  for (const button of dialog.querySelectorAll("button")) {
    const symbol = position.turn === "white" ? button.value.toUpperCase() : button.value;
    button.replaceChildren(shape("svg", { viewBox: "0 0 45 45", "aria-hidden": "true" }, shape("use", { href: manId(symbol) })));
    button.onclick = () => {
      dialog.close();
      play(choices.find(([, , text]) => text.endsWith(button.value))[2]);
    };
  }
  dialog.showModal();
}

// All of it needs a game, which the server may not have told yet.
function on(kind, id, action) {
  byId(id).addEventListener(kind, (event) => {
    event.preventDefault();
    if (position) action();
    else notify(NOT_CONNECTED, true);
  });
}

const onClick = (id, action) => on("click", id, action);
const onSubmit = (id, action) => on("submit", id, action);

function flip(flipped) {
  board.flip(flipped);
  players.show(position, flipped);
  showAnalysis();
}

// Browsers do not let pages of other machines copy: the text is then in a field, to be copied by hand.
async function copy(text, name, field) {
  try {
    await navigator.clipboard.writeText(text);
    notify(`${name} copied`);
  } catch {
    byId(field).value = text;
    byId(field).select();
    notify(`the browser does not allow copying; the ${name} is in its field, selected`);
  }
}

async function load(blob) {
  const part = await partOfGames(blob);
  if (part === null) notify("the first game is too long for the page; kingcobra web --game takes the file", true);
  else send({ do: "load", ...part });
}

for (const to of ["first", "previous", "next", "last"]) onClick(to, () => send({ do: "step", to }));
onClick("flip", () => flip(!board.flipped));
onClick("take-back", () => send({ do: "take back" }));
onClick("resign", () => send({ do: "resign" }));
onClick("offer-draw", () => send({ do: "offer draw" }));
onClick("new-game", () => send({ do: "new game", chess960: null }));
onClick("new-960", () => send({ do: "new game", chess960: Math.floor(Math.random() * 960) }));
onClick("set-up", () => {
  if (isPlaying()) notify("a game is being played; resign first", true);
  else {
    notify("");
    setup.begin(position);
  }
  showAnalysis();
  showInside();
});
onClick("copy-fen", () => copy(position.fen, "FEN", "fen"));
onClick("copy-pgn", () => copy(game.pgn, "PGN", "pgn"));
onClick("analysis", () => send({ do: "analysis", on: !position.analysis.on, lines: Number(byId("lines").value) }));
onClick("inside", () => send({ do: "inside", on: !position.analysis.inside }));
onClick("annotate", () => send({ do: "annotate", on: byId("progress").hidden }));
on("change", "lines", () => send({ do: "analysis", on: position.analysis.on, lines: Number(byId("lines").value) }));
byId("pgn-file").addEventListener("change", (event) => {
  if (event.target.files.length) load(event.target.files[0]);
  event.target.value = "";
});

onSubmit("move-form", () => {
  if (byId("move-text").value.trim()) play(byId("move-text").value);
  byId("move-text").value = "";
});
onSubmit("fen-form", () => send({ do: "position", fen: byId("fen").value, chess960: byId("fen-960").checked }));
onSubmit("pgn-form", () => load(new Blob([byId("pgn").value])));
onSubmit("play-form", () => {
  const [base, increment] = byId("clock").value.split("+");
  const colour = byId("colour").value;
  send({
    do: "play", colour, elo: byId("elo").value ? Number(byId("elo").value) : null,
    base_s: base ? Number(base) : null, increment_s: Number(increment ?? 0),
  });
  flip(colour === "black");
  board.focus();
});

document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea, select, dialog, #board") || event.ctrlKey || event.metaKey || event.altKey) return;
  const action = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", f: "flip" }[event.key];
  if (!action || !position) return;
  event.preventDefault();
  byId(action).click();
});

// --- light and dark -----------------------------------------------------------------------------

// The system's choice, until the player has made one.
const THEME = "kingcobra-theme";
const page = document.documentElement.dataset;
const isDark = () => (page.theme ? page.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);

if (localStorage.getItem(THEME)) page.theme = localStorage.getItem(THEME);
byId("theme").addEventListener("click", () => {
  page.theme = isDark() ? "light" : "dark";
  localStorage.setItem(THEME, page.theme);
});
