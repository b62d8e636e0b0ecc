// What readers type, in the spellings of maps, land-register extracts and letters.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { fold, parse, score, splits } from "../src/query.js";
import { analyses, plain } from "../src/land/analyses.js";
import "../src/land/words.js";
import "../src/tables/words.js";
import "../src/download/words.js";
import "../src/kgs/words.js";
import { dictionary } from "../src/words.js";

const parcel = (text) => { const { kg, gnr } = parse(text); return kg && `${kg} ${gnr}`; };

test("a KG code and a parcel number in the usual spellings", () => {
  for (const text of ["09901-.45", "09901 .45", "9901 .45", "09901.45", "09901/.45", "09901, .45", "09901,.45", "KG 09901 .45", "kg09901 .45", "KG 09901 Gst .45", "KG 09901 Gst. Nr. .45", "KG 09901 GST-NR .45",
    ".45 KG 09901", ".45, KG 09901", "Gst .45 KG 09901", "GST-NR .45 KG 09901", "Grundstück .45, KG 09901", "KG 09901 Bfl. 45", "Bfl 45 KG 09901", "  09901   .45 ", "KG 09901: .45", "09901 Ullnau .45", ".45, KG 09901 Ullnau", "KG 09901 Ullnau, GST-NR .45"]) {
    assert.equal(parcel(text), "09901 .45", text);
  }
  for (const [text, want] of [["1004-123/4", "01004 123/4"], ["01004 123/4", "01004 123/4"], ["123/4 01004", "01004 123/4"], ["99999-1", "99999 1"], ["81113 7", "81113 7"], ["Parzelle 7, KG 81113 Innsbruck", "81113 7"], ["01004-.3/2", "01004 .3/2"]]) {
    assert.equal(parcel(text), want, text);
  }
});

test("a parcel number alone, a code alone, a name with a number", () => {
  assert.deepEqual(parse(".45"), { words: ".45", gnr: ".45" });
  assert.deepEqual(parse("45/2"), { words: "45/2", gnr: "45/2" });
  assert.deepEqual(parse("KG 09901"), { words: "KG 09901", digits: "09901" });
  assert.deepEqual(parse("5790"), { words: "5790", digits: "5790" });
  assert.deepEqual(parse("09901 Ullnau"), { words: "09901 Ullnau", digits: "09901" });
  assert.deepEqual(parse("Ullnau .45"), { words: "Ullnau .45", name: "Ullnau", gnr: ".45" });
  assert.deepEqual(parse("45/2, Lorfach Markt"), { words: "45/2, Lorfach Markt", name: "Lorfach Markt", gnr: "45/2" });
  assert.deepEqual(parse("Ullnau"), { words: "Ullnau" });
  assert.deepEqual(parse("Norden"), { words: "Norden" }, "a word that begins like an abbreviation");
  assert.deepEqual(parse("   "), { words: "" });
});

test("names are compared as people write them", () => {
  for (const [a, b] of [["Pfarrnöd", "pfarrnoed"], ["Pfarrnöd", "PFARRNOD"], ["Hauptstraße", "Hauptstr."], ["Hauptstraße", "hauptstrasse"], ["St. Pölten", "Sankt Poelten"], ["Dr.-Karl-Renner-Straße", "dr karl renner str"]]) assert.equal(fold(a), fold(b), `${a}, ${b}`);
  assert.ok(score(fold("Ullnau"), fold("ullnau")) > score(fold("Ullnau Ost"), fold("ullnau")));
  assert.ok(score(fold("Ullnau Ost"), fold("ost ull")) > 0);
  assert.equal(score(fold("Ullnau"), fold("Brennzach")), 0);
  assert.equal(score("x", ""), 0);
});

test("an address is read with its place before or after it", () => {
  const has = (text, want) => assert.ok(splits(text).some((s) => s.street === fold(want[0]) && s.house === want[1] && s.place === fold(want[2])), `${text}: ${JSON.stringify(splits(text))}`);
  has("Kirchweg 5, 5790 Lorfach", ["Kirchweg", "5", "Lorfach"]);
  has("Kirchweg 5a Lorfach Markt", ["Kirchweg", "5a", "Lorfach Markt"]);
  has("Lorfach, Kirchweg 5", ["Kirchweg", "5", "Lorfach"]);
  has("Lorfach Kirchweg", ["Kirchweg", "", "Lorfach"]);
  has("Kirchweg 12/3", ["Kirchweg", "12/3", ""]);
});

test("everything the page says in English it says in German too", async () => {
  const src = new URL("../src/", import.meta.url), said = new Set();
  for (const name of await readdir(src, { recursive: true })) {
    if (!/\.(js|html)$/.test(name)) continue;
    const text = await readFile(new URL(name, src), "utf8");
    if (name.endsWith(".js")) for (const m of text.matchAll(/\bt\("((?:[^"\\]|\\.)*)"/g)) said.add(m[1]);
    if (name.endsWith(".html")) {
      for (const m of text.matchAll(/<[a-z]+[^>]*\sdata-t(?:\s[^>]*)?>([^<]+)</g)) said.add(m[1]);
      for (const m of text.matchAll(/\s(?:aria-label|placeholder|title)="([^"]+)"/g)) said.add(m[1]);
    }
    if (["palette.js", "overlays.js", "land/analyses.js"].includes(name)) for (const m of text.matchAll(/name: "([^"]+)"/g)) said.add(m[1]);
    for (const m of text.matchAll(/\btitle: "([^"]+)"/g)) said.add(m[1]);
    for (const m of text.matchAll(/^const (?:titles|sources|methods|trust|factors) = \{([^}]+)\}/gm)) for (const v of m[1].matchAll(/: "([^"]+)"/g)) said.add(v[1]);
  }
  for (const a of analyses) {
    for (const text of [a.one, a.many]) said.add(text);
    for (const id of a.classes.flatMap((c) => c.types)) said.add(plain(id));
  }
  for (const name of [...analyses.flatMap((a) => a.parameters.map((p) => p.name))]) said.delete(name); // no texts
  assert.ok(said.size > 50, `${said.size} texts`);
  for (const text of said) {
    assert.ok(dictionary[text], `${text} has no German`);
    assert.deepEqual(dictionary[text].match(/\{\w+\}/g)?.sort(), text.match(/\{\w+\}/g)?.sort(), text);
  }
});
