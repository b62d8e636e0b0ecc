// Asking for an analysis: the form, the steps of the task while it runs, and what becomes of it.
import { element, english, number } from "../dom.js";
import { t } from "../words.js";
import { analyses, analysisOf, classesOf, mostOf, rowsOf, warningsOf } from "./analyses.js";
import { abort, begin, followed, served, share } from "./ask.js";
import { hectares, mostM2 } from "./areapanel.js";
import { dayOf } from "./rasters.js";
import { polygonsOf } from "./shapes.js";

/** paramText writes the parameters that are not the usual ones for an address, paramsIn reads them. */
export const paramText = (values) => Object.entries(values).map(([name, v]) => `${name}:${v}`).join(",");
export const paramsIn = (text = "") => Object.fromEntries(text.split(",").map((p) => p.split(/:(.*)/s).slice(0, 2)).filter((p) => p.length === 2));

/** featuresIn are the features of a result, whatever form it was asked in. */
export function featuresIn(result) {
  if (Array.isArray(result?.features)) return result.features;
  return (result?.data ?? []).map(({ geometry, ...properties }) => ({ type: "Feature", geometry: geometry ?? null, properties }));
}

const title = (a) => t(a.title);

/** taskPanel fills box. area() is the area that is looked at, dates(layer) the dates of scans; found(analysis, rows, classes, share,
 * result) is told what an analysis found, gone() that there is nothing any more, given(polygons) the area of a result. */
export function taskPanel({ box, bar, area, dates, found, gone, given, say }) {
  const form = element("form"), select = element("select", undefined, { name: "analysis" }), fields = element("div", undefined, { className: "fields" }), go = element("button", t("Start"), { type: "submit" }), running = element("div", undefined, { className: "running", hidden: true });
  const label = element("label", t("Analysis"));
  label.append(select);
  form.append(label, fields, go);
  box.replaceChildren(form, running);
  let following = new AbortController(), task = "";

  const chosen = () => analysisOf(select.value) ?? analyses[0];

  function field(p) {
    const of = element("label", t(p.title)), all = dates("dsm").filter((d) => dates("dtm").includes(d));
    let input;
    if (p.kind === "number") input = element("input", undefined, { type: "number", min: p.from, max: p.to, step: p.step, value: p.usual, inputMode: "decimal" });
    else {
      input = element("select");
      input.append(...all.map((d) => element("option", dayOf(d), { value: d })));
      if (p.kind === "date") input.prepend(element("option", t("the newest"), { value: "" }));
      input.value = p.kind === "dateA" ? all.at(-2) ?? "" : p.kind === "dateB" ? all.at(-1) ?? "" : "";
    }
    input.name = p.name;
    of.append(input);
    return of;
  }

  const draw = (values = {}) => {
    fields.replaceChildren(...chosen().parameters.map(field));
    for (const { name } of chosen().parameters) if (values[name] !== undefined) form.elements[name].value = values[name];
  };
  select.addEventListener("change", () => draw());

  // values are the parameters of the form; an Error if one of them is not valid.
  function values() {
    const out = {};
    for (const p of chosen().parameters) {
      const input = form.elements[p.name], v = input.value;
      if (v === "") continue;
      if (p.kind === "number" && !(Number(v) >= p.from && Number(v) <= p.to)) throw new Error(t("{what}: a number from {from} to {to}", { what: t(p.title), from: number(p.from, 1), to: number(p.to, 1) }));
      out[p.name] = p.kind === "number" ? Number(v) : v;
    }
    if (out.date_a && out.date_a >= out.date_b) throw new Error(t("The earlier date has to lie before the later one."));
    return out;
  }

  // steps draws how far a task is: a line for each step, the last with a bar.
  function steps() {
    const list = element("ol"), stop = element("button", t("Abort"), { type: "button", name: "abort", onclick: () => halt() }), lines = new Map();
    running.replaceChildren(list, stop);
    running.hidden = false;
    return ({ step, fraction, detail }) => {
      let line = lines.get(step);
      if (!line) {
        for (const l of lines.values()) { l.bar.value = 1; l.li.classList.add("over"); }
        line = { li: element("li"), bar: element("progress", undefined, { max: 1, value: 0 }), share: element("span") };
        line.bar.setAttribute("aria-label", step);
        line.li.append(english(step), " ", line.share, line.bar);
        lines.set(step, line);
        list.append(line.li);
      }
      line.bar.value = fraction;
      line.share.textContent = detail ? `${detail}` : `${number(fraction * 100)} %`;
    };
  }

  function over() {
    running.hidden = true;
    running.replaceChildren();
    go.disabled = false;
  }

  async function halt() {
    const button = running.querySelector("[name=abort]");
    button.disabled = true;
    button.textContent = t("Aborting …");
    try { await abort(task); } catch (e) { say(e.message, e.english); button.disabled = false; button.textContent = t("Abort"); }
  }

  async function attempt(work) {
    following.abort();
    following = new AbortController();
    const { signal } = following;
    say("");
    try {
      await work(signal);
    } catch (e) {
      if (signal.aborted) return;
      over();
      say(e.message, e.english);
    }
  }

  // follow waits for a task and shows what it found.
  async function follow(id, signal) {
    task = id;
    go.disabled = true;
    const tell = steps();
    tell({ step: "queued", fraction: 0, detail: "" });
    const state = await followed(id, tell, signal);
    over();
    if (state.status === "cancelled") { say(t("The analysis was aborted.")); return; }
    if (state.status !== "done") { say(state.error ?? t("The analysis failed."), Boolean(state.error)); return; }
    await show(state.auto_share_id, signal);
  }

  async function show(name, signal) {
    say(t("Reading the result …"));
    const got = await share(name, signal), analysis = analysisOf(got.kind);
    if (signal.aborted) return;
    if (!analysis) throw new Error(t("The result is one of another kind: {kind}", { kind: got.kind }));
    if (got.geometry) given(polygonsOf(got.geometry));
    select.value = analysis.id;
    draw(Object.fromEntries(analysis.parameters.map((p) => [p.name, got.question?.[p.name] ?? ""]).filter(([, v]) => v !== "")));
    const features = featuresIn(got.result), classes = classesOf(analysis, features);
    const meta = got.result?.meta ?? {}, warnings = warningsOf(meta);
    say(notes(meta, features.length).join(" "));
    if (warnings.length) say(warnings.join(". "), true, { more: true });
    found(analysis, rowsOf(analysis, features, classes), classes, name, got.result);
  }

  // notes is what a result says of itself that a reader has to know.
  function notes(meta, n) {
    const out = n === 0 ? [t("Nothing was found.")] : [];
    if (meta.coverage !== undefined && meta.coverage !== null && meta.coverage < 0.995) out.push(t("Heights cover {n} % of the area.", { n: number(meta.coverage * 100) }));
    if (meta.building_mask === "none") out.push(t("Buildings are not known here: roofs may be taken for trees."));
    if (meta.building_mask === "partial") out.push(t("Buildings are not known everywhere here."));
    return out;
  }

  const start = (analysis, params) => attempt(async (signal) => {
    const a = area();
    if (!a) throw new Error(t("Draw an area, pick one, or drop a file on the map."));
    const most = mostOf(analysis, params, mostM2);
    if (a.m2 > most) throw new Error(t("At most {most} are analysed at a time: {area} is too much.", { most: hectares(most), area: hectares(a.m2) }));
    gone();
    go.disabled = true;
    const id = await begin(analysis.path, a.geometry, { ...params, ...analysis.fixed?.(a.m2) }, signal);
    bar.set({ ask: analysis.id, with: paramText(params), task: id, hide: "" }, { push: true });
    await follow(id, signal);
  });

  form.addEventListener("submit", (e) => {
    e.preventDefault();
    let params;
    try { params = values(); } catch (error) { say(error.message); return; }
    start(chosen(), params);
  });

  return {
    /** open asks which analyses there are. */
    async open() {
      if (select.options.length) return;
      const paths = await served().catch(() => null);
      select.replaceChildren(...analyses.filter((a) => !paths || paths.has(a.path)).map((a) => element("option", title(a), { value: a.id })));
      draw();
    },
    /** restore shows what an address says: a result, a task that runs, or the form as it was. */
    restore(now) {
      const analysis = analysisOf(now.ask);
      if (analysis && [...select.options].some((o) => o.value === analysis.id)) { select.value = analysis.id; draw(paramsIn(now.with)); }
      if (!now.task) { following.abort(); over(); gone(); return Promise.resolve(); }
      return attempt(async (signal) => {
        try { await follow(now.task, signal); } catch (e) {
          if (e.status !== 404) throw e;
          over();
          throw new Error(t("This result is not kept any more: start the analysis again."));
        }
      });
    },
    stop: () => { following.abort(); over(); },
  };
}
