// The colours of land use are told apart by people with normal sight and by those who lack the red or the
// green cone. Colour difference and simulation are culori's.
import assert from "node:assert/strict";
import { test } from "node:test";
import { converter, differenceCiede2000, filterDeficiencyDeuter, filterDeficiencyProt, parse, wcagContrast } from "culori";
import { available, changedGround, changes, classes, ground, ink, prices, shares, statuses } from "../src/palette.js";

const least = 10; // CIEDE2000
const lightness = converter("lab");
const difference = differenceCiede2000();
const sights = { normal: (c) => c, "without red cones": filterDeficiencyProt(1), "without green cones": filterDeficiencyDeuter(1) };

test("the measure is CIEDE2000, and the simulation brings red and green together", () => {
  // Pair 1 of Sharma, Wu and Dalal (2005), in CIELAB.
  const lab = (l, a, b) => ({ mode: "lab65", l, a, b });
  assert.ok(Math.abs(difference(lab(50, 2.6772, -79.7751), lab(50, 0, -82.7485)) - 2.0425) < 0.02);
  const red = parse("#c05040"), green = parse("#708020");
  assert.ok(difference(red, green) > 30);
  assert.ok(difference(sights["without green cones"](red), sights["without green cones"](green)) < 20);
});

for (const mode of ["light", "dark"]) {
  test(`every two land uses differ by at least ${least}, ${mode}`, () => {
    const all = [...classes, ground];
    assert.equal(all.length, 10);
    for (const [sight, see] of Object.entries(sights)) for (let i = 0; i < all.length; i++) for (let j = 0; j < i; j++) {
      const d = difference(see(parse(all[i][mode])), see(parse(all[j][mode])));
      assert.ok(d >= least, `${all[i].name} and ${all[j].name}, ${sight}: ${d.toFixed(1)}`);
    }
  });

  test(`what changed differs from what did not, and among itself, by at least ${least}, ${mode}`, () => {
    for (const all of [[...changes, ground], [...statuses, ground], [...changedGround.flatMap((c) => statuses.map((s) => ({ name: `${s.id} from ${c.from}`, ...c[s.id] }))), ground]]) for (const [sight, see] of Object.entries(sights)) for (let i = 0; i < all.length; i++) for (let j = 0; j < i; j++) {
      const d = difference(see(parse(all[i][mode])), see(parse(all[j][mode])));
      assert.ok(d >= least, `${all[i].name} and ${all[j].name}, ${sight}: ${d.toFixed(1)}`);
    }
  });

  for (const [what, steps] of Object.entries({ available, prices, shares })) test(`${what} run from light to dark or back, and neighbours differ by at least ${least}, ${mode}`, () => {
    for (const [sight, see] of Object.entries(sights)) for (let i = 1; i < steps.length; i++) {
      const [a, b] = [steps[i - 1], steps[i]];
      assert.ok(b.from > a.from);
      assert.ok(difference(see(parse(a[mode])), see(parse(b[mode]))) >= least, `${a.from} and ${b.from}, ${sight}`);
      const brighter = lightness(see(parse(b[mode]))).l > lightness(see(parse(a[mode]))).l;
      assert.equal(brighter, mode === "dark", `${a.from} and ${b.from}, ${sight}`);
    }
  });

  test(`the lowest class differs from ground without one by at least ${least}, ${mode}`, () => {
    for (const all of [available, shares]) for (const [sight, see] of Object.entries(sights)) assert.ok(difference(see(parse(all[0][mode])), see(parse(ground[mode]))) >= least, sight);
  });

  test(`letters stand out from their halo, ${mode}`, () => {
    const c = ink[mode];
    for (const name of ["number", "house", "street", "place", "kgName", "near"]) assert.ok(wcagContrast(c[name], c.halo) >= 7, `${name}: ${wcagContrast(c[name], c.halo)}`);
  });
}
