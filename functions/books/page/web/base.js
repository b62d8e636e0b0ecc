
// ---- elements and words

const $ = (id) => document.getElementById(id);
const german = (navigator.language || "en").toLowerCase().startsWith("de");

// t is a text in the reader's language; {name} stands for a value.
function t(english, values) {
  let s = german && words[english] !== undefined ? words[english] : english;
  for (const [name, value] of Object.entries(values || {})) s = s.replaceAll("{" + name + "}", String(value));
  return s;
}

function el(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name in e && name !== "list" && name !== "form") e[name] = value; else e.setAttribute(name, value);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined));
  return e;
}

function show(e, on) { e.hidden = !on; }
function say(text) { $("live").textContent = text; }

const locale = /^(de|en)\b/i.test(navigator.language) ? navigator.language : "en";
const number = (n) => Number(n).toLocaleString(locale);
const when = (text) => {
  const d = new Date(text);
  return text && !isNaN(d) ? d.toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" }) : "";
};
// day is the last day of what ends at an instant: one that ends at midnight ends with the day before.
const day = (text) => {
  const d = new Date(Date.parse(text) - 1);
  return text && !isNaN(d) ? d.toLocaleDateString(locale, { dateStyle: "long", timeZone: "UTC" }) : "";
};
function bytes(n) {
  if (n < 1000) return n + " B";
  if (n < 1e6) return Math.round(n / 1e3) + " kB";
  return (n / 1e6).toLocaleString(locale, { maximumFractionDigits: 1 }) + " MB";
}

function translate() {
  document.documentElement.lang = german ? "de" : "en";
  if (!german) return;
  document.title = t(document.title);
  for (const e of document.querySelectorAll("[data-t]")) e.textContent = t(e.textContent.trim());
  for (const e of document.querySelectorAll("[data-t-label]")) e.setAttribute("aria-label", t(e.getAttribute("aria-label")));
}

// ---- errors at fields

function clearErrors(form) {
  for (const e of form.querySelectorAll(".error")) { e.hidden = true; e.textContent = ""; }
  for (const e of form.querySelectorAll("[aria-invalid]")) e.removeAttribute("aria-invalid");
}

// wrong marks a field and writes beside it what is wrong; false where there is no such field.
function wrong(id, message) {
  const input = $(id), at = $(id + "-error");
  if (!at) return false;
  at.textContent = at.textContent ? at.textContent + " " + message : message;
  at.hidden = false;
  if (input) input.setAttribute("aria-invalid", "true");
  return true;
}

function focusWrong(form) {
  const first = form.querySelector("[aria-invalid=true]");
  if (first) first.focus();
}

// ---- asking the service

const session = { token: "", project: 0, client: "", slug: "", pass: null };

// ask gives {ok, status, body}; status 0 is no answer at all. A password that is no longer right signs out.
async function ask(method, path, value, signal) {
  const init = { method, headers: { "X-Auth-Token": session.token, Accept: "application/json" }, cache: "no-store", signal };
  if (value !== undefined) {
    init.body = JSON.stringify(value);
    init.headers["Content-Type"] = "application/json";
  }
  let r;
  try {
    r = await fetch("api/" + path, init);
  } catch (e) {
    if (e.name === "AbortError") throw e;
    return { ok: false, status: 0, body: {} };
  }
  let body = await r.json().catch(() => ({}));
  if (body === null || typeof body !== "object") body = {};
  if (r.status === 401 && session.pass) signOut(t("The password is no longer right. Sign in again."));
  return { ok: r.ok, status: r.status, body };
}

// plain is an answer that was no success in words for the author.
function plain(a) {
  switch (a.status) {
    case 0: return t("The service cannot be reached. Check your connection and try again.");
    case 401: return t("The project or the password is not right.");
    case 402: return a.body.addon === "index" ? t("An index needs the add-on of your pass. Ask the studio for it, or build without it.")
      : t("No finals are left on your pass. Ask the studio for more; proofs are still free.");
    case 403: return t("The project has no live pass. Ask the studio to renew it.");
    case 404: return t("This is not there (any more).");
    case 409: {
      const why = (a.body.error || "").replace(/^the manuscript cannot be read: /, "");
      return /build of the project/.test(why) ? t("A build of this project is already running. Wait until it ends.") : translated(why) || t("This cannot be done just now.");
    }
    case 413: return t("The file is larger than 50 MB. Make its pictures smaller and try again.");
    case 429: return t("30 proofs were built in the last 24 hours: no more for now. Read one of them, or try again later.");
  }
  if (a.status === 400 && (a.body.errors || []).some((e) => e.parameter === "index")) return t("There is no index to set: make a draft of it first, under Index.");
  if (a.status >= 500) return t("The press has a fault of its own. Try again in a minute.");
  return translated(a.body.error) || t("The press has a fault of its own. Try again in a minute.");
}

// details gives the members an answer complains of: [[name, sentence]].
function complaints(body) {
  const out = [];
  const add = (name, sentence) => { if (name && sentence) out.push([String(name), translated(String(sentence))]); };
  for (const e of Array.isArray(body.errors) ? body.errors : []) {
    if (typeof e === "string") { const m = /^([\w.[\]]+)(?: \(.*?\))?: (.*)$/s.exec(e); if (m) add(m[1], m[2]); continue; }
    const name = e.field || e.parameter || e.name;
    if (/^entries\[/.test(name)) { add(name, e.expected); continue; } // "expected" says what is wrong
    const whole = body.errors.length === 1 && typeof body.error === "string" && !/^parameter | is not allowed; /.test(body.error) ? body.error : ""; // a sentence of its own
    add(name, e.message || whole || t("Allowed: {what}", { what: translated(e.expected || e.allowed) }));
  }
  if (!out.length && body.field) add(body.field, body.message || body.error);
  if (!out.length && typeof body.error === "string") {
    for (const line of body.error.split("\n")) {
      const m = /^([\w.[\]]+)(?: \(.*?\))?: (.*)$/s.exec(line);
      if (m) add(m[1], m[2]);
    }
  }
  return out;
}

// told writes an error text of the press: the sentence, what stands near it, the technical part folded.
function told(at, text) {
  const sentence = [], detail = [];
  let near = "";
  for (const line of String(text || "").split("\n")) {
    if (/^Near: /.test(line)) near = line.slice(6);
    else if (/^Technical detail: /.test(line)) detail.push(line.slice(18));
    else if (detail.length) detail.push(line);
    else sentence.push(line);
  }
  const parts = [el("p", { textContent: translated(sentence.join(" ")) })];
  if (near) parts.push(el("p", { className: "near" }, el("b", { textContent: t("Near:") + " " }), el("q", { textContent: near.replace(/^“|”$/g, "") })));
  if (detail.length) parts.push(el("details", {}, el("summary", { textContent: t("Technical detail") }), el("pre", { textContent: detail.join("\n") })));
  at.replaceChildren(...parts);
  show(at, true);
}
