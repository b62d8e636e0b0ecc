// Tables without a page: their files, their columns, what a row asks for, and how a server is asked.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { client, pauseOf, Refused } from "../src/tables/client.js";
import { recognised, usable } from "../src/tables/columns.js";
import { parse, textOf, write as writeCSV } from "../src/tables/csv.js";
import { mostRows, tableOf } from "../src/tables/file.js";
import { inside, lookup } from "../src/tables/lookup.js";
import { asked, joined, systemsOf } from "../src/tables/rows.js";
import { columnOf, read, write as writeXLSX } from "../src/tables/xlsx.js";
import { zipped } from "../src/tables/zip.js";

const bytes = async (blob) => new Uint8Array(await blob.arrayBuffer());
const file = (name, ...parts) => new File(parts, name);
const reads = (f) => tableOf(f).then((t) => t, (e) => e.message);

// wide is an archive of zipped() as a streaming writer ends it: sizes and places in fields of 64 bits, the end record of that form.
function wide(bytes) {
  const v = new DataView(bytes.buffer), end = bytes.length - 22, count = v.getUint16(end + 10, true), directory = [];
  let at = v.getUint32(end + 16, true);
  const from = at, record = (...fields) => { const d = new DataView(new ArrayBuffer(fields.reduce((n, [size]) => n + size, 0))); let o = 0; for (const [size, value] of fields) { d[{ 2: "setUint16", 4: "setUint32", 8: "setBigUint64" }[size]](o, size === 8 ? BigInt(value) : value, true); o += size; } return new Uint8Array(d.buffer); };
  for (let i = 0; i < count; i++) {
    const length = v.getUint16(at + 28, true), head = bytes.slice(at, at + 46 + length), h = new DataView(head.buffer), extra = record([2, 1], [2, 24], [8, h.getUint32(24, true)], [8, h.getUint32(20, true)], [8, h.getUint32(42, true)]);
    for (const o of [20, 24, 42]) h.setUint32(o, 0xffffffff, true);
    h.setUint16(30, extra.length, true);
    directory.push(...head, ...extra);
    at += 46 + length;
  }
  const tail = record([4, 0x06064b50], [8, 44], [2, 45], [2, 45], [4, 0], [4, 0], [8, count], [8, count], [8, directory.length], [8, from], [4, 0x07064b50], [4, 0], [8, from + directory.length], [4, 1], [4, 0x06054b50], [2, 0], [2, 0], [2, 0xffff], [2, 0xffff], [4, 0xffffffff], [4, 0xffffffff], [2, 0]);
  return Uint8Array.from([...bytes.slice(0, from), ...directory, ...tail]);
}

test("CSV as spreadsheets write it", async () => {
  for (const [text, want, separator] of [
    ["a,b\n1,2\n", [["a", "b"], ["1", "2"]], ","],
    ["\ufeffa;b\r\n1,5;2\r\n", [["a", "b"], ["1,5", "2"]], ";"],
    ["a\tb\n\t2", [["a", "b"], ["", "2"]], "\t"],
    ['a,b\n"x, ""y""\nz",2\n\n', [["a", "b"], ['x, "y"\nz', "2"]], ","],
    ['a,b\n"open,2', [["a", "b"], ["open,2"]], ","],
    ["sep=;\r\na,b;c\r\n1;2\r\n", [["a,b", "c"], ["1", "2"]], ";"],
    [`;\na;b\n;\n1;2\n${";\n".repeat(20)}`, [["a", "b"], [], ["1", "2"]], ";"], // rows that are only formatted
  ]) assert.deepEqual(parse(text, 10), { rows: want, separator, more: false }, text);
  assert.equal(parse("a\n1\n2\n3\n", 3).more, true);
  assert.equal(textOf(Uint8Array.of(0x53, 0x74, 0x72, 0x61, 0xdf, 0x65)), "Straße", "Windows-1252");
  assert.equal(textOf(Uint8Array.of(0xff, 0xfe, 0x61, 0, 0xdf, 0)).replace("\ufeff", ""), "aß", "UTF-16");
  const rows = [["a", "b"], ["x;\"y\"", 1.5], ["=1+1", "-3"], [" z", ""]];
  assert.equal(textOf(await bytes(writeCSV(rows, ";"))), "\ufeffa;b\r\n\"x;\"\"y\"\"\";1,5\r\n'=1+1;-3\r\n\" z\";\r\n".replace("\ufeff", ""));
  assert.deepEqual([...(await bytes(writeCSV(rows))).slice(0, 3)], [0xef, 0xbb, 0xbf]);
});

test("a workbook is read as it was written", async () => {
  const rows = [["Straße", "n"], ["a & <b> \"c\"", 1.5], ["", -2e-7], ["line\nend ", "007"], [], ["=1+1", 0]];
  assert.deepEqual(await read(await bytes(await writeXLSX(rows)), 10), [rows[0], rows[1], rows[2], rows[3], [], rows[5]]);
  assert.deepEqual(["A1", "Z9", "AA1", "XFD1048576"].map(columnOf), [0, 25, 26, 16383]);
  // The workbook of another writer: shared texts in runs, a date, a formula, rows and cells that are left out, a prefix.
  const parts = {
    "xl/workbook.xml": '<x:workbook xmlns:x="m" xmlns:r="r"><x:sheets><x:sheet name="S" r:id="rId7"/></x:sheets></x:workbook>',
    "xl/_rels/workbook.xml.rels": '<Relationships><Relationship Id="rId7" Target="/xl/worksheets/other.xml"/></Relationships>',
    "xl/sharedStrings.xml": "<sst><si><r><t>Am </t></r><r><t>Anger</t></r><rPh><t>aloud</t></rPh></si></sst>",
    "xl/styles.xml": '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-C07]TT.MM.JJJJ"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="14"/><xf numFmtId="20"/></cellXfs></styleSheet>',
    "xl/worksheets/other.xml": '<worksheet><!-- > --><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>q</t></is></c></row><row r="3"><c r="A3" t="s"><v>0</v></c><c r="C3" s="1"><v>45443</v></c><c r="D3" t="str"><f>1+1</f><v>2 &gt; 1</v></c></row><row r="20000"/></sheetData></worksheet>',
  };
  const book = async (more) => bytes(await zipped(Object.entries({ ...parts, ...more }).map(([name, text]) => [name, new Blob([text])])));
  assert.deepEqual(await read(await book(), 10), [["q"], [], ["Am Anger", "", "2024-05-31", "2 > 1"]]);
  const days = { "xl/worksheets/other.xml": '<worksheet><row><c s="2"><v>43981</v></c><c s="1"><v>43981.5</v></c><c s="3"><v>0.25</v></c></row></worksheet>' }, days1904 = { ...days, "xl/workbook.xml": parts["xl/workbook.xml"].replace("<x:sheets>", '<x:workbookPr date1904="1"/><x:sheets>') };
  assert.deepEqual([await read(await book(days), 9), await read(await book(days1904), 9)], [[["2020-05-30", "2020-05-30T12:00:00", 0.25]], [["2024-05-31", "2024-05-31T12:00:00", 0.25]]]);
  await assert.rejects(read(await book(), 2), { kind: "rows" });
  await assert.rejects(read(await book({ "xl/worksheets/other.xml": "<worksheet><row><c t='s'><v>9</v></c>" }), 9), { kind: "damaged" });
  await assert.rejects(read(await book({ "xl/worksheets/other.xml": `<worksheet>${" ".repeat(1 << 20)}</worksheet>` }), 9, 1 << 19), { kind: "too_large" });
  const sheet = (text) => book({ "xl/worksheets/other.xml": `<worksheet><row><c t="inlineStr"><is><t>q</t></is></c></row>${text}` }), noise = Array.from({ length: 40_000 }, (_, i) => (i * 7919) % 9973).join();
  assert.deepEqual(await read(await sheet(`<!-- ${noise} > <row><c><v>1</v></c></row> ${noise} --><row><c t="str"><v>&constructor;</v></c></row></worksheet>`), 10), [["q"], ["&constructor;"]], "a comment that is cut by the stream");
  const begun = process.cpuUsage(), took = () => { const { user, system } = process.cpuUsage(begun); return (user + system) / 1e6; }; // seconds of a processor: others use it too
  await assert.rejects(read(await sheet(`<${"a".repeat(200_000)}<`), 10), { kind: "damaged" }, "a tag without an end");
  await assert.rejects(read(await sheet(" ".repeat(16 << 20)), 10), { kind: "damaged" }, "a text longer than a cell");
  assert.ok(took() < 5, "in time that grows with the file");
  assert.deepEqual(await read(wide(await book()), 10), await read(await book(), 10), "ZIP64");
  const whole = await book();
  for (let n = 0; n < whole.length; n += 37) await read(whole.slice(0, n), 10).then(() => assert.fail(`${n} bytes of ${whole.length} are a workbook`), (e) => assert.ok(e.kind, String(e)));
});

test("what is no table is refused in a sentence", async () => {
  for (const [f, holds] of [
    [file("a.csv"), /empty/], [file("a.csv", "a,b\n"), /no rows/], [file("a.csv", "a\n1\n2,3\n"), /Row 3 has 2 cells/], [file("a.csv", '{"type":"FeatureCollection"}'), /JSON/],
    [file("a.xlsx", Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0, 0)), /\.xls\)/], [file("a.xlsx", Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0), [..."EncryptedPackage"].join("\0")), /password/], [file("a.csv", "%PDF-1.7"), /PDF/], [file("a.csv", "<html>"), /XML/], [file("a.csv", Uint8Array.of(65, 0, 1, 2)), /no table/],
    [file("a.xlsx", "PK\u0003\u0004 nothing"), /no Excel workbook/], [file("a.csv", "q\n", "x\n".repeat(100_000)), /100,000 rows; at most 10,000/],
    [file("a.xlsx", await writeXLSX([["q"], ...Array.from({ length: mostRows + 1 }, () => ["x"])])), /more than 10,000 rows/],
    [{ name: "a.csv", size: 200 << 20 }, /200 MB/],
  ]) assert.match(await reads(f), holds, f.name);
  const table = await tableOf(file("a.csv", "q\n", "x\n".repeat(mostRows)));
  assert.equal(table.rows.length, mostRows);
});

test("columns and rows are read as the command reads them", async () => {
  const german = recognised(["Straße", "Haus-Nr.", "PLZ", "Ort", "Anm."]);
  assert.deepEqual(german, { street: 0, house_number: 1, plz: 2, place: 3 });
  assert.ok(usable(german) && usable({ lon: 0, lat: 1 }) && !usable({ lon: 0 }) && !usable({ kg: 0, plz: 1 }));
  // The names are those of localdev/table.
  const go = await readFile(new URL("../../../table/columns.go", import.meta.url), "utf8"), names = [...go.matchAll(/\{(\w+), \[\]string\{([^}]+)\}\}/g)].flatMap(([, , list]) => list.match(/[a-z]+/g));
  assert.ok(names.length > 60);
  for (const n of names) assert.equal(Object.keys(recognised([n])).length, 1, n);
  const row = (cells, columns, system = "4326") => asked(cells, columns, system);
  assert.deepEqual(row(["Am Anger", "2", "5790", "Lorfach"], german), { address: "Am Anger 2, 5790 Lorfach" });
  assert.deepEqual(row(["Am Anger 2, 5790 Lorfach", "5790"], { address: 0, plz: 1 }), { address: "Am Anger 2, 5790 Lorfach" });
  assert.equal(row(["9901-.45"], { parcel_id: 0 }).parcel, "09901-.45");
  assert.equal(row([9901, "12/3"], { kg: 0, gnr: 1 }).parcel, "09901-12/3");
  assert.match(row(["9901", "x"], { kg: 0, gnr: 1 }).problem, /“x”/);
  assert.deepEqual(row(["13,25", 47.5], { lon: 0, lat: 1 }).at, [13.25, 47.5]);
  for (const [x, y, holds] of [[47.5, 13.25, /swapped/], ["a", 1, /“a”/], [400000, 400000, /system/], [2, 3, /not in Austria/]]) assert.match(row([x, y], { lon: 0, lat: 1 }).problem, holds);
  assert.match(row([""], { address: 0 }).problem, /no street/);
  assert.match(row(["ß".repeat(101)], { address: 0 }).problem, /200/);
  assert.equal(systemsOf([[13.2, 47.3]], { lon: 0, lat: 1 })[0], "4326");
  assert.deepEqual(systemsOf([[-160000, 260000]], { lon: 0, lat: 1 }), ["4326"], "no strip of the survey is as wide");
  assert.equal(systemsOf([[392000, 391000]], { lon: 0, lat: 1 }).includes("31287"), true);
  assert.deepEqual(joined(["q", "Lon"], [["x"]], [{ parcel: "1-1", lon: 13 }]).map((r) => r.slice(0, 3).concat(r.slice(-5, -4))), [["q", "Lon", "parcel_id", "mappe_lon"], ["x", "", "1-1", 13]]);
});

test("a server is asked again when it says so, and never for what it refuses", async () => {
  const replies = [new Response("{}", { status: 429, headers: { "Retry-After": "0" } }), new Response('{"a":1}')], notes = [], asks = [];
  const ask = client({ signal: new AbortController().signal, note: (n) => notes.push(n), fetch: async (path, { body }) => { asks.push([path, body]); return replies.shift(); } });
  assert.deepEqual(await ask("/x", { q: 1 }), { a: 1 });
  assert.deepEqual(asks, [["/x", '{"q":1}'], ["/x", '{"q":1}']]);
  assert.match(notes.join(), /^The server asks for a pause/);
  replies.push(new Response('{"error":"limit is too high"}', { status: 400 }));
  await assert.rejects(ask("/x", {}), { message: "limit is too high", status: 400 });
  let n = 0;
  const never = client({ signal: new AbortController().signal, note: () => {}, fetch: async () => new Response('{"error":"slow down"}', { status: ++n > 9 ? 400 : 429, headers: { "Retry-After": "0" } }) });
  await assert.rejects(never("/x", {}), { message: "slow down", status: 429 }, "not for ever");
  const of = (status, after) => pauseOf(new Response(null, { status, headers: after ? { "Retry-After": after } : {} }), Date.UTC(2026, 0, 1));
  assert.deepEqual([of(429), of(503), of(503, "7"), of(400), of(503, "Thu, 01 Jan 2026 00:00:09 GMT")], [2000, 0, 7000, 0, 9000]);
  const stop = new AbortController(), waiting = client({ signal: stop.signal, note: () => stop.abort(), fetch: async () => new Response("{}", { status: 429, headers: { "Retry-After": "60" } }) });
  await assert.rejects(waiting("/x", {}), { name: "AbortError" });
  const end = new AbortController(), away = client({ signal: end.signal, note: (n) => { notes.push(n); end.abort(); }, fetch: async () => { throw new TypeError("fetch failed"); } });
  await assert.rejects(away("/x", {}), { name: "AbortError" });
  assert.match(notes.at(-1), /^The server cannot be reached/);
});

test("what is not found says why, and a street's middle is no parcel", async () => {
  const square = [[[0, 0], [0, 2], [2, 2], [2, 0], [0, 0]], [[0.1, 0.1], [1.9, 0.1], [1.9, 1.9], [0.1, 1.9], [0.1, 0.1]]];
  const [x, y] = inside({ type: "Polygon", coordinates: square });
  assert.ok(x > 0 && x < 2 && y > 0 && y < 2 && !(x > 0.1 && x < 1.9 && y > 0.1 && y < 1.9), `${x} ${y}`);
  const answers = {
    "/cadastre/api/v1/search/address_osm": { data: [{ lon: 13, lat: 47, house_number_match: "exact", display_name: "A 1" }, { lon: null, suggestions: ["Am Anger 2"], upstream: "busy" }, { lon: 13, lat: 47, house_number_match: "street" }] },
    "/cadastre/api/v1/parcels/geometry/batch": { data: [{ parcel_id: "09901-1", geometry: { type: "Polygon", coordinates: square } }], meta: { not_found: ["09901-2"], pending_ids: ["09901-3"] } },
    "/cadastre/api/v1/spatial/points?overlays=true&wait=true": { 0: { matched: true, kg_code: "09901", kg_name: "U", gemeinde_code: "59901", gemeinde_name: "V", district_code: "599", district_name: "W", parcel: { parcel_id: "09901-9", area_sqm: 5, landuse_codes: "41,52", dominant_landuse: 52, in_natura2000: false } }, 3: { matched: true, parcel: { parcel_id: "09901-9" } }, 6: { matched: false } },
    "/context/api/v1/context?include=protected_area,osm": { data: [{ id: "0", protected_area: { sites: [{ name: "Moor", desig: "Naturschutzgebiet" }, { name: "Au" }] }, osm: { dist_road_m: 1.5, road_name: "Anger", dist_transit_m: null } }], meta: { license: { license: "ODbL 1.0", attribution: "A, B" } } },
    "/cadastre/api/v1/land_prices/batch": { data: [{ parcel_id: "09901-9", buy_eur_per_sqm: 3.5, class: "wald" }] },
  };
  const rows = [{ address: "A 1" }, { address: "B" }, { address: "C" }, { parcel: "09901-1", match: "parcel" }, { parcel: "09901-2", match: "parcel" }, { parcel: "09901-3", match: "parcel" }, { at: [13, 47], match: "coordinates" }, { problem: "no" }];
  const got = await lookup(async (path, { points }) => (points && !answers[path].data ? { results: points.map((p) => answers[path][p.id]) } : answers[path]), rows, { useName: (c) => `use ${c}`, note: assert.fail });
  assert.deepEqual([got[0].parcel, got[0].area, got[0].uses, got[0].perSqm, got[0].natura, got[0].reason], ["09901-9", 5, "use 52; use 41", 3.5, "none", ""]);
  assert.deepEqual([got[0].gemeinde, got[0].gemeindeName, got[0].district, got[0].districtName], ["59901", "V", "599", "W"]);
  assert.deepEqual([got[0].areas, got[0].road, got[0].roadName, got[0].transit, got[0].licence], ["Moor (Naturschutzgebiet); Au", 1.5, "Anger", "", "A, B; ODbL 1.0"]);
  assert.deepEqual(got.slice(1).map((r) => r.reason.split(" ").slice(0, 4).join(" ")), ["no such address is", "the address has no", "the parcel's area lies", "there is no parcel", "KG 09901 is not", "no parcel lies at", "no"]);
  for (const later of [true, false]) {
    const [r] = await lookup(async (path, { points }) => { if (points && !answers[path].data) return { results: [answers[path][0]] }; throw new Refused("slow down", 429, later); }, [{ at: [13, 47] }], { useName: String, note: () => {} });
    assert.deepEqual([r.parcel, r.perSqm, Boolean(r.again)], ["09901-9", undefined, later], "a price that was not given today");
    assert.deepEqual([r.area, r.areas, r.road], [5, undefined, undefined], "surroundings that were not given today");
  }
  assert.deepEqual(got.map((r) => Boolean(r.again)), [false, true, false, false, false, true, false, false]);
});
