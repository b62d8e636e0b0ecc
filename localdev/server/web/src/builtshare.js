// How many of an area's KGs are built.
import { available } from "./palette.js";

/** classOf is the place in available of n built KGs of all. */
export const classOf = (built, all) => available.findLastIndex((c) => built >= c.from * all);

/** tally counts KGs: rows have stichtag, null where none is built, and evicted where its snapshot is in the archive alone. */
export function tally(kgs) {
  const dates = kgs.map((k) => k.stichtag).filter(Boolean).sort();
  return { all: kgs.length, built: dates.length, evicted: kgs.filter((k) => k.evicted).length, oldest: dates[0] ?? null, newest: dates.at(-1) ?? null };
}
