// Cells in the style of the map: what the colours may say, and the layers that say it. From zoom 14.8 on they are cells of
// resolution 12 from the service, below it larger ones from the archive that the served generation names.
import { pattern } from "./prices.js";
import { changedGround, classes, ground, ink, shares, statuses } from "./palette.js";
import { t } from "./words.js";

export const nearZoom = 14.8;

/** choices are what the colours may say. */
export const choices = [...classes.map(({ id, name }) => ({ id, name })), { id: "str_cover", name: "Built over" }, { id: "changes", name: "What changed" }];
export const first = "wald";

const m2 = (status) => ["coalesce", ["get", `${status}_m2`], 0];
const all = ["+", ...statuses.map((s) => m2(s.id))];
const steps = (list, colour) => list.flatMap((s, i) => (i ? [s.from, colour(s)] : [colour(s)]));

/** colourOf is the colour of a cell of the service as an expression of the style. */
export const colourOf = (choice, mode) => (choice === "changes"
  ? ["match", ["get", "status"], ...statuses.flatMap((s) => [s.id, s[mode]]), ground[mode]]
  : ["step", ["/", ["coalesce", ["get", choice], 0], 255], ...steps(shares, (s) => s[mode])]);

// farColourOf is that of a cell of the archive: what changed there is coloured by how much of the ground it is, and by what
// there is more of, confirmed changes or candidates.
function farColourOf(choice, mode) {
  if (choice !== "changes") return colourOf(choice, mode);
  const by = (status) => ["step", ["/", all, ["coalesce", ["get", "area_m2"], 1]], ...steps(changedGround, (s) => s[status][mode])];
  return ["case", [">=", m2("confirmed"), m2("candidate")], by("confirmed"), by("candidate")];
}

/** cellLayers are the style layers of a mode; they begin hidden. */
export function cellLayers(mode, has = {}, choice = first) {
  const layout = { visibility: "none" }, archive = { source: "base-cells", layout }, drawn = { "fill-opacity": 0.92, "fill-antialias": false };
  const farOpacity = choice === "changes" ? ["case", [">", all, 0], 0.92, 0] : 0.92;
  return [
    ...(has["base-cells"] ? [{ id: "cells-far", type: "fill", "source-layer": "cells", maxzoom: nearZoom, ...archive, paint: { ...drawn, "fill-color": farColourOf(choice, mode), "fill-opacity": farOpacity } }] : []),
    { id: "cells-near", type: "fill", source: "cells", minzoom: nearZoom, layout, paint: { ...drawn, "fill-color": colourOf(choice, mode) } },
    { id: "cells-line", type: "line", source: "cells", minzoom: 16, layout, paint: { "line-color": ground[mode], "line-width": 0.6, "line-opacity": 0.7 } },
    ...(has["base-cells"] ? unbuilt(mode, archive) : []),
  ];
}

// unbuilt are the KGs whose cells are not built: hatched, with a broken border and words.
function unbuilt(mode, archive) {
  const of = { ...archive, "source-layer": "unbuilt" }, c = ink[mode];
  return [
    { id: "cells-unbuilt", type: "fill", ...of, paint: { "fill-pattern": "unbuilt", "fill-opacity": 0.35 } },
    { id: "cells-unbuilt-line", type: "line", ...of, paint: { "line-color": c.kg, "line-width": 2, "line-dasharray": [3, 2] } },
    { id: "cells-unbuilt-name", type: "symbol", ...of, filter: ["==", ["geometry-type"], "Point"], layout: { ...of.layout, "text-field": ["concat", "KG ", ["get", "kg_code"], ":\n", t("cells not built yet")], "text-offset": [0, 2.6], "text-font": ["Arial Bold", "sans-serif"], "text-size": 13, "text-padding": 4 }, paint: { "text-color": c.kgName, "text-halo-color": c.halo, "text-halo-width": 1.8 } },
  ];
}

/** addPatterns gives a map what the layers are filled with. */
export function addPatterns(map) {
  if (!map.hasImage("unbuilt")) map.addImage("unbuilt", pattern(32, 16), { pixelRatio: 2 });
}
