// A page's own texts in the reader's language: what its HTML marks with data-t, and the labels of its controls. A language that the
// address asks for is kept on the way to other pages; a link in the page's navigation leads to the other language.
import { chosen, inGerman, inLanguage, t } from "./words.js";

const pages = /^\/(?:$|map$|national$|download$|tables$|p\/|kg\/)/;

export function translate() {
  document.documentElement.lang = inGerman ? "de" : "en";
  document.title = t(document.title);
  for (const e of document.querySelectorAll("[data-t]")) e.textContent = t(e.textContent);
  for (const name of ["aria-label", "placeholder", "title"]) for (const e of document.querySelectorAll(`[${name}]`)) e.setAttribute(name, t(e.getAttribute(name)));
  for (const e of document.querySelectorAll("[data-language]")) other(e);
  for (const kind of ["click", "auxclick"]) addEventListener(kind, keep, true);
}

// other makes a link to the same view in the other language.
function other(link) {
  const to = inGerman ? "en" : "de", address = () => inLanguage(location.pathname + location.search + location.hash, to);
  Object.assign(link, { lang: to, hreflang: to, href: address(), textContent: to === "de" ? "Deutsch" : "English" });
  link.addEventListener("click", () => { link.href = address(); });
}

function keep(e) {
  const a = e.target.closest?.("a[href]");
  if (!chosen || !a || a.dataset.language !== undefined || a.origin !== location.origin || !pages.test(a.pathname)) return;
  a.href = inLanguage(a.pathname + a.search + a.hash);
}
