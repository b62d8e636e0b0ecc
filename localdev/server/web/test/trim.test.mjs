// What is left out of MapLibre says so where it is used after all.
import assert from "node:assert/strict";
import { test } from "node:test";
import { absent } from "../trim.mjs";

const module = (text) => import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`);

test("a module that is left out has the names of the other, and nothing in them", async () => {
  const of = await module(absent(`import {x} from './x.ts';
export type Shape = number;
export class Globe extends x {}
export abstract class Sphere {}
export const isGlobeLayer = (layer: Layer): layer is Globe => layer.type === 'globe';
export function drawGlobe(): void {}
export const radius = 6371;
function inner() {}
export {inner, type Shape as Form, drawMoon};
`, "globe.ts"));
  assert.deepEqual(Object.keys(of).sort(), ["Globe", "Sphere", "drawGlobe", "drawMoon", "inner", "isGlobeLayer", "radius"]);
  assert.equal(of.isGlobeLayer({ type: "globe" }), false);
  for (const use of [() => new of.Globe(), () => new of.Sphere(), of.drawGlobe, of.inner]) assert.throws(use, /globe\.ts is left out of this bundle/);
});
