// Cells: the boxes a view asks for, sums that lose no area, colours.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellArea, cellToChildren, cellToLatLng, cellToParent, latLngToCell } from "h3-js";
import { boxesOf, changedIn, drawn, gained, inAll, inside, moves, one, rowsOf, split, stateAt, summed, tally, transitions, widened } from "../src/cellrows.js";
import { cellLayers, choices, colourOf } from "../src/cellstyle.js";
import { changedGround, classes, shares, statuses } from "../src/palette.js";

const area = (cell) => cellArea(cell, "m2");
const chunk = latLngToCell(47.33, 13.27, 9);

test("a view is asked for in as few boxes as the service answers, without gap or overlap", () => {
  const views = { street: [13.27, 47.33, 13.275, 47.333], town: [13.27, 47.33, 13.303, 47.345], wide: [13.2, 47.3, 13.27, 47.31], large: [13.2, 47.3, 13.264, 47.325] };
  const counts = Object.fromEntries(Object.entries(views).map(([name, v]) => [name, boxesOf(v).length]));
  assert.deepEqual(counts, { street: 1, town: 1, wide: 2, large: 3 });
  for (const view of Object.values(views)) {
    const boxes = boxesOf(view);
    assert.ok(Math.abs(boxes.reduce((s, [w, so, e, n]) => s + (e - w) * (n - so), 0) / ((view[2] - view[0]) * (view[3] - view[1])) - 1) < 1e-9);
    for (const b of boxes) {
      assert.ok(b[2] - b[0] <= 0.05 && b[3] - b[1] <= 0.05 && inside(b, view), `${b}`);
      const cells = ((b[2] - b[0]) * 111_320 * Math.cos((b[1] * Math.PI) / 180) * (b[3] - b[1]) * 111_320) / area(latLngToCell(b[1], b[0], 12));
      assert.ok(cells <= 16_384, `${cells} cells`);
    }
  }
  assert.equal(boxesOf([13, 47, 13.3, 47.1]), null, "six boxes");
  assert.equal(boxesOf([13, 47, 13.09, 47.09]), null, "four boxes of more cells than one may have");
  for (const nothing of [[13, 47, 13, 47.1], [NaN, 47, 13, 47]]) assert.equal(boxesOf(nothing), null);
  assert.ok(inside([1, 1, 2, 2], widened([1, 1, 2, 2], 0.1)) && !inside([1, 1, 2, 2], null) && !inside([0, 1, 2, 2], [1, 1, 2, 2]));
});

test("what is too large is asked for as the service divides it, once", async () => {
  const asked = [], large = Object.assign(new Error("too large"), { status: 413, split: [[0], [1], [2], [3]] });
  assert.deepEqual(await split("all", async (b) => { asked.push(b); if (b === "all") throw large; return b[0] * 2; }), [0, 2, 4, 6]);
  assert.deepEqual(asked, ["all", [0], [1], [2], [3]]);
  await assert.rejects(split("all", async () => { throw large; }), large, "a part that is too large again is an error");
  for (const other of [{ status: 500, split: [[0]] }, { status: 413 }, { status: 413, split: Array(5).fill([0]) }]) await assert.rejects(split("all", async () => { throw Object.assign(new Error("no"), other); }), /no/);
});

const columns = (cells, lu, more = {}) => ({ cell_id: cells, lu: classes.map((c) => cells.map((_, i) => lu(c.id, i))), land: cells.map(() => 255), cov: cells.map(() => 255), str_cover: cells.map(() => 51), str_n: cells.map((_, i) => i % 2), gk: cells.map(() => 0), edge_m_ha: cells.map(() => 100), ...more });

test("a larger cell has what its cells have: no area is lost", () => {
  const cells = cellToChildren(chunk, 12), ground = cells.reduce((s, c) => s + area(c), 0);
  assert.equal(cells.length, 343);
  const half = cells.map((_, i) => i < 100);
  const sum = summed(columns(cells, (id, i) => (id === (half[i] ? "wald" : "acker") ? 255 : 0), { gk: half.map((h) => (h ? 255 : 0)), cov: half.map((h) => (h ? 255 : 0)) }), area);
  const of = (id) => sum.uses[classes.findIndex((c) => c.id === id)];
  const close = (a, b) => assert.ok(Math.abs(a - b) <= 1e-6 * Math.abs(b), `${a} and ${b}`);
  close(sum.area, ground);
  close(sum.uses.reduce((a, b) => a + b, 0), ground);
  close(of("wald"), cells.slice(0, 100).reduce((s, c) => s + area(c), 0));
  close(sum.buildings.area, ground / 5);
  assert.equal(sum.buildings.n, 171);
  close(sum.edge, (100 * ground) / 10_000);
  close(sum.surveyed, sum.parcels);
  close(sum.parcels, of("wald"));
  // A single cell is the same sum, and the archive's numbers are in the same form.
  const [cell] = cells, alone = one(cell, { lu: classes.map((c) => (c.id === "bau" ? 102 : 0)), land: 102, cov: 255, str_cover: 51, str_n: 2, gk: 255, edge_m_ha: 7, n_units: 3, orient_coh: null }, area);
  close(alone.uses[1], 0.4 * area(cell));
  close(alone.buildings.area, 0.2 * area(cell));
  const far = drawn({ bau: 102, land: 102, cov: 255, str_cover: 51 }, 1000);
  assert.deepEqual([far.uses[1], far.uses[0], far.land, far.parcels, far.buildings, far.surveyed], [400, 0, 400, 1000, { n: null, area: 200 }, null]);
});

test("rows of several answers are one for each cell, and sum to a share of the view", () => {
  const [a, b, c] = cellToChildren(chunk, 12), t = (cells, wald) => columns(cells, (id, i) => (id === "wald" ? wald[i] : 0));
  const rows = rowsOf([t([a, b], [255, 0]), t([b, c], [0, 255]), undefined]);
  assert.deepEqual(rows.map((r) => [r.cell, r.wald, r.bau, r.str_cover]), [[a, 255, 0, 51], [b, 0, 0, 51], [c, 255, 0, 51]]);
  const { area: all, part } = inAll(rows, "wald", area);
  assert.ok(Math.abs(part / all - 2 / 3) < 0.01 && Math.abs(all - [a, b, c].reduce((s, x) => s + area(x), 0)) < 1e-9);
  assert.deepEqual(inAll([], "wald", area), { area: 0, part: 0 });
});

test("what changed is counted by status, from use to use, and no ground is lost", () => {
  const d = (o) => classes.map((c) => o[c.id] ?? 0);
  const earlier = { status: "confirmed", d_lu_m2: d({ gruen: -200, wald: 200 }) };
  const list = [{ status: "candidate", d_lu_m2: d({ acker: -300, bau: 200, verkehr: 100 }), earlier }, { status: "confirmed", d_lu_m2: d({ gruen: -50, wald: 50 }) }, { status: "candidate", d_lu_m2: d({ geb: 40 }) }, { status: "confirmed", d_lu_m2: d({}) }];
  const found = tally(list);
  assert.deepEqual(found.confirmed, { cells: 3, transitions_m2: { "gruen>wald": 250 } });
  assert.deepEqual(found.candidate, { cells: 2, transitions_m2: { "acker>bau": 200, "acker>verkehr": 100, "none>geb": 40 } });
  assert.deepEqual(list.map(gained), [300, 50, 40, 0]);
  assert.deepEqual(transitions(d({ wald: -10 })), [{ from: "wald", to: "none", area: 10 }]);
  assert.deepEqual(moves({ "a>b": 1, "c>d": 5, "a>c": 5 }).map((m) => `${m.from}${m.to}${m.area}`), ["ac5", "cd5", "ab1"]);
  assert.deepEqual(tally([]), { confirmed: { cells: 0, transitions_m2: {} }, candidate: { cells: 0, transitions_m2: {} } });
});

test("a cell was at a date what it was before the changes since", () => {
  const lu = (o) => classes.map((c) => o[c.id] ?? 0), use = (row) => Object.fromEntries(Object.entries(row).filter(([, v]) => v !== 0));
  const now = { cell: "a", str_cover: 9, ...Object.fromEntries(classes.map((c) => [c.id, c.id === "geb" ? 255 : 0])) };
  const change = { last_change: "2026-10-01", was: { lu: lu({ bau: 255 }), str_cover: 0 }, earlier: { last_change: "2026-07-01", was: { lu: lu({ acker: 200, wald: 55 }), str_cover: 0 } } };
  for (const [date, want] of [["", { cell: "a", acker: 200, wald: 55 }], ["2026-06-30", { cell: "a", acker: 200, wald: 55 }], ["2026-07-01", { cell: "a", bau: 255 }], ["2026-09-30", { cell: "a", bau: 255 }], ["2026-10-01", { cell: "a", geb: 255, str_cover: 9 }]]) {
    assert.deepEqual(use(stateAt(now, change, date)), want, date);
  }
  assert.equal(stateAt(now, undefined, ""), now);
  assert.deepEqual(use(stateAt(now, { ...change, earlier: undefined }, "")), { cell: "a", bau: 255 });
});

test("the changed ground of larger cells is summed by status", () => {
  assert.deepEqual(changedIn([{ cell: "a", confirmed_m2: 10 }, { cell: "b", candidate_m2: 3, confirmed_m2: 2 }, { cell: "c" }], () => 100), { area: 300, by: { confirmed: 12, candidate: 3 } });
  assert.deepEqual(changedIn([], () => 1), { area: 0, by: { confirmed: 0, candidate: 0 } });
});

test("colours follow the choice, and the archive's layer is drawn where there is one", () => {
  assert.deepEqual(choices.map((c) => c.id), [...classes.map((c) => c.id), "str_cover", "changes"]);
  for (const mode of ["light", "dark"]) {
    assert.deepEqual(colourOf("wald", mode), ["step", ["/", ["coalesce", ["get", "wald"], 0], 255], shares[0][mode], ...shares.slice(1).flatMap((s) => [s.from, s[mode]])]);
    assert.ok(statuses.every((s) => colourOf("changes", mode).includes(s[mode])));
    assert.deepEqual(cellLayers(mode).map((l) => l.id), ["cells-near", "cells-line"]);
    assert.deepEqual(cellLayers(mode, { "base-cells": {} }).map((l) => l.id), ["cells-far", "cells-near", "cells-line", "cells-unbuilt", "cells-unbuilt-line", "cells-unbuilt-name"]);
    const [far] = cellLayers(mode, { "base-cells": {} }, "changes");
    for (const c of changedGround) for (const s of statuses) assert.ok(JSON.stringify(far.paint["fill-color"]).includes(c[s.id][mode]), `${s.id} from ${c.from}`);
    assert.ok(Array.isArray(far.paint["fill-opacity"]), "what did not change lets the map through");
    assert.ok(cellLayers(mode).every((l) => l.layout.visibility === "none"));
  }
});

test("the cells are those of the service", () => {
  assert.equal(cellToParent("8c1e1692d1619ff", 9), "891e1692d17ffff");
  const [lat, lng] = cellToLatLng("8c1e1692d1619ff");
  assert.equal(latLngToCell(lat, lng, 12), "8c1e1692d1619ff");
});
