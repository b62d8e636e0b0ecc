// The page's address holds the whole view. What is chosen in the cadastre stands in the path and the query (/p/{parcel},
// ?compare=...); the rest in the fragment, which is never sent to a server: areas that people draw are nobody's business.
//
//	#map=zoom/latitude/longitude & on=layers & find=filter & area=... & in=1 & rasters=... & ask=... & task=... & file=... & hide=... & line=... & measure=...
//
// What a reader does is an entry of the history; where the map stands is written into the entry that is there.
import { read } from "./view.js";
import { inLanguage, languageOf } from "./words.js";

/** written is the fragment of members; those without a value are left out. Signs that addresses may hold are kept readable. */
export function written(members) {
  const parts = Object.entries(members).filter(([, v]) => v !== undefined && v !== null && v !== "").map(([name, v]) => `${name}=${encodeURIComponent(v).replace(/%(2F|2C|3A|3B|7E)/g, decodeURIComponent)}`);
  return parts.length ? `#${parts.join("&")}` : "";
}

/** addressBar keeps the members. Its parts set what they show and hear what the reader went back or forward to. */
export function addressBar({ location, history, window }) {
  let members = read(location.hash);
  const listeners = [];
  const language = languageOf(location.search), url = (path) => inLanguage(path, language) + written(members);
  const here = () => location.pathname + location.search;

  addEventListenerOf(window, () => {
    const before = members;
    members = read(location.hash);
    for (const hear of listeners) hear(members, before);
  });

  return {
    get: (name) => members[name],
    all: () => ({ ...members }),
    /** set changes members. push makes an entry of the history, where something is different. */
    set(change, { push = false } = {}) {
      const next = { ...members, ...change };
      if (written(next) === written(members)) return;
      members = next;
      history[push ? "pushState" : "replaceState"](null, "", url(here()));
    },
    /** go changes the path and the query, and members with them. */
    go(path, { push = true, change = {} } = {}) {
      if (inLanguage(path, language) === here() && push) { this.set(change, { push }); return; }
      members = { ...members, ...change };
      history[push ? "pushState" : "replaceState"](null, "", url(path));
    },
    /** hear is told (members, those before) when the reader went back or forward, or wrote another fragment. */
    hear(listener) { listeners.push(listener); },
  };
}

const addEventListenerOf = (window, listener) => window.addEventListener("popstate", listener);

/** legendState keeps what is ticked and chosen in the legend: the boxes by name, the lists by name and value. */
export function legendState(box, bar) {
  const boxes = () => [...box.querySelectorAll("input[type=checkbox][name]")], lists = () => [...box.querySelectorAll("select[name]")].filter((s) => s.checkVisibility?.() ?? true);
  let restoring = false;
  const text = () => [...boxes().filter((b) => b.checked).map((b) => b.name), ...lists().filter((s) => s.value && s.selectedIndex > 0).map((s) => `${s.name}:${s.value}`)].join(",");
  box.addEventListener("change", (e) => { if (!restoring && e.target.name) bar.set({ on: text() }, { push: true }); });

  /** restore ticks what a text says, and gives the names that it does not know. */
  async function restore(said = "") {
    const wanted = new Map(said.split(",").filter(Boolean).map((part) => part.split(/:(.*)/s).slice(0, 2)));
    restoring = true;
    for (const b of boxes()) if (b.checked !== wanted.has(b.name)) { b.checked = wanted.has(b.name); b.dispatchEvent(new Event("change", { bubbles: true })); }
    for (const s of lists()) {
      const value = wanted.get(s.name) ?? s.options[0]?.value;
      if (value !== undefined && s.value !== value && [...s.options].some((o) => o.value === value)) { s.value = value; s.dispatchEvent(new Event("change", { bubbles: true })); }
    }
    restoring = false;
    const known = new Set([...boxes(), ...box.querySelectorAll("select[name]")].map((e) => e.name));
    return [...wanted.keys()].filter((name) => !known.has(name));
  }
  return { restore };
}
