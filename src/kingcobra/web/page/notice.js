// SPDX-License-Identifier: GPL-3.0-or-later
// One line for the player, over the lower edge of the window, wherever the page is scrolled to.

import { byId } from "./dom.js";

// An empty text takes the line away.
export function showNotice(text, isError) {
  byId("notice").textContent = text;
  byId("notice-box").classList.toggle("error", isError);
  byId("notice-box").classList.toggle("empty", !text);
  byId("notice-close").hidden = !text;
}

byId("notice-close").addEventListener("click", () => showNotice("", false));
