"use strict";
const spec = document.getElementById("spec");
const base = spec.getAttribute("href").replace(/\/openapi\.json$/, "");
const maxShown = 200000; // letters of an answer

function el(tag, attributes, ...children) {
  const e = document.createElement(tag);
  Object.assign(e, attributes);
  e.append(...children);
  return e;
}

// Text in which `code` is set as code.
function prose(tag, attributes, text) {
  return el(tag, attributes, ...text.split(/`([^`]+)`/).map((part, i) => i % 2 ? el("code", {textContent: part}) : part));
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
  if (s.minimum !== undefined && s.maximum !== undefined) bounds.push(`From ${s.minimum} to ${s.maximum}.`);
  else if (s.minimum !== undefined) bounds.push(`At least ${s.minimum}.`);
  else if (s.maximum !== undefined) bounds.push(`At most ${s.maximum}.`);
  if (choices && s.type === "array") bounds.push(`Any of ${choices.join(", ")}, as a comma list.`);
  const label = el("label", {}, el("b", {textContent: p.name}));
  if (p.required) label.append(el("i", {className: "req", textContent: " required"}));
  label.append(prose("span", {}, [p.description || "", bounds.join(" ")].join(" ").trim()), input);
  return label;
}

async function send(path, method, op, form, out) {
  let url = path;
  const query = new URLSearchParams();
  for (const p of op.parameters || []) {
    const v = form.elements[p.name].value;
    if (p.in === "path") url = url.replace("{" + p.name + "}", encodeURIComponent(v));
    else if (v !== "") query.set(p.name, v);
  }
  const q = query.toString();
  url = base + url + (q ? "?" + q : "");
  const init = {method: method.toUpperCase()};
  if (form.elements["request body"]) {
    init.body = form.elements["request body"].value;
    init.headers = {"Content-Type": "application/json"};
  }
  out.replaceChildren(el("p", {textContent: "Waiting for the answer…"}));
  try {
    const start = performance.now(), r = await fetch(url, init), blob = await r.blob();
    const ms = Math.round(performance.now() - start);
    const head = [...r.headers].map(([k, v]) => k + ": " + v).join("\n");
    const type = r.headers.get("Content-Type") || "";
    const parts = [
      el("p", {}, el("code", {textContent: method.toUpperCase() + " " + url})),
      el("p", {className: r.ok ? "ok status" : "bad status", textContent: r.status + " " + r.statusText + " · " + blob.size + " bytes · " + ms + " ms"}),
      el("details", {}, el("summary", {textContent: "Headers"}), el("pre", {className: "headers", textContent: head})),
    ];
    if (/json|text|javascript|xml/.test(type)) {
      let text = await blob.slice(0, maxShown).text();
      if (/json$/.test(type.split(";")[0]) && blob.size <= maxShown) {
        try { text = JSON.stringify(JSON.parse(text), null, 2); } catch (e) { /* shown as it came */ }
      }
      parts.push(el("pre", {className: "body", textContent: blob.size > maxShown ? text + "\n… (" + blob.size + " bytes)" : text}));
    }
    const link = URL.createObjectURL(blob), name = /filename="([^"]+)"/.exec(r.headers.get("Content-Disposition") || "");
    parts.push(el("p", {}, el("a", {href: link, download: name ? name[1] : "answer", textContent: "Save the body"})));
    out.replaceChildren(...parts);
  } catch (e) {
    out.replaceChildren(el("p", {className: "bad", textContent: "No answer: " + e.message}));
  }
}

function operation(path, method, op) {
  const form = el("form", {}), out = el("div", {className: "answer", role: "status"});
  const values = exampleValues(path, op), fields = el("div", {className: "fields"});
  for (const p of op.parameters || []) fields.append(field(p, values[p.name]));
  form.append(fields);
  if (op.requestBody) {
    const area = el("textarea", {name: "request body", spellcheck: false, value: op["x-example-body"] || ""});
    form.append(el("label", {}, el("b", {textContent: "request body"}), prose("span", {}, op.requestBody.description || ""), area));
  }
  form.append(el("button", {type: "submit", textContent: "Send"}));
  form.addEventListener("submit", ev => { ev.preventDefault(); send(path, method, op, form, out); });
  const d = el("details", {className: "op", id: op.operationId},
    el("summary", {}, el("span", {className: "method", textContent: method.toUpperCase()}), el("span", {className: "path", textContent: path}), prose("span", {className: "what"}, op.summary || "")),
    el("div", {}, ...paragraphs(op.description || ""), form, out));
  d.dataset.text = (method + " " + path + " " + (op.summary || "")).toLowerCase();
  return d;
}

async function draw() {
  const doc = await (await fetch(spec.href)).json();
  document.title = document.getElementById("title").textContent = doc.info.title;
  document.getElementById("version").textContent = "Version " + doc.info.version + ", ";
  document.getElementById("about").replaceChildren(...paragraphs(doc.info.description || ""));
  const groups = new Map();
  for (const [path, item] of Object.entries(doc.paths)) {
    for (const [method, op] of Object.entries(item)) {
      const tag = (op.tags || ["Endpoints"])[0];
      if (!groups.has(tag)) groups.set(tag, []);
      groups.get(tag).push(operation(path, method, op));
    }
  }
  const list = document.getElementById("list");
  for (const [tag, ops] of groups) list.append(el("section", {}, el("h2", {textContent: tag}), ...ops));
  const open = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (open) { open.open = true; open.scrollIntoView(); }
  const find = document.getElementById("find"), none = document.getElementById("none");
  find.hidden = false;
  find.addEventListener("input", () => {
    const words = find.value.toLowerCase().split(/\s+/);
    for (const d of list.querySelectorAll("details.op")) d.hidden = !words.every(w => d.dataset.text.includes(w));
    for (const s of list.querySelectorAll("section")) s.hidden = !s.querySelector("details.op:not([hidden])");
    none.textContent = list.querySelector("section:not([hidden])") ? "" : "No endpoint matches.";
  });
}
draw().catch(e => { document.getElementById("list").textContent = "openapi.json cannot be read: " + e.message; });
