// Reads the cells that Mappe publishes, from their written layout alone: containers of KGs, chunks of several KGs,
// the list of the country. It runs in browsers (with a bundler) and in Node.js 20 or newer.
import { init, decompress, decompressUsingDict, createDCtx } from "@bokuweb/zstd-wasm";

export const MAGIC = "NECELLS1";
export const LU_CLASSES = ["geb", "bau", "acker", "gruen", "wald", "wasser", "verkehr", "alpen", "sonst"];

const SIZES = { u8: 1, u16: 2, u32: 4, u64: 8 };
const MAX_HEADER = 1 << 22;

/** What every error of a container, chunk or list is. */
export class CellsError extends Error {}

const fail = (text) => {
  throw new CellsError(text);
};

let started;
/** Prepares the decompressor; the readers below call it themselves. */
export const ready = () => (started ??= Promise.resolve(init()));

const hex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");

/** SHA-256 in hexadecimal digits. */
export const sha256 = async (bytes) => hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));

/** The short sum by which chunks are compared: 16 digits of the SHA-256 of their rows. */
export const digest = async (rows) => (await sha256(rows)).slice(0, 16);

/** The name of a dictionary. */
export const dictId = async (dict) => (dict && dict.length ? digest(dict) : "");

/** How many bytes the front of a container takes; b are its first 12 bytes at least. */
export function frontLength(b) {
  if (b.length < 12 || String.fromCharCode(...b.subarray(0, 8)) !== MAGIC) fail(`it does not begin with ${MAGIC}`);
  const n = new DataView(b.buffer, b.byteOffset, b.byteLength).getUint32(8, true);
  if (n > MAX_HEADER) fail(`a header of ${n} bytes, at most ${MAX_HEADER}`);
  return 12 + n;
}

/** Reads the front of a container. chunks become objects with where their frames lie from the start of the file. */
export function readFront(b) {
  const start = frontLength(b);
  if (b.length < start) fail(`${b.length} bytes of a front of ${start}`);
  let header;
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(b.subarray(12, start)));
  } catch (e) {
    fail(`header: ${e.message}`);
  }
  if (header.format !== 1) fail(`format ${header.format}, this program reads 1`);
  let at = start;
  for (const s of header.sections) {
    if (start + s.offset !== at) fail(`section ${s.layer} begins at ${s.offset}, not at ${at - start}`);
    if (recordBytes(s.fields) !== s.record_bytes) fail(`section ${s.layer}: its fields are not ${s.record_bytes} bytes`);
    let rows = 0;
    s.chunks = s.chunks.map(([cell, n, bytes, sum]) => {
      const chunk = { cell, rows: n, offset: at, bytes, digest: sum };
      at += bytes;
      rows += n;
      return chunk;
    });
    if (rows !== s.rows || at !== start + s.offset + s.length) fail(`section ${s.layer}: its chunks are not what it says`);
  }
  return { ...header, start, end: at };
}

const recordBytes = (fields) => fields.reduce((n, f) => n + (SIZES[f.type] ?? fail(`type ${f.type}`)) * (f.count || 1), 0);

/** The zstd frames that bytes are made of, as views: [{bytes, content}], content is the unpacked length. */
export function frames(b) {
  const out = [];
  const v = new DataView(b.buffer, b.byteOffset, b.byteLength);
  for (let at = 0; at < b.length; ) {
    const from = at;
    if (at + 6 > b.length || v.getUint32(at, true) !== 0xfd2fb528) fail(`no frame at byte ${at}`);
    const d = b[at + 4];
    const single = (d >> 5) & 1;
    const dictBytes = [0, 1, 2, 4][d & 3];
    const sizeBytes = [single, 2, 4, 8][d >> 6];
    at += 5 + (1 - single) + dictBytes;
    if (at + sizeBytes > b.length) fail("a frame that is cut");
    let content = -1;
    if (sizeBytes === 1) content = b[at];
    if (sizeBytes === 2) content = v.getUint16(at, true) + 256;
    if (sizeBytes === 4) content = v.getUint32(at, true);
    if (sizeBytes === 8) content = Number(v.getBigUint64(at, true));
    at += sizeBytes;
    for (let last = false; !last; ) {
      if (at + 3 > b.length) fail("a frame that is cut");
      const h = b[at] | (b[at + 1] << 8) | (b[at + 2] << 16);
      last = (h & 1) === 1;
      at += 3 + (((h >> 1) & 3) === 1 ? 1 : h >> 3);
    }
    if ((d >> 2) & 1) at += 4;
    if (at > b.length) fail("a frame that is cut");
    out.push({ bytes: b.subarray(from, at), content });
  }
  return out;
}

/** Unpacks one frame; dict is undefined where the header names none. */
export async function unpack(frame, dict) {
  await ready();
  try {
    return dict && dict.length ? decompressUsingDict(createDCtx(), frame, dict) : decompress(frame);
  } catch (e) {
    throw new CellsError(`a frame cannot be unpacked: ${e.message ?? e}`);
  }
}

/** The rows of one chunk of a container, held to its digest. file holds the whole container or is (offset, length) => bytes. */
export async function readChunk(file, section, chunk, dict) {
  const bytes = typeof file === "function" ? await file(chunk.offset, chunk.bytes) : file.subarray(chunk.offset, chunk.offset + chunk.bytes);
  const rows = await unpack(bytes, dict);
  if (rows.length !== chunk.rows * section.record_bytes) fail(`chunk ${chunk.cell}: ${rows.length} bytes for ${chunk.rows} rows`);
  if ((await digest(rows)) !== chunk.digest) fail(`chunk ${chunk.cell}: its rows have another digest than the header says`);
  return rows;
}

/** A whole container: its header, and of each layer the columns of all its rows. */
export async function readContainer(file, dict) {
  const header = readFront(file);
  if (header.end !== file.length) fail(`${header.end} bytes, the file has ${file.length}`);
  if (header.dict && (await dictId(dict)) !== header.dict) fail(`it needs the dictionary ${header.dict}`);
  const layers = {};
  for (const s of header.sections) {
    const all = new Uint8Array(s.rows * s.record_bytes);
    let at = 0;
    for (const c of s.chunks) {
      const rows = await readChunk(file, s, c, header.dict ? dict : undefined);
      all.set(rows, at);
      at += rows.length;
    }
    if ((await sha256(all)) !== s.sha256) fail(`section ${s.layer}: its rows have another sum than the header says`);
    layers[s.layer] = columns(all, s.fields);
  }
  return { header, layers };
}

/**
 * Rows as columns: {rows, cell_id: ["8c…", …], kg_share: Uint8Array, …}. A field that is repeated becomes an array of
 * columns. Missing values are as in the bytes: 0xFF, 0xFFFF.
 */
export function columns(rows, fields) {
  const size = recordBytes(fields);
  if (rows.length % size !== 0) fail(`${rows.length} bytes are no rows of ${size}`);
  const n = rows.length / size;
  const v = new DataView(rows.buffer, rows.byteOffset, rows.byteLength);
  const out = { rows: n };
  let at = 0;
  for (const f of fields) {
    const list = [];
    for (let k = 0; k < (f.count || 1); k++) {
      list.push(column(v, n, size, at, f));
      at += SIZES[f.type];
    }
    out[f.name] = f.count ? list : list[0];
  }
  return out;
}

function column(v, n, size, at, f) {
  if (f.type === "u64") return Array.from({ length: n }, (_, i) => v.getBigUint64(i * size + at, true).toString(16));
  const out = new { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array }[f.type](n);
  for (let i = 0; i < n; i++) {
    out[i] = f.type === "u8" ? v.getUint8(i * size + at) : f.type === "u16" ? v.getUint16(i * size + at, true) : v.getUint32(i * size + at, true);
  }
  return out;
}

/** The fields of the two layers that the layout defines. */
export const FIELDS = {
  lu: [
    ["cell_id", "u64"], ["kg_share", "u8"], ["land", "u8"], ["cov", "u8"], ["flags", "u8"], ["lu", "u8", 9], ["str_cover", "u8"], ["str_n", "u16"],
    ["gk", "u8"], ["n_units", "u8"], ["edge_m_ha", "u16"], ["orient_coh", "u8"], ["orient_axis", "u8"],
  ].map(([name, type, count]) => (count ? { name, type, count } : { name, type })),
  bev: [
    ["cell_id", "u64"], ["n_units", "u16"], ["unit_p10", "u32"], ["unit_p50", "u32"], ["unit_p90", "u32"], ["reg_n", "u16"], ["units_per_reg", "u8"],
    ["str_n", "u16"], ["str_p50", "u16"],
  ].map(([name, type]) => ({ name, type })),
};

/**
 * The rows of a chunk in the form zstd: one frame for each KG. Border cells stand in several of them with equal bytes
 * but for kg_share; the one with the largest share is kept. Answers the bytes of the rows by rising cell.
 */
export async function readFrames(bytes, dict, fields = FIELDS.lu) {
  const size = recordBytes(fields);
  const kept = new Map();
  for (const f of frames(bytes)) {
    const rows = await unpack(f.bytes, dict);
    if (rows.length % size !== 0) fail(`${rows.length} bytes are no rows of ${size}`);
    const v = new DataView(rows.buffer, rows.byteOffset, rows.byteLength);
    for (let at = 0; at < rows.length; at += size) {
      const id = v.getBigUint64(at, true);
      const known = kept.get(id);
      if (!known || known[8] < rows[at + 8]) kept.set(id, rows.subarray(at, at + size));
    }
  }
  const ids = [...kept.keys()].sort((a, b) => (a < b ? -1 : 1));
  const out = new Uint8Array(ids.length * size);
  ids.forEach((id, i) => out.set(kept.get(id), i * size));
  return out;
}
