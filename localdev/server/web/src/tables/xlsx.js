// The first sheet of a workbook (.xlsx) as rows of texts and numbers, and rows as a workbook. Formulas are read by their results,
// dates become texts (2024-05-31), formats are lost. The rules and bounds are those of shared/web/xlsx, which the command reads with.
import { entriesOf, unpacked, zipped } from "./zip.js";

const mostUnpacked = 64 << 20, mostColumns = 1024, mostText = 32_767;
const mostToken = 1 << 20; // a cell's text with every sign written as a reference has a third of that

/** Unreadable says why a workbook is not read: kind is "no_workbook", "damaged", "too_large" or "rows". */
export class Unreadable extends Error {
  constructor(kind, detail = "") {
    super(detail || kind);
    this.kind = kind;
  }
}

const named = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
const plain = (s) => s.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex, figure, name) => {
  const code = hex ? parseInt(hex, 16) : Number(figure);
  return name ? (Object.hasOwn(named, name) ? named[name] : all) : code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
});
const attributes = (text) => Object.fromEntries([...text.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, name, a, b]) => [name, plain(a ?? b)]));

// A comment or a text as it is (CDATA) that is cut off must not be taken for a declaration; a name ends where its signs end, so that no
// shorter one is tried.
const token = /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<(?:\?|!(?!--|\[CDATA\[))[^>]*>|<(\/?)(?:[\w.-]+:)?([\w.-]+)(?![\w.-])((?:[^>"']|"[^"]*"|'[^']*')*?)(\/?)>|([^<]+)/y;

// each calls take with the tags and texts of an XML part, in order: {open, attributes}, {close} or {text}. A token that a part of the
// stream cuts off waits for the next. Names come without their prefix. A part that the workbook lacks has none.
async function each(book, name, take) {
  const entry = book.entries.get(name.toLowerCase()), decoder = new TextDecoder();
  if (!entry) return;
  let rest = "", at = 0;
  for await (const bytes of unpacked(entry)) {
    book.left -= bytes.length;
    if (book.left < 0) throw new Unreadable("too_large");
    rest = rest.slice(at) + decoder.decode(bytes, { stream: true });
    at = 0;
    const end = rest.lastIndexOf("<"); // whatever begins before the last tag is whole
    for (;;) {
      token.lastIndex = at;
      const m = at < end ? token.exec(rest) : null;
      if (!m || (m[6] === undefined && m.index + m[0].length > end)) break;
      at = token.lastIndex;
      say(m, take);
    }
    if (rest.length - at > mostToken) throw new Unreadable("damaged");
  }
  rest = rest.slice(at) + decoder.decode();
  for (at = 0; at < rest.length; at = token.lastIndex) {
    token.lastIndex = at;
    const m = token.exec(rest);
    if (!m) throw new Unreadable("damaged");
    say(m, take);
  }
}

function say([, cdata, slash, name, more, empty, text], take) {
  if (text !== undefined) take({ text: plain(text) });
  else if (cdata !== undefined) take({ text: cdata });
  else if (name && slash) take({ close: name });
  else if (name) {
    take({ open: name, attributes: attributes(more) });
    if (empty) take({ close: name });
  }
}

// sharedTexts are the texts that cells share: of each the runs joined, without what says how to read it aloud.
async function sharedTexts(book) {
  const list = [];
  let text = null, within = false, aloud = false;
  await each(book, "xl/sharedstrings.xml", (e) => {
    if (e.open === "si") text = "";
    else if (e.open === "t") within = true;
    else if (e.open === "rPh") aloud = true;
    else if (e.close === "rPh") aloud = false;
    else if (e.close === "t") within = false;
    else if (e.close === "si") list.push(text.slice(0, mostText));
    else if (e.text && within && !aloud && text !== null) text += e.text;
  });
  return list;
}

// showsDate says whether a format of numbers shows a date; days and years are T and J in German ones.
const showsDate = (code) => /[ydtj]/i.test(code.replace(/\\.|"[^"]*"|\[[^\]]*\]/g, ""));

async function dateStyles(book) {
  const own = new Map(), list = [];
  let cells = false;
  await each(book, "xl/styles.xml", (e) => {
    if (e.open === "numFmt") own.set(e.attributes.numFmtId, showsDate(e.attributes.formatCode ?? ""));
    else if (e.open === "cellXfs") cells = true;
    else if (e.close === "cellXfs") cells = false;
    else if (e.open === "xf" && cells) { const id = e.attributes.numFmtId, n = Number(id); list.push(own.get(id) ?? ((n >= 14 && n <= 17) || n === 22)); }
  });
  return list;
}

async function firstSheet(book) {
  let id = null, date1904 = false, target = "worksheets/sheet1.xml";
  await each(book, "xl/workbook.xml", (e) => {
    if (e.open === "workbookPr") date1904 = /^(1|true)$/.test(e.attributes.date1904 ?? "");
    if (e.open === "sheet") id ??= Object.entries(e.attributes).find(([n]) => /:id$/.test(n))?.[1] ?? "";
  });
  if (id === null) throw new Unreadable("no_workbook");
  await each(book, "xl/_rels/workbook.xml.rels", (e) => { if (e.open === "Relationship" && e.attributes.Id === id) target = e.attributes.Target; });
  const path = target.startsWith("/") ? target.slice(1) : new URL(target, "file:///xl/").pathname.slice(1);
  return { path, base: Date.UTC(date1904 ? 1904 : 1899, date1904 ? 0 : 11, date1904 ? 1 : 30) };
}

/** columnOf is the place of a cell's reference: 0 of "A7", 26 of "AA1". */
export const columnOf = (reference) => [.../^[A-Z]+/i.exec(reference)?.[0].toUpperCase() ?? ""].reduce((n, c) => n * 26 + c.charCodeAt(0) - 64, 0) - 1;

/** read gives the rows of the first sheet, at most `most`. */
export async function read(bytes, most, left = mostUnpacked) {
  let entries;
  try { entries = entriesOf(bytes); } catch (e) { throw new Unreadable("no_workbook", e.message); }
  const book = { entries, left };
  try {
    const { path, base } = await firstSheet(book), texts = await sharedTexts(book), dates = await dateStyles(book);
    if (!entries.has(path.toLowerCase())) throw new Unreadable("damaged");
    return await rowsOf(book, path, { texts, dates, base, most });
  } catch (e) {
    throw e instanceof Unreadable ? e : new Unreadable("damaged", e.message);
  }
}

async function rowsOf(book, path, known) {
  const rows = [];
  let at = -1, cell = null, field = "";
  await each(book, path, (e) => {
    if (e.open === "row") {
      at = e.attributes.r ? Number(e.attributes.r) - 1 : at + 1;
      if (!Number.isInteger(at) || at < rows.length - 1) throw new Unreadable("damaged");
    } else if (e.open === "c") cell = { ...e.attributes, v: null, is: null };
    else if (e.open === "v" || e.open === "t") field = e.open === "v" ? "v" : "is";
    else if (e.close === "v" || e.close === "t") field = "";
    else if (e.text !== undefined && cell && field) cell[field] = (cell[field] ?? "") + e.text;
    else if (e.close === "c" && cell) {
      put(rows, at, cell, known);
      cell = null;
    }
  });
  return rows;
}

function put(rows, at, cell, book) {
  const value = meant(cell, book);
  if (value === "") return;
  if (at < 0) throw new Unreadable("damaged");
  if (at >= book.most) throw new Unreadable("rows"); // rows that are only formatted are no rows
  while (rows.length <= at) rows.push([]);
  const row = rows[at], to = cell.r ? columnOf(cell.r) : row.length;
  if (to < row.length || to >= mostColumns) throw new Unreadable("damaged");
  while (row.length < to) row.push("");
  row.push(value);
}

function meant({ t: kind = "n", s: style, v, is }, { texts, dates, base }) {
  if (is !== null) return is.slice(0, mostText);
  if (v === null) return "";
  if (kind === "s") {
    if (texts[Number(v)] === undefined) throw new Unreadable("damaged");
    return texts[Number(v)];
  }
  if (kind === "b") return v === "1" ? "true" : "false";
  const n = Number(v);
  if (kind !== "n" || v.trim() === "" || !Number.isFinite(n)) return v.slice(0, mostText); // the result of a formula, a date, an error
  if (!dates[Number(style)] || n < 0 || n >= 2_958_466) return n;
  const text = new Date(base + Math.round(n * 86_400) * 1000).toISOString();
  return n === Math.trunc(n) ? text.slice(0, 10) : text.slice(0, 19);
}

const nameOf = (i) => (i < 26 ? "" : nameOf(Math.floor(i / 26) - 1)) + String.fromCharCode(65 + (i % 26));
// escaped leaves out what XML cannot hold.
const escaped = (text) => text.slice(0, mostText).replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const media = "application/vnd.openxmlformats-officedocument.spreadsheetml", relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships", head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** write is rows of texts and numbers as a workbook of one sheet; the first row stays in sight and is bold. */
export function write(rows, sheet = "Mappe") {
  const cell = (v, i, r) => {
    if (v === "" || v === null || v === undefined) return "";
    const at = `r="${nameOf(i)}${r}"${r === 1 ? ' s="1"' : ""}`;
    return typeof v === "number" && Number.isFinite(v) ? `<c ${at}><v>${v}</v></c>` : `<c ${at} t="inlineStr"><is><t xml:space="preserve">${escaped(String(v))}</t></is></c>`;
  };
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"', blob = (...parts) => new Blob([head, ...parts]);
  return zipped([
    ["[Content_Types].xml", blob(`<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${media}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${media}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${media}.styles+xml"/></Types>`)],
    ["_rels/.rels", blob(`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`)],
    ["xl/workbook.xml", blob(`<workbook ${main} xmlns:r="${relations}"><sheets><sheet name="${escaped(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`)],
    ["xl/_rels/workbook.xml.rels", blob(`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/styles" Target="styles.xml"/></Relationships>`)],
    ["xl/styles.xml", blob(`<styleSheet ${main}><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/></cellXfs></styleSheet>`)],
    ["xl/worksheets/sheet1.xml", blob(`<worksheet ${main}><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`, ...rows.map((row, r) => `<row r="${r + 1}">${row.map((v, i) => cell(v, i, r + 1)).join("")}</row>`), "</sheetData></worksheet>")],
  ], `${media}.sheet`);
}
