// The compound filter as a form. It is made from the filters that the service describes: ranges of columns, lists of values, the
// state, district and municipality, types of objects with their bounds.
import { element, english } from "../dom.js";
import { plain } from "../land/analyses.js";
import { t } from "../words.js";

const labelled = (text, input) => { const of = element("label", text); of.append(input); return of; };
const unitOf = (unit) => (unit ? `, ${unit}` : "");
const byName = (a, b) => a.title.localeCompare(b.title);

/** placesOf are the values of a place filter that occur: [code, name], by name; rows are all KGs, within what is chosen of those before. */
export function placesOf(filter, rows, chosen) {
  const found = new Map();
  for (const r of rows) if (chosen.every(([of, code]) => r[of.code] === code) && r[filter.code]) found.set(r[filter.code], r[filter.label] ?? r[filter.code]);
  return [...found].sort((a, b) => a[1].localeCompare(b[1]));
}

/** filterForm fills box. rows are all KGs, types those of objects; told(members) is what the reader asks for, every filter that is
 * not asked for with "". */
export function filterForm({ box, filters, rows, types, told }) {
  const form = element("form"), ranges = element("div", undefined, { className: "ranges" }), adder = element("select", undefined, { name: "add-range" });
  const of = (kind) => filters.filter((f) => f.kind === kind);
  box.replaceChildren(form);

  // ---- places, each within those before it
  const places = of("place").map((filter) => ({ filter, select: element("select", undefined, { name: filter.name }) }));
  function drawPlaces(values) {
    const chosen = [];
    for (const { filter, select } of places) {
      const wanted = values[filter.name] ?? "";
      select.replaceChildren(element("option", t("any"), { value: "" }), ...placesOf(filter, rows, chosen).map(([code, name]) => element("option", `${name} (${code})`, { value: code })));
      select.value = wanted;
      if (select.selectedIndex < 0) select.value = "";
      if (select.value) chosen.push([filter, select.value]);
    }
  }
  for (const { select } of places) select.addEventListener("change", () => drawPlaces(Object.fromEntries(places.map((p) => [p.filter.name, p.select.value]))));

  // ---- ranges of columns
  const range = (name) => of("range").find((f) => f.name === name);
  function addRange(name, low = "", high = "") {
    if (!range(name) || ranges.querySelector(`[data-column="${name}"]`)) return;
    const { column } = range(name), row = element("fieldset"), title = element("legend", t(column.title) + unitOf(column.unit));
    row.dataset.column = name;
    const bound = (side, label, value) => { const input = element("input", undefined, { type: "number", step: "any", name: `${side}_${name}`, value, inputMode: "decimal" }); return labelled(t(label), input); };
    const remove = element("button", "×", { type: "button", className: "quiet", title: t("Remove"), onclick: () => { row.remove(); drawAdder(); } });
    remove.setAttribute("aria-label", `${t("Remove")}: ${t(column.title)}`);
    row.append(title, bound("min", "at least", low), bound("max", "at most", high), remove);
    ranges.append(row);
    drawAdder();
  }
  function drawAdder() {
    const shown = new Set([...ranges.children].map((e) => e.dataset.column));
    const open = of("range").filter((f) => !shown.has(f.name)).map((f) => ({ name: f.name, title: t(f.column.title) + unitOf(f.column.unit) })).sort(byName);
    adder.replaceChildren(element("option", t("Choose a column …"), { value: "" }), ...open.map((f) => element("option", f.title, { value: f.name })));
  }
  adder.addEventListener("change", () => { const name = adder.value; addRange(name); ranges.querySelector(`[data-column="${name}"] input`)?.focus(); });

  // ---- types of objects with bounds
  const lines = new Map();
  function addLine(filter, text = "") {
    const list = lines.get(filter.name), [type = "", ...numbers] = text.split(":"), row = element("div", undefined, { className: "line" }), select = element("select");
    select.setAttribute("aria-label", `${t(filter.title ?? filter.name)}: ${t("Type")}`);
    select.append(element("option", t("any"), { value: "" }), ...types.map((v) => element("option", t(plain(v)), { value: v })));
    select.value = type;
    row.append(labelled(t("Type"), select), ...filter.parts.map((p, i) => labelled(t(p.title) + unitOf(p.unit), element("input", undefined, { type: "number", min: 0, step: "any", value: numbers[i] ?? "", inputMode: "decimal" }))));
    list.append(row);
  }
  const lineText = (row) => {
    const type = row.querySelector("select").value, numbers = [...row.querySelectorAll("input")].map((i) => i.value);
    while (numbers.length && numbers.at(-1) === "") numbers.pop();
    return type && [type, ...numbers].join(":");
  };

  // ---- the whole
  const place = element("div", undefined, { className: "fields" }), flags = element("p", undefined, { className: "flags" });
  place.append(...places.map(({ filter, select }) => labelled(t(filter.title), select)));
  for (const f of of("flag")) {
    const input = element("input", undefined, { type: "checkbox", name: f.name, value: "true" });
    const label = element("label");
    label.append(input, " ", t(f.title));
    flags.append(label);
  }
  const folded = (title, ...parts) => { const d = element("details"), s = element("summary", title); d.append(s, ...parts); return d; };
  const lists = of("list").map((f) => {
    const boxes = element("div", undefined, { className: "boxes" }), set = element("fieldset"), d = folded(t(f.title), set);
    d.dataset.filter = f.name;
    set.append(element("legend", t(f.title), { className: "unseen" }), boxes);
    for (const v of f.values) {
      const label = element("label");
      label.append(element("input", undefined, { type: "checkbox", name: f.name, value: v }), " ", t(plain(v)));
      boxes.append(label);
    }
    return d;
  });
  const objects = of("types").map((f) => {
    const list = element("div"), d = folded(t(titles[f.name] ?? f.name), list, element("button", t("Add a type"), { type: "button", className: "quiet", onclick: () => addLine(f) }), hint(f));
    d.dataset.filter = f.name;
    f.title = titles[f.name] ?? f.name;
    lines.set(f.name, list);
    return d;
  });
  const actions = element("p", undefined, { className: "actions" });
  actions.append(element("button", t("Apply"), { type: "submit" }), " ", element("button", t("Clear"), { type: "button", className: "quiet", name: "clear", onclick: () => { restore({}); tell(); } }));
  form.append(place, flags, ranges, labelled(t("Add a range"), adder), ...lists, ...objects, actions);

  const tell = () => told(values());
  form.addEventListener("submit", (e) => { e.preventDefault(); tell(); });

  /** values are the members that the form says. */
  function values() {
    const out = {};
    for (const f of of("place")) out[f.name] = form.elements[f.name].value;
    for (const f of of("flag")) out[f.name] = form.elements[f.name].checked ? "true" : "";
    for (const f of of("range")) for (const side of ["min", "max"]) out[`${side}_${f.name}`] = form.elements[`${side}_${f.name}`]?.value ?? "";
    for (const f of of("list")) out[f.name] = [...form.querySelectorAll(`input[name="${f.name}"]:checked`)].map((i) => i.value).join(",");
    for (const f of of("types")) out[f.name] = [...lines.get(f.name).children].map(lineText).filter(Boolean).join(",");
    return out;
  }

  /** restore shows what members say; column is one that gets a range in any case. */
  function restore(members, column) {
    drawPlaces(members);
    for (const f of of("flag")) form.elements[f.name].checked = members[f.name] === "true";
    ranges.replaceChildren();
    for (const f of of("range")) if (members[`min_${f.name}`] || members[`max_${f.name}`]) addRange(f.name, members[`min_${f.name}`], members[`max_${f.name}`]);
    if (column) addRange(column);
    drawAdder();
    for (const f of of("list")) {
      const chosen = (members[f.name] ?? "").split(",");
      for (const i of form.querySelectorAll(`input[name="${f.name}"]`)) i.checked = chosen.includes(i.value);
      if (members[f.name]) form.querySelector(`[data-filter="${f.name}"]`).open = true;
    }
    for (const f of of("types")) {
      lines.get(f.name).replaceChildren();
      for (const text of members[f.name] ? members[f.name].split(",") : [""]) addLine(f, text);
      if (members[f.name]) form.querySelector(`[data-filter="${f.name}"]`).open = true;
    }
  }
  return { restore, values };
}

const titles = { type_filters: "Types that the model is sure of", landcover_filters: "What a KG has of a type" };
const hint = (f) => { const p = element("p", undefined, { className: "hint" }); p.append(english(f.doc.replace(/^[^;]*;[^:]*: /, ""))); return p; };
