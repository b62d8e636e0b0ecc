// The way to measuring: a button among the map's controls; the script is loaded when it is pressed for the first time, or an
// address says what was measured.
import { t } from "./words.js";

/** measurePanel adds the button to the map and wires the panel; keys says what keys do, ready is the map's, begin() is called before its clicks are taken. */
export function measurePanel({ map, bar, mode, panel, keys, say, ready, begin }) {
  const button = document.createElement("button"), icon = document.createElement("span"), box = document.createElement("div");
  Object.assign(button, { type: "button", className: "measure", title: t("Measure"), ariaLabel: t("Measure"), ariaPressed: "false" });
  icon.className = "maplibregl-ctrl-icon";
  icon.setAttribute("aria-hidden", "true");
  box.className = "maplibregl-ctrl maplibregl-ctrl-group";
  button.append(icon);
  box.append(button);
  map.addControl({ onAdd: () => box, onRemove: () => box.remove() }, "top-right");

  // What keys do on the map is said to who uses them.
  const otherwise = keys.textContent;
  let on = false, loading = null, script = null;

  const load = () => {
    loading ??= Promise.all([import("./measure/measuring.js"), ready]).then(([found]) => ({ ...found, made: found.measuring({ map, bar, mode, panel, close }) }));
    loading.catch((e) => { loading = null; say(e.message); });
    return loading;
  };

  // set begins or ends; false where the reader ended before the script was there.
  async function set(want) {
    if (on === want) return on;
    on = want;
    button.ariaPressed = String(on);
    keys.textContent = on ? t("Arrow keys move the map, plus and minus zoom, Enter sets a corner in the middle, Backspace takes it back, Escape ends.") : otherwise;
    if (!on) {
      const focused = panel.contains(document.activeElement);
      panel.hidden = true;
      script?.end();
      if (focused) button.focus();
      return false;
    }
    begin();
    try { script = (await load()).made; } catch { await set(false); }
    if (on) panel.hidden = false;
    return on;
  }

  /** close ends measuring and takes it out of the address. */
  function close() {
    set(false);
    bar.set({ measure: "" }, { push: true });
  }

  button.addEventListener("click", async () => {
    if (on) { close(); return; }
    if (!(await set(true))) return;
    script.begin();
    map.getCanvas().focus();
  });

  return {
    /** takes says whether the map's clicks are measuring's. */
    takes: () => on,
    /** end leaves the map to something else. */
    end: () => { if (on) close(); },
    /** restore shows what an address says; what is no measurement is passed over. */
    async restore(text) {
      const found = text ? (await load().catch(() => null))?.measureIn(text) : null;
      if (!found) { set(false); return; }
      if (await set(true)) script.restore(found);
    },
  };
}
