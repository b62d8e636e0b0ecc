// Small pieces of page that the cards and panels share.
import { locale, t } from "./words.js";

export function element(name, text, props = {}) {
  const e = Object.assign(document.createElement(name), props);
  if (text !== undefined) e.textContent = text;
  return e;
}

/** number is a figure in the reader's notation; what is not known says so. */
export const number = (v, digits = 0) => (v === null || v === undefined ? t("not known") : v.toLocaleString(locale, { maximumFractionDigits: digits, minimumFractionDigits: digits }));

/** day is a date as the reader writes it. */
export const day = (date) => new Date(`${date}T00:00:00Z`).toLocaleDateString(locale, { timeZone: "UTC", dateStyle: "medium" });

/** rows is a table of names and values; what has no value is left out. */
export function rows(pairs) {
  const table = element("table");
  for (const [name, value] of pairs) {
    if (value === undefined || value === null || value === "" || value === false) continue;
    const tr = table.insertRow(), td = element("td");
    td.append(value);
    tr.append(element("th", name, { scope: "row" }), td);
  }
  return table;
}

/** fold is a part that opens and closes: its title, what it says in short, and what it holds. */
export function fold(title, gist, ...parts) {
  const details = element("details"), summary = element("summary");
  summary.append(element("b", title), " ", element("span", gist));
  details.append(summary, ...parts);
  return details;
}

/** english marks a text that the service gives in English only, for who reads it aloud. */
export const english = (text, name = "span") => element(name, text, { lang: "en" });

/** metres is a distance as people say it. */
export const metres = (m) => (m >= 9_950 ? `${number(m / 1000)} km` : m >= 1000 ? `${number(m / 1000, 1)} km` : `${number(m)} m`);

/** link is one to another site, where the address is one. */
export function link(text, to) {
  if (!/^https:\/\//.test(to ?? "")) return element("span", text);
  return element("a", text, { href: to, rel: "noopener" });
}
