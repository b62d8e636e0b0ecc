const spec = document.getElementById("spec");
const base = spec.getAttribute("href").replace(/\/openapi\.json$/, "");
// The description is asked for in German where the service has it so.
const told = inGerman && spec.dataset.languages.split(" ").includes("de") ? "de" : "en";
if (told === "de") spec.href += "?lang=de";
const maxShown = 200000; // letters of an answer
let doc;

// Groups in the order of their use: what people come for, then the interfaces of other programs, then what is about the service
// itself, operators' calls last. A group that stands in neither list comes between the two.
const first = ["Search", "Spatial", "Context", "Query", "Search over all KGs", "Land use", "Land prices", "Overlays", "Nature", "Laws", "Names", "Map", "Versions", "Export", "Terrain", "Trees", "Segments", "Changes",
  "Data", "Expansion", "Manuscript", "Build", "Feed"];
const last = ["Tasks", "Shares", "Cadastre", "Registers", "KG universe", "Cells", "OGC API", "OGC API Processes", "STAC", "Discovery", "Service", "Documentation", "Feedback", "Sibling contract", "Write", "Diagnostics", "Processing", "Processing and archive"];
const rank = (tag) => first.includes(tag) ? first.indexOf(tag) : last.includes(tag) ? 1000 + last.indexOf(tag) : 500;

function el(tag, attributes, ...children) {
  const e = document.createElement(tag);
  Object.assign(e, attributes);
  e.append(...children);
  return e;
}

// Text of openapi.json in which `code` is set as code. The unit at its end is written for programs, in every language alike.
function prose(tag, attributes, text) {
  return el(tag, Object.assign({lang: told}, attributes), ...text.replace(/\bUnit: (?=[^.]+\.)/, t("Unit") + ": ").split(/`([^`]+)`/).map((part, i) => i % 2 ? el("code", {textContent: part}) : part));
}

// A description as paragraphs: an empty line ends one, other line ends are those of its source.
function paragraphs(text) {
  return text.split(/\n\s*\n/).map((part) => part.replace(/\s*\n\s*/g, " ").trim()).filter(Boolean).map((part) => prose("p", {}, part));
}

// The values of the example request, by parameter.
function exampleValues(path, op) {
  const values = {};
  if (!op["x-example"]) return values;
  const [examplePath, query] = op["x-example"].split("?");
  new URLSearchParams(query || "").forEach((v, k) => { values[k] = v; });
  const parts = examplePath.split("/");
  path.split("/").forEach((p, i) => {
    const m = /^\{(.+)\}$/.exec(p);
    if (m && parts[i] !== undefined) values[m[1]] = decodeURIComponent(parts[i]);
  });
  return values;
}

function field(p, value) {
  const s = p.schema || {}, choices = (s.items || s).enum;
  let input;
  if (s.type === "boolean") {
    input = el("select", {}, el("option", {value: ""}), el("option", {value: "true"}, "true"), el("option", {value: "false"}, "false"));
  } else if (choices && s.type !== "array") {
    input = el("select", {}, el("option", {value: ""}), ...choices.map(c => el("option", {value: c}, c)));
  } else {
    input = el("input", {type: "text", autocomplete: "off", spellcheck: false});
    const d = s.default !== undefined ? s.default : p.example;
    if (d !== undefined) input.placeholder = Array.isArray(d) ? d.join(",") : String(d);
  }
  input.name = p.name;
  input.value = value === undefined ? "" : value;
  const bounds = [];
  if (s.minimum !== undefined && s.maximum !== undefined) bounds.push(t("From {from} to {to}.", {from: s.minimum, to: s.maximum}));
  else if (s.minimum !== undefined) bounds.push(t("At least {from}.", {from: s.minimum}));
  else if (s.maximum !== undefined) bounds.push(t("At most {to}.", {to: s.maximum}));
  if (choices && s.type === "array") bounds.push(t("Any of {list}, as a comma list.", {list: choices.join(", ")}));
  const label = el("label", {}, el("b", {textContent: p.name}));
  if (p.required) label.append(el("i", {className: "req", textContent: " " + t("required")}));
  const span = prose("span", {}, p.description || "");
  if (bounds.length) span.append(" ", el("span", {lang: inGerman ? "de" : "en", className: "bound", textContent: bounds.join(" ")}));
  label.append(span, input);
  return label;
}

// The request that a form says.
function requestOf(path, method, op, form) {
  let url = path;
  const query = new URLSearchParams(), headers = {}, said = (name) => form.elements.namedItem(name)?.value ?? ""; // a parameter may be called item or length
  for (const p of op.parameters || []) {
    const v = said(p.name);
    if (p.in === "path") url = url.replace("{" + p.name + "}", encodeURIComponent(v));
    else if (v !== "") query.set(p.name, v);
  }
  const body = said("request body"), token = said("bearer token");
  if (body) headers["Content-Type"] = Object.keys(op.requestBody.content)[0];
  if (token) headers.Authorization = "Bearer " + token;
  const q = query.toString(), wanted = query.get("format") || (op.parameters || []).find((p) => p.name === "format")?.schema.default || "json";
  return {method: method.toUpperCase(), url: new URL(base + url + (q ? "?" + q : ""), location.href).href, headers, body, json: /^(json|geojson)$/.test(wanted) && "application/json" in (okOf(op).content || {"application/json": 1})};
}

async function send(request, out) {
  out.replaceChildren(el("p", {textContent: t("Waiting for the answer…")}));
  try {
    const start = performance.now(), init = {method: request.method, headers: request.headers};
    if (request.body) init.body = request.body;
    const r = await fetch(request.url, init), blob = await r.blob();
    const ms = Math.round(performance.now() - start);
    const head = [...r.headers].map(([k, v]) => k + ": " + v).join("\n");
    const type = r.headers.get("Content-Type") || "";
    const parts = [
      el("p", {className: r.ok ? "ok status" : "bad status", textContent: [r.status + " " + r.statusText, t("{n} bytes", {n: blob.size.toLocaleString(locale)}), ms + " ms"].join(" · ")}),
      el("details", {}, el("summary", {textContent: t("Headers")}), el("pre", {className: "headers", tabIndex: 0, textContent: head})),
    ];
    if (/json|text|javascript|xml/.test(type)) {
      let text = await blob.slice(0, maxShown).text();
      if (/json$/.test(type.split(";")[0]) && blob.size <= maxShown) {
        try { text = JSON.stringify(JSON.parse(text), null, 2); } catch (e) { /* shown as it came */ }
      }
      parts.push(el("pre", {className: "body", tabIndex: 0, textContent: blob.size > maxShown ? text + "\n… (" + t("{n} bytes", {n: blob.size.toLocaleString(locale)}) + ")" : text}));
    }
    const link = URL.createObjectURL(blob), name = /filename="([^"]+)"/.exec(r.headers.get("Content-Disposition") || "");
    parts.push(el("p", {}, el("a", {href: link, download: name ? name[1] : "answer", textContent: t("Save the body")})));
    out.replaceChildren(...parts);
  } catch (e) {
    out.replaceChildren(el("p", {className: "bad", textContent: t("No answer: {why}", {why: e.message})}));
  }
}

// The form to try an operation: what is required or in the example first, the rest folded.
function formOf(path, op) {
  const form = el("form", {}), values = exampleValues(path, op), shown = el("div", {className: "fields"}), rest = el("div", {className: "fields"});
  for (const p of op.parameters || []) (p.required || values[p.name] !== undefined || op.parameters.length <= 4 ? shown : rest).append(field(p, values[p.name]));
  if (op.security && op.security.length) {
    const token = el("input", {type: "password", name: "bearer token", autocomplete: "off"});
    shown.append(el("label", {}, el("b", {textContent: t("token")}), el("span", {textContent: t("Sent as Authorization: Bearer; kept nowhere.")}), token));
  }
  form.append(shown);
  if (rest.children.length) form.append(el("details", {className: "rest"}, el("summary", {textContent: t("{n} further parameters", {n: rest.children.length})}), rest));
  if (op.requestBody) {
    const area = el("textarea", {name: "request body", spellcheck: false, value: op["x-example-body"] || ""});
    form.append(el("label", {}, el("b", {textContent: t("request body")}), prose("span", {}, op.requestBody.description || ""), area));
  }
  form.append(el("button", {type: "submit", textContent: t("Send")}));
  return form;
}

// The request of a form in the languages of programs, one of them in sight.
function sampleBox(now) {
  const code = el("pre", {className: "sample", tabIndex: 0}), row = el("div", {className: "tabs"}), copy = el("button", {type: "button", className: "small", textContent: t("Copy")});
  let language = "curl";
  const draw = () => {
    code.textContent = samples[language](now());
    for (const b of row.querySelectorAll("[aria-pressed]")) b.setAttribute("aria-pressed", String(b.textContent === language));
  };
  for (const name of Object.keys(samples)) {
    const b = el("button", {type: "button", className: "small", textContent: name});
    b.setAttribute("aria-pressed", "false");
    b.addEventListener("click", () => { language = name; draw(); });
    row.append(b);
  }
  copy.addEventListener("click", async () => {
    try { await navigator.clipboard.writeText(code.textContent); copy.textContent = t("Copied"); } catch (e) { getSelection().selectAllChildren(code); }
  });
  row.append(copy);
  return {box: el("section", {className: "samples"}, el("h3", {textContent: t("The same request in a program")}), row, code), draw};
}

// okOf is the answer of an operation where all goes well.
const okOf = (op) => op.responses[Object.keys(op.responses).find((s) => /^2/.test(s))] || {};

function table(head, rows) {
  const body = el("tbody", {}), tr = (cells) => el("tr", {}, ...cells);
  body.append(...rows.map(tr));
  return el("div", {className: "wide", tabIndex: 0, role: "group", ariaLabel: head[0]}, el("table", {}, el("thead", {}, tr(head.map((h) => el("th", {scope: "col", textContent: h})))), body));
}

function answerBox(op) {
  const content = okOf(op).content || {}, media = Object.keys(content).find((m) => m === "application/json") || Object.keys(content).find((m) => /json/.test(m)), parts = [];
  const rows = media ? fieldsOf(doc, content[media].schema) : [];
  if (rows.length) {
    const list = rows.map((r) => {
      const name = el("th", {scope: "row"}, el("code", {textContent: r.path.replace(/^.*\.(?=[^.]+$)/, "")}));
      name.dataset.depth = Math.min(r.depth, 5);
      name.title = r.path;
      return [name, el("td", {textContent: r.type.replace("list of", t("list of")) + (r.null ? " " + t("or null") : "")}), el("td", {textContent: r.unit}), prose("td", {}, r.text)];
    });
    parts.push(el("details", {open: rows.length <= 60}, el("summary", {}, el("h3", {textContent: t("What the answer holds")})), table([t("Field"), t("Type"), t("Unit"), t("Meaning")], list)));
  }
  else if (media) parts.push(el("h3", {textContent: t("What the answer holds")}), el("p", {className: "soft", textContent: t("That depends on what was asked for: the members are those of the result.")}));
  const others = Object.keys(content).filter((m) => m !== media);
  if (others.length) parts.push(el("p", {className: "soft"}, t("Other forms") + ": ", ...others.flatMap((m, i) => [i ? ", " : "", el("code", {textContent: m})])));
  const errors = Object.entries(op.responses).filter(([status]) => !/^[123]/.test(status)).map(([status, r]) => [el("th", {scope: "row", textContent: status}), prose("td", {}, r.description || "")]);
  parts.push(el("details", {}, el("summary", {}, el("h3", {textContent: t("Errors")})), table([t("Status"), t("Meaning")], errors)));
  return parts;
}

// What an operation shows when it is opened for the first time.
function fill(box, path, method, op) {
  const form = formOf(path, op), out = el("div", {className: "answer", role: "status"}), now = () => requestOf(path, method, op, form), {box: sample, draw} = sampleBox(now);
  form.addEventListener("input", draw);
  form.addEventListener("submit", (ev) => { ev.preventDefault(); send(now(), out); });
  const [gist, ...more] = paragraphs(op.description || "");
  box.append(...(gist ? [gist] : []), ...(more.length ? [el("details", {className: "rest"}, el("summary", {textContent: t("Order, limits, what is missing")}), ...more)] : []), ...(op.security && op.security.length ? [el("p", {className: "soft", textContent: t("This asks for a token.")})] : []),
    el("h3", {textContent: t("Try it")}), form, out, sample, ...answerBox(op));
  draw();
}

function operation(path, method, op) {
  const box = el("div", {});
  const d = el("details", {className: "op", id: op.operationId},
    el("summary", {}, el("span", {className: "method", textContent: method.toUpperCase()}), el("span", {className: "path", textContent: path}), prose("span", {className: "what"}, op.summary || "")), box);
  d.dataset.text = [method, path, op.summary || "", ...(op.tags || []).map((tag) => t(tag))].join(" ").toLowerCase();
  d.addEventListener("toggle", () => { if (d.open && !box.children.length) fill(box, path, method, op); });
  return d;
}

// openNamed shows the operation that the address names.
function openNamed() {
  let name = location.hash.slice(1);
  try { name = decodeURIComponent(name); } catch (e) { /* no percent encoding: as it is */ }
  const d = document.getElementById(name);
  if (!d) return;
  if (d.tagName === "DETAILS") d.open = true;
  d.scrollIntoView();
}

function contents(groups) {
  const nav = document.getElementById("contents"), list = el("ul", {});
  for (const [tag, ops] of groups) list.append(el("li", {}, el("a", {href: "#" + slug(tag), textContent: t(tag), lang: inGerman && tag in german ? "de" : "en"}), " ", el("span", {className: "soft", textContent: ops.length.toLocaleString(locale)})));
  const fold = el("details", {open: matchMedia("(min-width:1000px)").matches}, el("summary", {textContent: t("Endpoints")}), list);
  nav.setAttribute("aria-label", t("Endpoints"));
  nav.replaceChildren(fold);
}
const slug = (tag) => "group-" + tag.toLowerCase().replace(/[^a-z0-9]+/g, "-");

async function draw() {
  document.documentElement.lang = inGerman ? "de" : "en";
  doc = await (await fetch(spec.href)).json();
  document.title = document.getElementById("title").textContent = doc.info.title;
  document.getElementById("version").textContent = t("Version {v}, ", {v: doc.info.version});
  document.getElementById("described").textContent = t("described in");
  document.getElementById("about").replaceChildren(...paragraphs(doc.info.description || ""));
  const byTag = new Map();
  for (const [path, item] of Object.entries(doc.paths)) {
    for (const [method, op] of Object.entries(item)) {
      const tag = (op.tags || [t("Endpoints")])[0];
      if (!byTag.has(tag)) byTag.set(tag, []);
      byTag.get(tag).push(operation(path, method, op));
    }
  }
  const groups = [...byTag].sort((a, b) => rank(a[0]) - rank(b[0])), list = document.getElementById("list");
  for (const [tag, ops] of groups) list.append(el("section", {id: slug(tag)}, el("h2", {textContent: t(tag), lang: inGerman && tag in german ? "de" : "en"}), ...ops));
  contents(groups);
  openNamed();
  addEventListener("hashchange", openNamed);
  const find = document.getElementById("find"), none = document.getElementById("none");
  find.placeholder = t("Find an endpoint");
  find.setAttribute("aria-label", t("Find an endpoint"));
  find.hidden = false;
  find.addEventListener("input", () => {
    const words = find.value.toLowerCase().split(/\s+/);
    for (const d of list.querySelectorAll("details.op")) d.hidden = !words.every(w => d.dataset.text.includes(w));
    for (const s of list.querySelectorAll("main > section")) s.hidden = !s.querySelector("details.op:not([hidden])");
    none.textContent = list.querySelector("main > section:not([hidden])") ? "" : t("No endpoint matches.");
  });
  document.body.dataset.ready = "true";
}
draw().catch(e => { document.getElementById("list").textContent = t("openapi.json cannot be read: {why}", {why: e.message}); });
