// Shapes measured, written into an address and read again, and the places around a line.
import assert from "node:assert/strict";
import { test } from "node:test";
import { along, areaOf, aroundTrack, boundsOf, buffered, circle, crosses, lengthOf, lineIn, lineText, polygonsIn, polygonsOf, rectangle, textOf, within } from "../src/land/shapes.js";

const close = (got, want, share, what) => assert.ok(Math.abs(got / want - 1) <= share, `${what}: ${got}, want ${want}`);

test("areas are those of the services", () => {
  close(areaOf([rectangle([13.28, 47.32], [13.29, 47.33])]), 840_600, 0.001, "a square that the services measure");
  close(areaOf([circle([13.23, 47.32], 100)]), Math.PI * 1e4, 0.004, "a circle of 64 corners");
  const ring = rectangle([13.28, 47.32], [13.29, 47.33])[0], hole = rectangle([13.284, 47.324], [13.286, 47.326])[0];
  close(areaOf([[ring, hole]]), 840_600 * 0.96, 0.001, "with a hole");
  assert.equal(polygonsOf({ type: "FeatureCollection", features: [{ type: "Feature", geometry: { type: "MultiPolygon", coordinates: [[ring], [hole]] } }, { type: "Feature", geometry: null }] }).length, 2);
});

test("areas that cross themselves are those that the services repair", () => {
  const tie = [[13.28, 47.32], [13.29, 47.33], [13.29, 47.32], [13.28, 47.33], [13.28, 47.32]], square = rectangle([13.28, 47.32], [13.29, 47.33])[0];
  close(areaOf([[tie]]), 840_600 / 2, 0.001, "the lobes of a bow tie");
  close(areaOf([[square], [rectangle([13.284, 47.324], [13.286, 47.326])[0]]]), 840_600 * 0.96, 0.001, "a part within a part is a hole");
  close(areaOf([[square], [rectangle([13.285, 47.32], [13.295, 47.33])[0]]]), 840_600, 0.001, "two that overlap by half");
  close(areaOf([[square], [rectangle([13.30, 47.32], [13.31, 47.33])[0]]]), 840_600 * 2, 0.001, "two apart");
  const star = Array.from({ length: 6 }, (_, i) => [13.28 + 0.005 * Math.sin((i * 4 * Math.PI) / 5), 47.32 + 0.005 * Math.cos((i * 4 * Math.PI) / 5)]);
  assert.ok(areaOf([[star]]) < areaOf([circle([13.28, 47.32], 556)]) * 0.4, "the middle of a star is enclosed twice");
});

test("a recorded track is closed where its ends lie near each other, as the services close it", () => {
  const track = (gap) => [[13.2, 47.3], [13.21, 47.3], [13.21, 47.31], [13.2, 47.31], [13.2, 47.3 + gap / 111_195]];
  close(aroundTrack(track(20)).gap, 20, 0.001, "the gap");
  assert.deepEqual(aroundTrack(track(20)).ring.at(-1), [13.2, 47.3]);
  assert.equal(aroundTrack(track(0)).ring.length, 5);
  assert.ok(aroundTrack(track(60)), "less than 2 % of 3.7 km");
  assert.equal(aroundTrack(track(90)), null);
  assert.equal(aroundTrack([[13.2, 47.3], [13.21, 47.3], [13.21, 47.31], [13.21, 47.3], [13.2, 47.3]]), null, "there and back");
  assert.equal(aroundTrack([[13.2, 47.3], [13.2001, 47.3]]), null);
});

test("polygons and lines are read from an address as they were written, to a tenth of a metre", () => {
  const all = [[rectangle([13.28, 47.32], [13.29, 47.33])[0], rectangle([13.284, 47.324], [13.286, 47.326])[0]], circle([9.5, 46.5], 5000), rectangle([-0.0001, -0.0002], [0.0001, 0.5])];
  const text = textOf(all), back = polygonsIn(text);
  assert.match(text, /^[\w.~-]+$/, "nothing that an address would escape");
  assert.ok(text.length < 600, `${text.length} letters`);
  all.flat(2).forEach((p, i) => p.forEach((v, k) => assert.ok(Math.abs(v - back.flat(2)[i][k]) <= 5.1e-7)));
  assert.equal(textOf(back), text);
  const line = [[13.1, 47.2], [13.2, 47.1], [13.2, 47.3]];
  assert.deepEqual(lineIn(lineText(line)), line);
  for (const bad of ["", "A", "AA", "A!A", "~", ".", "_".repeat(40), "hello world", "____________AAAA", text.slice(0, 7), `${text}~AA`]) assert.equal(polygonsIn(bad), null, bad);
  assert.equal(lineIn("AAA"), null);
});

test("places along a line stand at equal distances", () => {
  const line = [[13.2, 47.3], [13.21, 47.3], [13.21, 47.3], [13.21, 47.31]], places = along(line, 101), total = lengthOf(line);
  close(total, 754 + 1112, 0.005, "length");
  assert.deepEqual(places[0].at, line[0]);
  places.at(-1).at.forEach((v, i) => assert.ok(Math.abs(v - line[3][i]) < 1e-9));
  for (let i = 1; i < places.length; i++) close(places[i].m - places[i - 1].m, total / 100, 1e-6, `place ${i}`);
  const sum = lengthOf(places.map((p) => p.at));
  close(sum, total, 0.005, "the places on the line");
});

test("the places around lines", () => {
  const line = [[13.2, 47.3], [13.2132, 47.3]], radius = 50, got = buffered([line], radius), length = lengthOf(line);
  assert.equal(got.length, 1);
  close(areaOf(got), 2 * radius * length + Math.PI * radius * radius, 0.006, "a straight line");
  assert.ok(within([13.205, 47.3], got[0][0]));
  const ends = got[0][0];
  assert.deepEqual(ends[0], ends.at(-1));
  // A loop has a hole, two lines that cross are one polygon with none that counts twice, two that lie apart are two.
  const loop = buffered([rectangle([13.2, 47.3], [13.21, 47.306])[0]], 30);
  assert.deepEqual(loop.map((p) => p.length), [2]);
  const square = rectangle([13.2, 47.3], [13.21, 47.306])[0], border = lengthOf(square);
  close(areaOf(loop), 2 * border * 30 + (Math.PI - 4) * 900, 0.006, "a band");
  const cross = buffered([[[13.2, 47.3], [13.21, 47.306]], [[13.2, 47.306], [13.21, 47.3]]], 20);
  assert.deepEqual(cross.map((p) => p.length), [1]);
  assert.equal(buffered([[[13.2, 47.3], [13.201, 47.3]], [[13.22, 47.3], [13.221, 47.3]]], 20).length, 2);
  close(areaOf(buffered([[[13.2, 47.3]]], 100)), Math.PI * 1e4, 0.006, "a point");
  assert.equal(buffered([], 10), null);
  assert.equal(buffered([line], 0), null);
  assert.equal(buffered([[[9.6, 47.2], [16.4, 48.2]]], 5), null, "a field of too many samples");
});

test("a bow tie crosses itself, a square does not", () => {
  assert.equal(crosses([[0, 0], [1, 1], [1, 0], [0, 1], [0, 0]]), true);
  assert.equal(crosses(rectangle([0, 0], [1, 1])[0]), false);
  assert.deepEqual(boundsOf([[[1, 2], [3, 0]]]), [1, 0, 3, 2]);
  assert.equal(boundsOf([]), null);
});
