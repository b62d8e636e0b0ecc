// The way to the landscape panel: its script is loaded when the panel is opened, a file is dropped on the page, or the address
// names something of it.
import { t } from "./words.js";

const members = ["area", "in", "rasters", "ask", "task", "file", "line", "swipe"]; // of the address

/** landscapePanel wires the button, the panel and files that are dropped; deps are what the landscape needs of the page. */
export function landscapePanel({ toggle, panel, say, ...deps }) {
  let loading = null, land = null;

  const load = () => {
    loading ??= import("./land/land.js").then(async ({ landscape }) => {
      const made = landscape({ panel, ...deps });
      await made.open();
      land = made;
      return land;
    });
    loading.catch((e) => { loading = null; say(e.message); });
    return loading;
  };

  const set = async (on) => {
    if (panel.hidden === !on) return;
    panel.hidden = !on;
    toggle.setAttribute("aria-expanded", String(on));
    if (!on) { land?.leave(); return; }
    panel.classList.toggle("waits", !land);
    try { await load(); } catch { panel.hidden = true; toggle.setAttribute("aria-expanded", "false"); return; }
    panel.classList.remove("waits");
  };

  const asked = (now) => members.some((name) => now[name]);
  async function restore(now, before) {
    if (asked(now)) await set(true);
    if (loading) await (await loading).restore(now, before);
  }

  toggle.addEventListener("click", () => set(panel.hidden));
  panel.addEventListener("keydown", (e) => {
    if (e.key !== "Escape") return;
    e.stopPropagation();
    set(false);
    toggle.focus();
  });

  // A file may be dropped anywhere; the page says so while one is over it.
  const holdsFile = (e) => [...(e.dataTransfer?.types ?? [])].includes("Files");
  let over = 0;
  const shade = (n) => { over = Math.max(n, 0); document.body.classList.toggle("drops", over > 0); };
  addEventListener("dragenter", (e) => { if (holdsFile(e)) { e.preventDefault(); shade(over + 1); } });
  addEventListener("dragleave", (e) => { if (holdsFile(e)) shade(over - 1); });
  addEventListener("dragover", (e) => { if (holdsFile(e)) e.preventDefault(); });
  addEventListener("drop", async (e) => {
    if (!holdsFile(e)) return;
    e.preventDefault();
    shade(0);
    const [file, ...more] = e.dataTransfer.files;
    if (!file) return;
    if (more.length) say(t("The first of {n} files is read.", { n: more.length + 1 }));
    await set(true);
    (await loading)?.drop(file);
  });

  return {
    at: (e) => Boolean(land?.at(e)),
    escape: () => Boolean(land?.escape()),
    fitted: () => land?.fitted(),
    unswipe: () => land?.unswipe(),
    /** leave gives up what is drawn or picked just now. */
    leave: () => land?.leave(),
    restore,
    /** begins says whether an address asks for the landscape. */
    begins: asked,
  };
}
