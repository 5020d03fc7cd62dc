// SPDX-License-Identifier: GPL-3.0-or-later
// The connection to the server. It comes back by itself; the server then tells everything anew.

const LOST = "no connection; trying again";
const REFUSED = "the server was started again: open the link that it has printed";
const FORBIDDEN = 403;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;

export class Connection {
  constructor(onMessage, onState) {
    this.onMessage = onMessage;
    this.onState = onState;
    this.waitMs = FIRST_WAIT_MS;
    this.open();
  }

  open() {
    this.socket = new WebSocket(`ws://${location.host}/socket`);
    this.socket.onopen = () => {
      this.waitMs = FIRST_WAIT_MS;
      this.onState("connected");
    };
    this.socket.onmessage = (event) => this.onMessage(JSON.parse(event.data));
    this.socket.onclose = (event) => {
      this.onState(event.reason || LOST);
      this.explain();
      setTimeout(() => this.open(), this.waitMs);
      this.waitMs = Math.min(2 * this.waitMs, LONGEST_WAIT_MS);
    };
  }

  // A browser does not say why a socket was refused; the answer to a request does.
  async explain() {
    const answer = await fetch("/", { method: "HEAD" }).catch(() => null);
    if (answer?.status === FORBIDDEN && this.socket.readyState !== WebSocket.OPEN) this.onState(REFUSED);
  }

  // Whether the request was sent: without a connection it is not kept for later.
  send(request) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(request));
    return true;
  }
}
