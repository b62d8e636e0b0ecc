
// ---- signing in and out

const kept = "books-session";

// The cookie lets plain links (downloads, the report) carry the password; it ends with the browser's session.
function cookie(on) {
  const path = location.pathname.replace(/[^/]*$/, "");
  document.cookie = "prodcal_auth_" + session.project + "=" + (on ? session.token : "") + "; path=" + path + "; SameSite=Strict" +
    (location.protocol === "https:" ? "; Secure" : "") + (on ? "" : "; Max-Age=0");
}

function store(name, value) {
  try {
    if (value === null) sessionStorage.removeItem(name); else sessionStorage.setItem(name, value);
  } catch { /* a browser that keeps nothing: a reload asks for the password again */ }
}
function stored(name) {
  try { return sessionStorage.getItem(name); } catch { return null; }
}

// find gives the number of a project: it is one already, or the client's list has it.
async function find(text) {
  if (/^\d{1,12}$/.test(text)) return { id: Number(text) };
  const m = /^([a-z0-9-]+)\/([a-z0-9-]+)$/i.exec(text);
  if (!m) return { message: t("Type the number of the project, or customer/project.") };
  const a = await ask("GET", "clients/" + encodeURIComponent(m[1].toLowerCase()) + "/projects");
  if (!a.ok) return { answer: a };
  const rows = a.body.projects || [];
  const row = rows.find((p) => p.project_slug === m[2].toLowerCase());
  return row ? { id: row.id, name: m[1].toLowerCase() + "/" + row.project_slug } : { answer: { status: 401, body: {} } };
}

async function signIn(project, token) {
  session.token = token;
  const found = await find(project);
  let a = found.answer;
  if (found.id) {
    session.project = found.id;
    a = await ask("GET", "projects/" + found.id + "/pass");
  }
  if (!found.id || !a.ok) {
    session.token = "";
    return found.message ? { field: "project", message: found.message } : { field: "token", message: plain(a) };
  }
  session.pass = a.body;
  session.name = found.name || t("project {n}", { n: project });
  cookie(true);
  store(kept, JSON.stringify({ project, token }));
  return null;
}

function signOut(message) {
  stopWatching();
  if (sending) sending.abort();
  if (session.project) cookie(false);
  Object.assign(session, { token: "", project: 0, pass: null });
  store(kept, null);
  Object.assign(form, { loaded: 0, changed: false });
  forgetIndex();
  forgetPages();
  chosen++;
  state.books = [];
  state.book = null;
  show($("work"), false);
  show($("pass"), false);
  show($("leave"), false);
  show($("signin"), true);
  $("token").value = "";
  $("brand").textContent = t("The book press");
  notice(message || "");
  $(message ? "token" : "project").focus();
}

function notice(text) {
  $("notice").textContent = text;
  show($("notice"), Boolean(text));
}

function drawPass() {
  const p = session.pass || {};
  const parts = [];
  if (p.exists === false) parts.push(t("no pass"));
  else {
    const n = p.credits_remaining ?? 0;
    parts.push(n === 1 ? t("1 final left") : t("{n} finals left", { n: number(n) }));
    if (p.expires_at) parts.push(p.live ? t("pass until {day}", { day: day(p.expires_at) }) : t("pass ended {day}", { day: day(p.expires_at) }));
    else if (!p.live) parts.push(t("pass not live"));
  }
  $("brand").textContent = p.customer_name ? p.customer_name + " · " + session.name : session.name;
  $("pass").textContent = parts.join(" · ");
  $("pass").classList.toggle("bad", !p.live);
  show($("pass"), true);
  show($("leave"), true);
  if (!p.live) notice(t("The project has no live pass: you can read and download, but not upload, check or build."));
}

async function refreshPass() {
  const a = await ask("GET", "projects/" + session.project + "/pass");
  if (a.ok) { session.pass = a.body; drawPass(); drawCost(); }
}

$("signin-form").addEventListener("submit", async (e) => {
  e.preventDefault();
  const form = e.currentTarget;
  clearErrors(form);
  const project = $("project").value.trim(), token = $("token").value.trim();
  if (!project) wrong("project", t("Type the number of the project, or customer/project."));
  if (!token) wrong("token", t("Type the password."));
  else if (!/^[\x21-\x7e]+$/.test(token) || /[;,"\\]/.test(token)) wrong("token", t("The project or the password is not right."));
  if (form.querySelector("[aria-invalid]")) return focusWrong(form);
  document.body.dataset.busy = "true";
  const fault = await signIn(project, token);
  document.body.dataset.busy = "false";
  if (fault) {
    wrong(fault.field, fault.message);
    return focusWrong(form);
  }
  notice("");
  await enter();
  $(partNow() + "-title").focus({ preventScroll: true });
});
$("leave").addEventListener("click", () => signOut());
