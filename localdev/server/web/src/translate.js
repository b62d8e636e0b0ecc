// A page's own texts in the reader's language: what its HTML marks with data-t, and the labels of its controls.
import { inGerman, t } from "./words.js";

export function translate() {
  document.documentElement.lang = inGerman ? "de" : "en";
  document.title = t(document.title);
  for (const e of document.querySelectorAll("[data-t]")) e.textContent = t(e.textContent);
  for (const name of ["aria-label", "placeholder", "title"]) for (const e of document.querySelectorAll(`[${name}]`)) e.setAttribute(name, t(e.getAttribute(name)));
}
