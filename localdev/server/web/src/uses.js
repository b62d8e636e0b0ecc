// Land-use codes in words, from the project's own code table: the bundler puts it in as text.
import table from "../../../../shared/austria/landuse.csv";
import { inGerman } from "./words.js";

/** cells splits a line of RFC 4180. */
export function cells(line) {
  const out = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;
  for (let m; (m = cell.exec(line)); ) {
    out.push(m[1] !== undefined ? m[1].replaceAll('""', '"') : m[2]);
    if (m[3] === "") break;
  }
  return out;
}

const [head, ...lines] = table.trim().split(/\r?\n/);
const names = cells(head);

/** uses are the rows of the table: {code, name, name_en, class, ...}. */
export const uses = lines.map((line) => Object.fromEntries(cells(line).map((v, i) => [names[i], v])));

const byCode = new Map(uses.map((u) => [u.code, u]));

/** useName is a code in words; one the table does not know stays a number. */
export function useName(code) {
  const u = byCode.get(String(code));
  if (!u) return String(code);
  return inGerman ? u.name : u.name_en;
}
