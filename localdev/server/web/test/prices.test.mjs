// Classes of price and of uncertainty, without a page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { classOf, pattern, priceLayers, spreadOf } from "../src/prices.js";

test("a price is in the class whose lower end it has reached", () => {
  assert.deepEqual([0, 4.99, 5, 19.99, 20, 799, 800, 90_000].map(classOf), [0, 0, 1, 1, 2, 6, 7, 7]);
  assert.deepEqual([-1, NaN, undefined].map(classOf), [-1, -1, -1]);
});

test("the wider the interval, the denser the hatching", () => {
  const of = (low, high) => spreadOf({ low_eur_per_sqm: low, high_eur_per_sqm: high });
  assert.equal(of(100, 100), 0);
  assert.equal(of(100 / 1.32, 100 * 1.32), 0);
  assert.equal(of(100 / 1.34, 100 * 1.34), 1);
  assert.equal(of(100 / 1.6, 100 * 1.6), 2);
  assert.deepEqual([spreadOf(null), spreadOf({}), of(0, 5), of(7, 5)], [2, 2, 2, 2], "no interval is the widest");
});

test("a pattern joins its neighbours, dark beside light", () => {
  for (const every of [8, 16]) {
    const { width, data } = pattern(32, every);
    const at = (x, y) => [...data.slice(4 * (y * width + x), 4 * (y * width + x) + 4)];
    for (let i = 0; i < width; i++) {
      assert.deepEqual(at(i, 0), at((i + 31) % 32, 1), "a diagonal");
      assert.equal((32 % every), 0);
    }
    const drawn = new Set(Array.from({ length: width }, (_, x) => at(x, 0).join()));
    assert.deepEqual([...drawn].sort(), ["0,0,0,0", "0,0,0,235", "255,255,255,235"]);
  }
});

test("the layers of both modes are the same but for their colours", () => {
  const plain = (mode) => priceLayers(mode).map(({ paint, ...rest }) => ({ ...rest, paint: Object.keys(paint) }));
  assert.deepEqual(plain("light"), plain("dark"));
  assert.ok(priceLayers("light").every((l) => l.layout.visibility === "none"), "hidden at first");
});
