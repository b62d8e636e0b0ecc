// CSV as spreadsheets write and read it: cells parted by commas, semicolons or tabs; UTF-8, UTF-16 with its mark, or Windows-1252.

/** textOf is the text of a file's bytes; what is neither UTF-8 nor UTF-16 was written by an old spreadsheet in Windows-1252. */
export function textOf(bytes) {
  const mark = bytes.length > 1 ? (bytes[0] << 8) | bytes[1] : 0;
  if (mark === 0xfffe) return new TextDecoder("utf-16le").decode(bytes);
  if (mark === 0xfeff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** separatorOf is what parts the cells of a header line. */
export const separatorOf = (line) => [";", "\t"].find((c) => line.includes(c)) ?? ",";

// hinted is a text without its first line "sep=;", by which spreadsheets tell each other the separator, and what that line says.
function hinted(text) {
  const [line, said] = /^"?sep=([;,\t])"?(?:\r\n?|\n)/i.exec(text) ?? ["", ""];
  return [text.slice(line.length), said];
}

/** parse reads rows of texts, at most `most`: {rows, separator, more}; more says that there are others behind them. Rows of empty cells
 * alone are rows only between others: spreadsheets save what was only formatted too. */
export function parse(text, most) {
  const [s, said] = hinted(text.replace(/^[\ufeff\s]+/, (blank) => (/\t[^\S\t]*$/.test(blank) ? "\t" : ""))), end = s.search(/[\r\n]/), separator = said || separatorOf(end < 0 ? s : s.slice(0, end)), rows = [];
  let at = 0, blank = 0;
  while (at < s.length) {
    const row = [];
    for (;;) {
      let cell;
      [cell, at] = s[at] === '"' ? quoted(s, at, separator) : plain(s, at, separator);
      row.push(cell);
      if (s[at] !== separator) break;
      at++;
    }
    if (s[at] === "\r") at++;
    if (s[at] === "\n") at++;
    if (row.every((c) => c === "")) blank += rows.length && row.length > 1 ? 1 : 0;
    else {
      if (rows.length + blank >= most) return { rows, separator, more: true };
      for (; blank > 0; blank--) rows.push([]);
      rows.push(row);
    }
  }
  return { rows, separator, more: false };
}

function plain(s, from, separator) {
  let at = from;
  while (at < s.length && s[at] !== separator && s[at] !== "\n" && s[at] !== "\r") at++;
  return [s.slice(from, at).trim(), at];
}

// quoted is a cell between quotes; a quote within is doubled. What stands behind the closing one up to the separator is kept.
function quoted(s, from, separator) {
  let text = "", at = from + 1;
  for (;;) {
    const end = s.indexOf('"', at);
    if (end < 0) return [text + s.slice(at), s.length];
    text += s.slice(at, end);
    at = end + 1;
    if (s[at] !== '"') break;
    text += '"';
    at++;
  }
  const [rest, next] = plain(s, at, separator);
  return [text + rest, next];
}

const numeric = /^[+-]?[0-9]+([.,][0-9]+)?$/;

// guarded is a text that no spreadsheet takes for a formula.
const guarded = (text) => (/^[=+\-@\t\r]/.test(text) && !numeric.test(text) ? `'${text}` : text);

/** write is rows of texts and numbers as a file: UTF-8 with its mark, lines ended by CR LF, decimal commas beside semicolons. */
export function write(rows, separator = ",") {
  const unsafe = new RegExp(`["\\r\\n${separator}]`), cell = (v) => {
    const text = typeof v === "number" ? (separator === ";" ? String(v).replace(".", ",") : String(v)) : guarded(v ?? "");
    return unsafe.test(text) || /^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return new Blob(["\ufeff", ...rows.map((r) => `${r.map(cell).join(separator)}\r\n`)], { type: "text/csv;charset=utf-8" });
}
