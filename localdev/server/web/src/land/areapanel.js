// The area that is looked at: drawn, picked or dropped, with its size and what the limits say of it.
import { element, number } from "../dom.js";
import { t } from "../words.js";
import { fileShapes } from "./files.js";
import { areaOf, boundsOf, buffered, crosses, geometryOf, polygonsIn, textOf } from "./shapes.js";

export const mostM2 = 25e6; // the services' limit
const rasterM2 = 10e6; // of a height model as one file
const longest = 3000; // letters of an area in an address
const usualBuffer = 100; // as the services take a point and an open track

/** hectares is an area as people who farm and plan say it. */
export const hectares = (m2) => (m2 >= 1e7 ? `${number(m2 / 1e6, 1)} km²` : m2 >= 1000 ? `${number(m2 / 1e4, m2 < 1e5 ? 2 : 1)} ha` : `${number(m2)} m²`);

const picked = ["parcel", "kg", "municipality", "site", "protected"]; // that an address names

/** areaPanel fills box. shapes asks for outlines: parcel(id), kg(code), municipality(code), site(code), protected(name), each
 * {name, geometry} or null, and for what is at a place: parcelAt(lngLat), kgAt, municipalityAt, each an id or null, and protectedAt:
 * [{area, name}]; drawer draws, takes() is called before the map is clicked for a place; changed(area, {fit}) is told of another area,
 * null for none, and show(area) draws it. */
export function areaPanel({ box, drawer, shapes, changed, bar, say, fit, current, takes }) {
  let area = null, source = null, picking = "", turn = 0;
  const buttons = element("p", undefined, { className: "tools" }), hint = element("p", undefined, { className: "hint", hidden: true }), facts = element("p", undefined, { className: "facts" }), input = element("input", undefined, { type: "file", hidden: true, accept: ".geojson,.json,.kml,.kmz,.gpx,.zip,.gpkg,.wkt,.csv,.txt" });
  facts.setAttribute("aria-live", "polite");
  input.setAttribute("aria-label", t("File with an area"));

  const tool = (name, label, act) => {
    const b = element("button", label, { type: "button", name });
    b.setAttribute("aria-pressed", "false");
    b.addEventListener("click", act);
    buttons.append(b);
    return b;
  };
  const pressed = (name) => { for (const b of buttons.children) b.setAttribute("aria-pressed", String(b.name === name)); };

  function ask(text, ...more) {
    hint.replaceChildren(text, " ", ...more);
    hint.hidden = false;
  }
  const quiet = () => { hint.hidden = true; hint.replaceChildren(); picking = ""; pressed(""); };
  const cancel = () => element("button", t("Cancel"), { type: "button", className: "quiet", onclick: () => { drawer.cancel(); quiet(); } });
  const done = () => element("button", t("Done"), { type: "button", className: "quiet", name: "done", onclick: () => { if (!drawer.finish()) say(t("An area has at least three corners.")); } });

  const drawing = { polygon: "Click the corners; click the first again, or press Enter, to end.", box: "Click two corners that lie across from each other.", circle: "Click the middle, then the edge." };
  const draws = (form) => () => {
    quiet();
    say("");
    pressed(form);
    drawer.begin(form);
    ask(t(drawing[form]), ...(form === "polygon" ? [done()] : []), cancel());
  };
  tool("polygon", t("Polygon"), draws("polygon"));
  tool("box", t("Box"), draws("box"));
  tool("circle", t("Circle"), draws("circle"));
  const picks = (what, text) => () => {
    quiet();
    drawer.cancel();
    takes();
    picking = what;
    pressed(what);
    const open = ["parcel", "kg"].includes(what) ? current() : "", here = open && element("button", what === "parcel" ? open : open.slice(0, 5), { type: "button", className: "quiet", onclick: () => attempt(() => take(what, what === "parcel" ? open : open.slice(0, 5))) });
    ask(text, ...(here ? [here] : []), cancel());
  };
  tool("parcel", t("Parcel"), picks("parcel", t("Click a parcel.")));
  tool("kg", t("KG"), picks("kg", t("Click into a KG.")));
  tool("municipality", t("Municipality"), picks("municipality", t("Click into a municipality.")));
  tool("protected", t("Protected area"), picks("protected", t("Click into a protected area.")));
  tool("file", t("File"), () => { quiet(); input.click(); });
  input.addEventListener("change", () => { if (input.files[0]) drop(input.files[0]); input.value = ""; });
  box.replaceChildren(buttons, hint, facts, input);

  async function attempt(work) {
    const mine = ++turn;
    say("");
    try { await work(() => mine === turn); } catch (e) { if (mine === turn) say(e.message, e.english, { link: e.link }); }
  }

  // say of an area what it measures and what the limits say.
  function tell() {
    facts.replaceChildren();
    if (!area) { facts.append(t("Draw an area, pick one, or drop a file on the map.")); return; }
    facts.append(element("b", hectares(area.m2)), ` ${area.name ?? ""} `);
    if (source?.lines) {
      const width = element("input", undefined, { type: "number", min: 1, max: 5000, step: "any", value: source.buffer, name: "buffer", ariaLabel: t("Metres on either side") });
      width.addEventListener("change", () => attempt(async () => put(withBuffer(source, Number(width.value)), { push: true })));
      const label = element("label", `${t("Metres on either side")} `);
      label.append(width);
      facts.append(label, " ");
    }
    facts.append(element("button", t("Remove"), { type: "button", className: "quiet", name: "remove", onclick: () => put(null, { push: true }) }));
    for (const text of warnings()) facts.append(element("br"), element("span", text, { className: "warning" }));
  }

  function warnings() {
    const out = [];
    if (area.m2 > mostM2) out.push(t("At most {most} are analysed at a time: {area} is too much.", { most: hectares(mostM2), area: hectares(area.m2) }));
    else if (area.m2 > rasterM2) out.push(t("At most {most} can be had as one height model.", { most: hectares(rasterM2) }));
    if (area.polygons.some((p) => p.some((r) => r.length < 2000 && crosses(r)))) out.push(t("The outline crosses itself: what it encloses twice does not count. Draw it again if that is not meant."));
    if (source?.gap > 0) out.push(t("The track is closed over a gap of {n} m.", { n: number(source.gap, 1) }));
    if (area.long) out.push(t("The outline is too long for the address: a link keeps it with the result of an analysis."));
    return out;
  }

  function withBuffer(of, width) {
    const polygons = [...of.polygons, ...(buffered([...of.lines, ...of.points.map((p) => [p])], width) ?? [])];
    if (!polygons.length) throw new Error(t("{n} m on either side of this line is no area that can be drawn.", { n: number(width) }));
    return { polygons, source: { ...of, buffer: width } };
  }

  /** put makes an area the one that is looked at. */
  function put(next, { push = false, text, fitted = false } = {}) {
    quiet();
    source = next?.source ?? null;
    area = next && { polygons: next.polygons, geometry: geometryOf(next.polygons), m2: areaOf(next.polygons), name: next.name ?? "", place: text ?? "" };
    const written = area ? text ?? textOf(area.polygons) : "";
    if (area) area.long = written.length > longest;
    if (push) bar.set({ area: area?.long ? "" : written, task: "", hide: "" }, { push: true });
    tell();
    changed(area);
    if (area && fitted) fit(boundsOf(area.polygons));
  }

  async function take(what, id, options = { push: true }) {
    const found = await shapes[what](id);
    if (!found) throw new Error(t("{what} has no outline", { what: id }));
    const polygons = found.geometry.type === "Polygon" ? [found.geometry.coordinates] : found.geometry.coordinates;
    put({ polygons, name: found.name }, { text: `${what}:${id}`, ...options });
  }

  // choose takes the one protected area of a place; of several the reader chooses.
  async function choose(found) {
    const named = (area) => area.split(/:(.*)/s).slice(0, 2);
    if (!found.length) throw new Error(t("no protected area here"));
    if (found.length === 1) { await take(...named(found[0].area)); return; }
    ask(t("Which one?"), ...found.flatMap((f) => [element("button", f.name, { type: "button", className: "quiet", onclick: () => attempt(() => take(...named(f.area))) }), " "]), cancel());
  }

  /** drop takes the area of a file. */
  const drop = (file) => attempt(async (latest) => {
    facts.textContent = t("Reading {name} …", { name: file.name });
    try {
      const found = await fileShapes(file);
      if (!latest()) return;
      if (found.lines.length || (!found.polygons.length && found.points.length)) put({ ...withBuffer(found, usualBuffer), name: file.name }, { push: true, fitted: true });
      else put({ polygons: found.polygons, name: file.name, source: found.gap ? { gap: found.gap } : null }, { push: true, fitted: true });
    } catch (e) {
      tell();
      throw e;
    }
  });

  tell();
  return {
    area: () => area,
    drop,
    /** drawn takes what the drawer ended with. */
    drawn: (rings) => put({ polygons: [rings] }, { push: true }),
    /** given takes an area that is not the reader's: of a result. */
    given: (polygons) => { if (!area) put({ polygons }); },
    quiet,
    picks: () => picking !== "",
    /** pick takes the parcel or KG at a place. */
    pick: (lngLat) => attempt(async () => {
      const what = picking;
      if (what === "protected") { await choose(await shapes.protectedAt(lngLat)); return; }
      const id = await shapes[`${what}At`](lngLat);
      if (!id) throw new Error(what === "parcel" ? t("no parcel here") : what === "kg" ? t("no KG here") : t("no municipality here"));
      await take(what, id);
    }),
    /** restore takes what an address says. */
    restore: (text = "") => attempt(async () => {
      if (!text) { put(null); return; }
      const [what, id] = text.split(/:(.*)/s);
      if (id && picked.includes(what)) { await take(what, id, {}); return; }
      const polygons = polygonsIn(text);
      if (!polygons) throw new Error(t("The area in the address cannot be read."));
      put({ polygons });
    }),
  };
}
