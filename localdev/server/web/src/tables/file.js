// A file that a reader drops as a table: its form is told by its bytes, not by its name, and what is no table is refused in a sentence.
import { number } from "../dom.js";
import { t } from "../words.js";
import { parse, textOf } from "./csv.js";
import { read, Unreadable } from "./xlsx.js";

export const mostRows = 10_000;
const mostBytes = 64 << 20, mostColumns = 1024;

const encrypted = [..."EncryptedPackage"].join("\0"); // the name of a locked workbook's part, in UTF-16
const starts = (bytes, ...signs) => signs.every((c, i) => bytes[i] === c);
const listed = () => t("A table is a CSV file or an Excel workbook (.xlsx) with the names of its columns in the first row.");

// foreign says what a file is that is no table, "" where it may be one.
function foreign(bytes) {
  if (starts(bytes, 0xd0, 0xcf, 0x11, 0xe0)) return new TextDecoder("latin1").decode(bytes).includes(encrypted) ? t("This workbook is locked by a password: save it without one.") : t("This is a workbook of an old form (.xls): open it in a spreadsheet program and save it as .xlsx or CSV.");
  if (starts(bytes, 0x25, 0x50, 0x44, 0x46)) return t("This is a PDF: save the table that it was made of as .xlsx or CSV.");
  const first = new TextDecoder().decode(bytes.subarray(0, 256)).trimStart()[0] ?? "";
  if (first === "{" || first === "[") return t("This is JSON and no table; a map in GeoJSON is dropped on the map page.");
  if (first === "<") return t("This is XML or a page and no table.");
  const wide = starts(bytes, 0xff, 0xfe) || starts(bytes, 0xfe, 0xff), archive = starts(bytes, 0x50, 0x4b);
  return !wide && !archive && bytes.subarray(0, 4096).includes(0) ? t("This is no table.") : "";
}

const tooLong = (n, more) => t(more ? "The table has more than {most} rows, which is the most that is read at a time: cut it into parts." : "The table has {n} rows; at most {most} are read at a time: cut it into parts.", { n: number(n), most: number(mostRows) });

async function bookOf(bytes) {
  try {
    return await read(bytes, mostRows + 1);
  } catch (e) {
    if (!(e instanceof Unreadable)) throw e;
    const of = { rows: () => tooLong(0, true), too_large: () => t("The workbook is too large when it is unpacked: save its table alone, as CSV."), no_workbook: () => `${t("This archive is no Excel workbook.")} ${listed()}`, damaged: () => t("The workbook is damaged: open it in a spreadsheet program and save it again.") };
    throw new Error(of[e.kind]());
  }
}

/** tableOf reads a file: {name, form, separator, head, rows}; an Error says in a sentence why it cannot. */
export async function tableOf(file) {
  if (file.size === 0) throw new Error(t("The file is empty."));
  if (file.size > mostBytes) throw new Error(t("The file has {n} MB: a table of {most} rows has a few, and at most {mb} MB are read.", { n: number(file.size / (1 << 20)), most: number(mostRows), mb: number(mostBytes >> 20) }));
  const bytes = new Uint8Array(await file.arrayBuffer()), said = foreign(bytes);
  if (said) throw new Error(`${said} ${listed()}`);
  const table = { name: file.name, form: "xlsx", separator: "," };
  let rows;
  if (starts(bytes, 0x50, 0x4b)) rows = await bookOf(bytes);
  else {
    const text = textOf(bytes), found = parse(text, mostRows + 1);
    if (found.more) throw new Error(tooLong(text.split(/\r\n?|\n/).filter(Boolean).length - 1));
    rows = found.rows;
    Object.assign(table, { form: "csv", separator: found.separator });
  }
  return { ...table, ...shaped(rows, table.form) };
}

// shaped parts the header from the rows below it.
function shaped(rows, form) {
  while (rows.length && rows.at(-1).every((c) => c === "")) rows.pop();
  const [head, ...below] = rows;
  if (!head) throw new Error(form === "csv" ? t("The file is empty.") : t("The first sheet is empty."));
  if (!below.length) throw new Error(`${t("The table has no rows below its header.")} ${listed()}`);
  const names = head.map((c) => String(c).trim()), at = below.findIndex((r) => r.length > names.length && r.slice(names.length).some((c) => c !== ""));
  if (names.length > mostColumns) throw new Error(t("The table has {n} columns, at most {most} are read.", { n: number(names.length), most: number(mostColumns) }));
  if (at >= 0) throw new Error(t("Row {n} has {cells} cells, the header {head}: the first row must name every column.", { n: number(at + 2), cells: number(below[at].length), head: number(names.length) }));
  return { head: names, rows: below };
}
