// The search field: a combobox whose list opens below it, in the flow of the page, so that it covers nothing
// that stays.
import { t } from "./words.js";

const wait = 160; // ms without a key before suggestions are asked for

/** searchField wires the form; suggest(text) gives {list, hint}, choose(suggestion) shows one, say(text) tells. */
export function searchField({ form, input, list, suggest, choose, say, fail }) {
  let shown = [], active = -1, turn = 0, timer, asked = "";

  const close = () => {
    shown = [];
    active = -1;
    list.hidden = true;
    list.replaceChildren();
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };

  const mark = (i) => {
    active = i;
    [...list.children].forEach((li, k) => li.setAttribute("aria-selected", String(k === i)));
    if (i < 0) { input.removeAttribute("aria-activedescendant"); return; }
    input.setAttribute("aria-activedescendant", list.children[i].id);
    list.children[i].scrollIntoView({ block: "nearest" });
  };

  const take = (s) => {
    turn++;
    clearTimeout(timer);
    input.value = s.title;
    close();
    choose(s);
  };

  const draw = (found) => {
    shown = found;
    active = -1;
    list.replaceChildren(...found.map((s, i) => {
      const li = document.createElement("li");
      li.id = `suggestion-${i}`;
      li.setAttribute("role", "option");
      li.setAttribute("aria-selected", "false");
      const title = document.createElement("b"), detail = document.createElement("span");
      title.textContent = s.title;
      detail.textContent = s.detail;
      li.append(title, detail);
      li.addEventListener("pointerdown", (e) => { e.preventDefault(); take(s); });
      return li;
    }));
    list.hidden = found.length === 0;
    input.setAttribute("aria-expanded", String(found.length > 0));
    input.removeAttribute("aria-activedescendant");
  };

  const ask = async (text) => {
    const mine = ++turn;
    const found = await suggest(text);
    if (mine !== turn) return null;
    asked = text;
    return found;
  };

  input.addEventListener("input", () => {
    clearTimeout(timer);
    turn++;
    if (!input.value.trim()) { close(); return; }
    timer = setTimeout(async () => {
      try {
        const found = await ask(input.value);
        if (found) draw(found.list);
      } catch (e) { fail(e); }
    }, wait);
  });

  input.addEventListener("keydown", (e) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (step && shown.length) {
      e.preventDefault();
      mark((active + step + shown.length + (active < 0 && step < 0 ? 1 : 0)) % shown.length);
    } else if (e.key === "Escape" && shown.length) {
      e.stopPropagation();
      close();
    }
  });

  input.addEventListener("blur", () => { if (!list.contains(document.activeElement)) close(); });

  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    clearTimeout(timer);
    const text = input.value;
    if (!text.trim()) return;
    if (shown.length && asked === text) { take(shown[Math.max(active, 0)]); return; }
    try {
      const found = await ask(text);
      if (!found) return;
      if (found.list.length) take(found.list[0]);
      else { close(); say(found.hint || t("nothing is named {text}", { text: `“${text.trim()}”` })); }
    } catch (error) { fail(error); }
  });

  return { close };
}
