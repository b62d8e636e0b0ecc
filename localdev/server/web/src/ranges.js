// An archive of tiles read in few requests: what is wanted within a moment and lies side by side is one request, and what stands in
// its beginning is asked for once. Tiles of a view lie near each other in an archive; a request costs more than the bytes between two.
import { FetchSource } from "pmtiles";

const moment = 4; // ms that a wanted part waits for others
const gap = 8 << 10; // bytes between two parts that are rather read than asked around
const most = 256 << 10; // bytes of one request for several: of more, what is first in it would come late

/** joined puts wanted parts, {offset, length}, into groups that are one request each, in the order of their places. */
export function joined(parts) {
  const groups = [];
  for (const p of [...parts].sort((a, b) => a.offset - b.offset)) {
    const last = groups.at(-1), end = Math.max(last?.end ?? 0, p.offset + p.length);
    if (last && p.offset - last.end <= gap && end - last.offset <= most) {
      last.parts.push(p);
      last.end = end;
    } else groups.push({ offset: p.offset, end: p.offset + p.length, parts: [p] });
  }
  return groups;
}

/** arriving reads ranges of an address. Where arrived is given it is told, while the rest is on its way, of the bytes that are there. */
export const arriving = (url, whole = new FetchSource(url)) => async (offset, length, signal, arrived) => {
  if (!arrived) return whole.getBytes(offset, length, signal);
  const reply = await fetch(url, { signal, headers: { range: `bytes=${offset}-${offset + length - 1}` } });
  if (reply.status !== 206) {
    await reply.body?.cancel();
    return whole.getBytes(offset, length, signal); // which says what is wrong
  }
  const bytes = new Uint8Array(length), body = reply.body.getReader();
  let n = 0;
  for (let part = await body.read(); !part.done; part = await body.read()) {
    if (n + part.value.length > length) throw new Error(`more than ${length} bytes of a range`);
    bytes.set(part.value, n);
    n += part.value.length;
    arrived(bytes.buffer, n);
  }
  return { data: bytes.buffer.slice(0, n) };
};

const header = 127; // bytes of an archive's header; the place and the length of its directory stand in bytes 8 to 24

/** Ranges is a source of PMTiles. read(offset, length, signal, arrived) gives {data} as arriving() does; it is a request of the archive's
 * address. So many bytes at the front are asked for first; a directory that reaches beyond them is completed. */
export class Ranges {
  constructor(url, { read, front = Infinity } = {}) {
    this.url = url;
    this.read = read ?? arriving(url);
    this.first = Math.round(Math.max(header, front));
    this.front = null; // the first bytes, once they were asked for
    this.wanted = [];
    this.ahead = null; // by place, what is asked for before it is wanted: see before()
  }

  /** before has what reads reads of the archive now kept: a tile that is drawn larger than it is is wanted once for each part of it. */
  async before(reads) {
    this.ahead ??= new Map();
    this.keeping = true;
    try { await reads(); } finally { this.keeping = false; }
  }

  getKey() { return this.url; }

  async getBytes(offset, length, signal) {
    const place = `${offset} ${length}`, known = this.ahead?.get(place);
    if (known) { // each gets bytes of its own; what failed before is asked for again
      return known.then((got) => ({ ...got, data: got.data.slice(0) }), () => this.part(offset, length, signal));
    }
    const got = this.part(offset, length, signal);
    if (this.keeping && offset > 0) {
      this.ahead.set(place, got);
      got.catch(() => this.ahead.delete(place));
    }
    return got;
  }

  async part(offset, length, signal) {
    if (offset === 0) {
      this.front ??= this.beginning(length).catch((e) => { this.front = null; throw e; });
      const got = await this.front;
      return length >= got.data.byteLength ? got : { ...got, data: got.data.slice(0, length) };
    }
    const front = await this.front;
    if (front && offset + length <= front.data.byteLength) return { ...front, data: front.data.slice(offset, offset + length) };
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      if (!this.wanted.length) setTimeout(() => this.ask(), moment);
      this.wanted.push({ offset, length, signal, resolve, reject });
    });
  }

  // beginning reads the header and the directory, of at most so many bytes.
  async beginning(length) {
    const got = await this.read(0, Math.min(length, this.first)), had = got.data.byteLength;
    if (had < header || had < this.first) return got; // the archive ends here
    const view = new DataView(got.data), end = Math.min(length, Number(view.getBigUint64(8, true) + view.getBigUint64(16, true)));
    if (end <= had) return got;
    const rest = await this.read(had, end - had), whole = new Uint8Array(had + rest.data.byteLength);
    whole.set(new Uint8Array(got.data));
    whole.set(new Uint8Array(rest.data), had);
    return { ...got, data: whole.buffer };
  }

  ask() {
    const parts = this.wanted.filter((p) => !p.signal?.aborted);
    for (const p of this.wanted) if (p.signal?.aborted) p.reject(p.signal.reason);
    this.wanted = [];
    for (const group of joined(parts)) this.one(group);
  }

  // A request for several goes on when one of them is no longer wanted, and ends with the last.
  async one({ offset, end, parts }) {
    const stop = new AbortController();
    let left = parts.length;
    for (const p of parts) {
      p.signal?.addEventListener("abort", () => {
        p.reject(p.signal.reason);
        if (--left === 0) stop.abort(p.signal.reason);
      });
    }
    // Of several each is there with its last byte, not with that of the others.
    const give = (got, n) => {
      for (const p of parts.filter((p) => !p.given && p.offset + p.length - offset <= n)) {
        p.given = true;
        p.resolve({ ...got, data: got.data.slice(p.offset - offset, p.offset - offset + p.length) });
      }
    };
    try {
      const got = await this.read(offset, end - offset, stop.signal, parts.length > 1 ? (data, n) => give({ data }, n) : undefined);
      give(got, Infinity);
    } catch (e) {
      for (const p of parts) p.reject(e);
    }
  }
}
