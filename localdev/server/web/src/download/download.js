// The download page: a place, a form, layers and a system give a file. All that is chosen stands in the fragment of the address:
//
//	#place=kg:99101|municipality:59902|district:599|state:5|plz:5792 & form=... & layers=... & crs=...
//
// A small file is a link; a large one is written by a job, whose progress is shown. The same choice finds the same job.
import { addressBar } from "../address.js";
import { element, number } from "../dom.js";
import { json } from "../land/ask.js";
import { searchField } from "../search.js";
import { translate } from "../translate.js";
import { t } from "../words.js";
import { bytes, chosen, forms, layerNames, membersOf, request, sizeRequest, states, statesNamed, systemsOf } from "./forms.js";
import "./words.js";

const $ = (id) => document.getElementById(id), api = "/cadastre/api/v1/search";
const say = (text, english = false) => { $("message").replaceChildren(text ? element("span", text, english ? { lang: "en" } : {}) : ""); };
const failed = (e) => { if (e.name !== "AbortError") say(e.message, e.english); };
const sized = (n, text) => { const [size, unit] = bytes(n); return t(text, { size: number(size, size < 10 && unit !== "bytes" ? 1 : 0), unit: t(unit) }); };
const every = 2000; // ms between two looks at a job

// What is found of places: KGs, municipalities and districts, as {kind, code, title, detail}.
const kinds = {
  kg: { path: "kg", id: "code", fields: "kg_code,kg_name,gemeinde_name,district_name", of: (r) => ({ code: r.kg_code, title: t("KG {code} {name}", { code: r.kg_code, name: r.kg_name }), detail: [r.gemeinde_name, r.district_name].filter(Boolean).join(", ") }) },
  municipality: { path: "municipalities", id: "id", fields: "gemeinde_code,name,district_name", of: (r) => ({ code: r.gemeinde_code, title: t("Municipality {name}", { name: r.name }), detail: [r.gemeinde_code, r.district_name].filter(Boolean).join(", ") }) },
  district: { path: "district", id: "code", fields: "district_code,district_name,kg_count", of: (r) => ({ code: r.district_code, title: t("District {name}", { name: r.district_name }), detail: t("{n} KGs", { n: number(r.kg_count) }) }) },
};
const shown = 5; // of each kind

// States and postal codes are in no search: their names are known, and that there are KGs the size of an export says.
const areas = {
  state: { codes: statesNamed, title: (code) => t("State {name}", { name: states[code - 1] }) },
  plz: { codes: (text) => (/^\d{4}$/.test(text.trim()) ? [text.trim()] : []), title: (code) => t("Postal code {code}", { code }) },
};

async function areaOf(kind, code) {
  try {
    const { kgs } = await json(`/cadastre/api/v1/export/size?${kind}=${code}`);
    return kgs ? [{ kind, code, title: areas[kind].title(code), detail: kgs === 1 ? t("1 KG") : t("{n} KGs", { n: number(kgs) }) }] : [];
  } catch (e) {
    if (e.status === 400 || e.status === 404) return [];
    throw e;
  }
}

async function found(kind, asked) {
  if (areas[kind]) return (await Promise.all(areas[kind].codes(asked.q ?? asked.code).map((code) => areaOf(kind, code)))).flat();
  const { path, fields, of } = kinds[kind];
  try {
    const { data } = await json(`${api}/${path}?${new URLSearchParams({ ...asked, fields, limit: shown })}`);
    return data.filter((r) => of(r).code).map((r) => ({ kind, ...of(r) }));
  } catch (e) {
    if (e.status === 400 || e.status === 404) return []; // nothing of the kind has such a name or number
    throw e;
  }
}

const suggest = async (text) => ({ list: (await Promise.all(["plz", "state", "municipality", "kg", "district"].map((kind) => found(kind, { q: text.trim() })))).flat() });
const named = async ({ kind, code }) => (await found(kind, { [kinds[kind]?.id ?? "code"]: code })).find((p) => p.code === code);

async function start() {
  translate();
  const bar = addressBar({ location, history, window });
  let choice = chosen(bar.all()), running = new AbortController(), job = null;
  const take = (change) => { choice = chosen({ ...membersOf(choice), ...change }); bar.set(membersOf(choice), { push: true }); show(); };

  searchField({ form: $("find"), input: $("q"), list: $("suggestions"), suggest, choose: (s) => take({ place: `${s.kind}:${s.code}` }), say, fail: failed });
  for (const f of forms) {
    const label = element("label"), input = element("input", undefined, { type: "radio", name: "form", value: f.id });
    label.append(input, element("b", f.name), element("span", t(f.about)));
    input.addEventListener("change", () => take({ form: f.id, layers: "", crs: "" }));
    $("forms").append(label);
  }
  $("system").addEventListener("change", () => take({ crs: $("system").value }));
  $("choice").addEventListener("submit", (e) => e.preventDefault());

  function drawLayers() {
    const { form, layers } = choice;
    $("layers").replaceChildren(...form.layers.map((l) => {
      const label = element("label"), input = element("input", undefined, { type: form.one ? "radio" : "checkbox", name: "layer", value: l, checked: layers.includes(l), disabled: Boolean(form.fixed) });
      input.addEventListener("change", () => {
        const ticked = [...$("layers").querySelectorAll("input:checked")].map((i) => i.value);
        if (!ticked.length) input.checked = true; // a file has a layer
        take({ layers: (ticked.length ? ticked : [l]).join(",") });
        $("layers").querySelector(`[value=${l}]`).focus();
      });
      label.append(input, " ", t(layerNames[l]));
      return label;
    }));
  }

  // idle shows nothing of a file.
  function idle() {
    running.abort();
    running = new AbortController();
    job = null;
    for (const id of ["get", "order", "cancel", "work", "how"]) $(id).hidden = true;
    $("size").textContent = $("split").textContent = $("step").textContent = "";
  }

  // fileAt offers a file.
  function fileAt(address, name) {
    Object.assign($("get"), { href: address, hidden: false });
    $("get").setAttribute("download", name ?? "");
  }

  async function show() {
    idle();
    say("");
    const { signal } = running, { place, form, system } = choice;
    document.querySelector(`#forms [value=${form.id}]`).checked = true;
    drawLayers();
    $("system-part").hidden = !form.system;
    $("system").replaceChildren(...systemsOf(form).map(([code, name]) => element("option", `${t(name)} (EPSG:${code})`, { value: code })));
    if (form.system) $("system").value = String(system);
    if (!place) { $("place").textContent = ""; $("size").textContent = t("Choose a place first."); return; }
    document.body.setAttribute("aria-busy", "true");
    try {
      const [known, size] = await Promise.all([named(place), json(sizeRequest(choice), { signal }).catch((e) => { if (e.status === 404) return null; throw e; })]);
      if (signal.aborted) return;
      if (!known || !size) { $("place").textContent = ""; say(t("No place has the code {code}.", { code: place.code })); return; }
      $("place").textContent = `${known.title}${known.detail ? ` (${known.detail})` : ""}`;
      told(size);
    } catch (e) {
      if (!signal.aborted) failed(e);
    } finally {
      if (!signal.aborted) document.body.setAttribute("aria-busy", "false");
    }
  }

  // told shows how large the file is and how it comes.
  function told(size) {
    const address = request(choice);
    const parts = [size.kgs === 1 ? t("1 KG") : t("{n} KGs", { n: number(size.kgs) }), sized(size.bytes, size.estimated ? "about {size} {unit} (estimated)" : "{size} {unit}")];
    const coming = size.kgs_not_at_hand - size.kgs_unavailable_count;
    if (coming) parts.push(t("{n} of them have to be loaded first.", { n: number(coming) }));
    if (size.kgs_unavailable_count) parts.push(t("{n} of them cannot be had here: the file is without them.", { n: number(size.kgs_unavailable_count) }));
    if (size.from === "job") parts.push(t("The file is written for you, which takes some minutes."));
    $("size").textContent = parts.join(" · ");
    if (size.from === "none") {
      $("split").replaceChildren(t("The area is too large for one file. Its parts:"), " ", ...(size.split ?? []).flatMap((part, i) => [element("a", t("Part {n}", { n: i + 1 }), { href: `${address.replace(/\?[^&]*/, `?${part}`)}` }), " "]));
      return;
    }
    if (size.from === "job") $("order").hidden = false;
    else fileAt(address);
    $("curl").textContent = `curl -L -O -J '${location.origin}${address}'`;
    $("how").hidden = false;
  }

  // order has a job write the file, and follows it.
  async function order() {
    const { signal } = running, address = request(choice);
    $("order").hidden = true;
    $("work").hidden = false;
    $("progress").removeAttribute("value");
    $("step").textContent = t("waiting");
    try {
      const reply = await fetch(`${address}&job=true`, { redirect: "manual", signal });
      if (reply.type === "opaqueredirect") { ended(); fileAt(address); return; } // the file is there
      const said = await reply.json();
      if (reply.status !== 202) throw Object.assign(new Error(said.error), { english: true });
      job = said.status_url;
      $("cancel").hidden = false;
      await follow(signal);
    } catch (e) {
      if (signal.aborted) return;
      ended();
      $("order").hidden = false;
      failed(e);
    }
  }

  const ended = () => { $("work").hidden = $("cancel").hidden = true; };

  async function follow(signal) {
    for (;;) {
      const state = await json(`${job}?redirect=false`, { signal });
      $("progress").value = state.progress;
      $("step").textContent = t("{percent} %, {done} of {all} KGs", { percent: number(100 * state.progress), done: number(state.kgs_done), all: number(state.kgs) });
      if (state.status === "done") {
        ended();
        $("size").textContent = [sized(state.bytes, "The file is ready: {size} {unit}."), state.kgs_unavailable.length ? t("Without {n} KGs that could not be read: {list}", { n: number(state.kgs_unavailable.length), list: state.kgs_unavailable.slice(0, 50).join(", ") }) : ""].join(" ");
        fileAt(state.file_url, state.file_url.split("/").pop());
        $("get").focus();
        return;
      }
      if (state.status === "failed" || state.status === "cancelled") {
        ended();
        $("order").hidden = false;
        $("size").textContent = t("The file was not written.");
        if (state.error) say(state.error, true);
        return;
      }
      await new Promise((done) => setTimeout(done, every));
      if (signal.aborted) return;
    }
  }

  $("order").addEventListener("click", order);
  $("cancel").addEventListener("click", () => { json(job, { method: "DELETE" }).catch(failed); });
  bar.hear((now) => { choice = chosen(now); show(); });
  await show();
  document.body.dataset.ready = "true";
  document.body.setAttribute("aria-busy", "false");
}

start().catch((e) => { failed(e); document.body.dataset.ready = "true"; });
