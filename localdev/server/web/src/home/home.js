// The index page in the reader's language. The server writes it in English, and it is whole without this script.
import { translate } from "../translate.js";
import { element } from "../dom.js";
import { t } from "../words.js";
import "./words.js";

translate();
// A description has its code between backquotes; the translation too.
for (const e of document.querySelectorAll("[data-prose]")) {
  const text = t(e.dataset.prose);
  e.lang = text === e.dataset.prose ? "en" : "";
  e.replaceChildren(...text.split("`").map((part, i) => (i % 2 ? element("code", part) : part)));
}
document.body.dataset.ready = "true";
