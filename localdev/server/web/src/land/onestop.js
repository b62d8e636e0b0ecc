// The objects of a box as one file: a form of what the service takes, how far it is, and the file.
import { element, english, number } from "../dom.js";
import { t } from "../words.js";
import { analysisOf } from "./analyses.js";
import { hectares, mostM2 } from "./areapanel.js";
import { abort, described, followed, shareFile, stopFile, stopped } from "./ask.js";
import { areaOf, boundsOf } from "./shapes.js";

const names = { gpkg: "GeoPackage", kml: "KML", json: "GeoJSON" }, endings = { gpkg: "gpkg", kml: "kml", json: "geojson" };

/** optionsOf is what the service says of the form: its forms, the layers that may be looked at with what each is for. */
export function optionsOf(doc) {
  const all = doc.paths?.["/api/v1/onestop"]?.get?.parameters ?? [], of = (name) => all.find((p) => p.name === name);
  return {
    forms: of("format")?.schema?.enum ?? ["json"], least: of("min_object_size")?.schema ?? {},
    looks: all.filter((p) => /^include_/.test(p.name) && p.name !== "include_segments_vector").map((p) => ({ name: p.name, title: p.name.replace("include_", ""), doc: p.description, on: p.schema?.default !== false })),
  };
}

/** boxOf is the box of an area's polygons and its size in m². */
export function boxOf(polygons) {
  const [west, south, east, north] = boundsOf(polygons), ring = [[west, south], [east, south], [east, north], [west, north], [west, south]];
  return { box: [west, south, east, north], m2: areaOf([[ring]]) };
}

/** asked are the parameters of a form's values; those that are the usual ones are left out. */
export function asked({ format, size, low, high, type, looks }) {
  const out = { format };
  if (format === "json") out.include_segments_vector = "true";
  if (size) out.min_object_size = size;
  if (low) out.height_min = low;
  if (high) out.height_max = high;
  if (type) out.types = type;
  for (const l of looks) if (l.checked !== l.on) out[l.name] = String(l.checked);
  return out;
}

/** oneStop fills box. area() is the area that is looked at, say(text, inEnglish) tells the reader. */
export function oneStop({ box, bar, area, say }) {
  const form = element("form"), running = element("div", undefined, { className: "running", hidden: true }), result = element("p", undefined, { className: "made" }), told = element("p", undefined, { className: "hint", hidden: true });
  let following = new AbortController(), options = null, task = "", format = "gpkg";
  result.setAttribute("aria-live", "polite");
  box.append(form, running, result);

  const labelled = (text, input) => { const l = element("label", text); l.append(input); return l; };
  const title = (name) => t(name[0].toUpperCase() + name.slice(1));

  function draw() {
    const { forms, least, looks } = options;
    const select = (name, list) => { const s = element("select", undefined, { name }); s.append(...list.map(([value, text]) => element("option", text, { value }))); return s; };
    const figure = (name, more) => element("input", undefined, { type: "number", name, step: "any", min: 0, inputMode: "decimal", ...more });
    const fields = element("div", undefined, { className: "fields" }), set = element("fieldset"), go = element("button", t("Make the file"), { type: "submit" });
    fields.append(labelled(t("Form"), select("format", ["gpkg", "kml", "json"].filter((f) => forms.includes(f)).map((f) => [f, names[f]]))),
      labelled(t("Only type"), select("type", [["", t("all")], ...analysisOf("segment").classes.map((c) => [c.id, t(c.name)])])),
      labelled(t("Objects from, m²"), figure("size", { min: least.minimum, max: least.maximum, placeholder: least.default ?? "" })), labelled(t("Heights from, m"), figure("low")), labelled(t("Heights to, m"), figure("high")));
    set.append(element("legend", t("Look at")));
    for (const l of looks) {
      const label = element("label", undefined, { title: l.doc });
      label.append(element("input", undefined, { type: "checkbox", name: l.name, checked: l.on }), " ", title(l.title));
      set.append(label);
    }
    form.replaceChildren(fields, set, told, go);
  }

  function over() { running.hidden = true; running.replaceChildren(); }

  async function follow(id, seconds, signal) {
    task = id;
    result.replaceChildren();
    const bar = element("progress", undefined, { max: 1, value: 0 }), line = element("p"), stop = element("button", t("Abort"), { type: "button", name: "abort-file", onclick: () => abort(task).catch((e) => say(e.message, e.english)) });
    bar.setAttribute("aria-label", t("Objects of the area as a file"));
    running.replaceChildren(line, bar, stop);
    running.hidden = false;
    if (seconds) line.textContent = t("About {n} s.", { n: number(seconds) });
    const state = await followed(id, ({ step, fraction }) => { line.replaceChildren(english(step ?? ""), ` ${number((fraction ?? 0) * 100)} %`); bar.value = fraction ?? 0; }, signal);
    over();
    if (state.status === "cancelled") { say(t("The analysis was aborted.")); return; }
    if (state.status !== "done") { say(state.error ?? t("The analysis failed."), Boolean(state.error)); return; }
    const link = element("a", t("Download"), { href: stopFile(id), download: `objects.${endings[format] ?? format}` });
    result.replaceChildren(t("The file is ready."), " ", link, ...(format === "json" && state.auto_share_id ? [" ", element("a", t("As GeoPackage"), { href: shareFile(state.auto_share_id) })] : []));
  }

  async function attempt(work) {
    following.abort();
    following = new AbortController();
    const { signal } = following;
    say("");
    try { await work(signal); } catch (e) { if (!signal.aborted) { over(); say(e.message, e.english); } }
  }

  form.addEventListener("submit", (e) => {
    e.preventDefault();
    const of = form.elements, looks = options.looks.map((l) => ({ ...l, checked: of[l.name].checked })), a = area();
    format = of.format.value;
    const params = asked({ format, size: of.size.value, low: of.low.value, high: of.high.value, type: of.type.value, looks });
    attempt(async (signal) => {
      if (!a) throw new Error(t("Draw an area, pick one, or drop a file on the map."));
      const b = boxOf(a.polygons);
      if (b.m2 > mostM2) throw new Error(t("At most {most} are analysed at a time: {area} is too much.", { most: hectares(mostM2), area: hectares(b.m2) }));
      const begun = await stopped(b.box, params, signal);
      bar.set({ file: `${format}:${begun.task_id}` }, { push: true });
      await follow(begun.task_id, begun.estimated_seconds, signal);
    });
  });

  return {
    async open() {
      if (options) return;
      options = optionsOf(await described().catch(() => ({})));
      draw();
    },
    /** sized says how large the box around the area is. */
    sized() {
      const a = area();
      told.hidden = !a;
      if (a) told.textContent = t("The objects of the box around the area: {area}.", { area: hectares(boxOf(a.polygons).m2) });
    },
    /** restore follows the task that an address names. */
    restore(now) {
      const [, form, id] = /^(\w+):([\w-]+)$/.exec(now.file ?? "") ?? [];
      if (!id) { following.abort(); over(); result.replaceChildren(); return; }
      format = form;
      if (id !== task || !result.textContent) attempt((signal) => follow(id, 0, signal));
    },
  };
}
