// The page's address: what is written is read, nonsense is passed over, and the history gets an entry for what a reader does.
import assert from "node:assert/strict";
import { test } from "node:test";
import { addressBar, written } from "../src/address.js";
import { parcelIn, read, viewIn, viewText } from "../src/view.js";
import { inLanguage, languageOf } from "../src/words.js";

test("members are read as they were written", () => {
  const members = { map: "15.2/47.32/13.2274", on: "natura2000,cells", find: "landuse:48;min_area:100", area: "AbC-_9.x~y", task: "task-a1", empty: "" };
  const text = written(members);
  assert.equal(text, "#map=15.2/47.32/13.2274&on=natura2000,cells&find=landuse:48;min_area:100&area=AbC-_9.x~y&task=task-a1");
  const { empty, ...rest } = members;
  assert.deepEqual(read(text), rest);
  assert.deepEqual(read(written({ a: "x&y=z #ä%" })), { a: "x&y=z #ä%" });
  assert.equal(written({}), "");
});

test("nonsense in an address is no error", () => {
  for (const hash of ["", "#", "#&&&", "#=", "#%", "#%E0%A4%A", "#map", "#map=1&map=2", "#" + "a=b&".repeat(10_000), "#__proto__=1&constructor=2"]) assert.equal(typeof read(hash), "object", hash);
  assert.deepEqual(read("#map=1&map=2"), { map: "1" });
  for (const bad of [undefined, "", "15", "15/47", "a/b/c", "99/47/13", "15/99/13", "15/47/999", "15/47/13/1", "NaN/47/13", "-3/47/13"]) assert.equal(viewIn(bad), null, bad);
  assert.deepEqual(viewIn("15.25/47.32/-13.2274"), { zoom: 15.25, center: [-13.2274, 47.32] });
  assert.equal(viewText({ zoom: 15.2512, center: [13.22741, 47.3] }), "15.25/47.30000/13.22741");
});

test("the history", () => {
  const entries = [], location = { pathname: "/map", search: "", hash: "#map=1/2/3" }, heard = [];
  const put = (kind) => (state, title, url) => {
    entries.push(`${kind} ${url}`);
    const [path, hash] = url.split("#");
    Object.assign(location, { pathname: path, hash: hash ? `#${hash}` : "" });
  };
  let popped;
  const bar = addressBar({ location, history: { pushState: put("push"), replaceState: put("replace") }, window: { addEventListener: (name, then) => { popped = then; } } });
  bar.hear((now, before) => heard.push([now, before]));
  bar.set({ map: "4/5/6" });
  bar.set({ map: "4/5/6" });
  bar.set({ on: "cells" }, { push: true });
  bar.set({ on: "cells" }, { push: true });
  bar.go("/p/09901-1", { change: { at: "1,2" } });
  bar.go("/p/09901-1", { change: { at: "" } });
  bar.set({ on: "" }, { push: true });
  assert.deepEqual(entries, ["replace /map#map=4/5/6", "push /map#map=4/5/6&on=cells", "push /p/09901-1#map=4/5/6&on=cells&at=1,2", "push /p/09901-1#map=4/5/6&on=cells", "push /p/09901-1#map=4/5/6"]);
  location.hash = "#map=4/5/6&on=cells";
  popped();
  assert.deepEqual(heard, [[{ map: "4/5/6", on: "cells" }, { map: "4/5/6", on: "", at: "" }]]);
  assert.equal(bar.get("on"), "cells");
});

test("the language of the address stays in it, wherever the page goes", () => {
  const location = { pathname: "/map", search: "?compare=99101&lang=de", hash: "" }, urls = [];
  const put = (_state, _title, url) => { urls.push(url); const u = new URL(url, "http://a"); Object.assign(location, { pathname: u.pathname, search: u.search, hash: u.hash }); };
  const bar = addressBar({ location, history: { pushState: put, replaceState: put }, window: { addEventListener() {} } });
  bar.go("/p/99101-1", { change: { map: "1/2/3" } });
  bar.go("/map?compare=99102&from=2026-01-01");
  bar.set({ map: "4/5/6" });
  assert.deepEqual(urls, ["/p/99101-1?lang=de#map=1/2/3", "/map?compare=99102&from=2026-01-01&lang=de#map=1/2/3", "/map?compare=99102&from=2026-01-01&lang=de#map=4/5/6"]);
  const n = urls.length;
  bar.go("/map?compare=99102&from=2026-01-01");
  assert.equal(urls.length, n, "what is shown already is no new entry");
  assert.equal(inLanguage("/tables?a=1#b", "en"), "/tables?a=1&lang=en#b");
  assert.equal(inLanguage("/tables?lang=de", "en"), "/tables?lang=en");
  assert.deepEqual(["?lang=de", "?lang=EN", "?lang=fr", "", "?lang=en&x=1"].map(languageOf), ["de", "", "", "", "en"]);
});

test("the path of a parcel's page names it, whatever is written there", () => {
  for (const [path, id] of [["/p/09901-.45", "09901-.45"], ["/p/09901-12%2F3", "09901-12/3"], ["/p/09901-12/3", "09901-12/3"], ["/p/%FF", "%FF"], ["/p/%", "%"], ["/p/", null], ["/map", null], ["/", null]]) assert.equal(parcelIn(path), id, path);
});
