// The legend of the cells: what is coloured, which two dates are compared, and what the colours mean in numbers.
import { choices, first } from "./cellstyle.js";
import { day, element, number } from "./dom.js";
import { changedGround, ground, shares, statuses } from "./palette.js";
import { t } from "./words.js";

const percent = (v) => number(v * 100);

// range is the class of a share in words.
function range(list, i) {
  if (i === list.length - 1) return t("{n} % and more", { n: percent(list[i].from) });
  return i === 0 ? t("under {n} %", { n: percent(list[1].from) }) : `${percent(list[i].from)} – ${percent(list[i + 1].from)} %`;
}

function swatches(entries) {
  const ul = element("ul");
  for (const [colour, text] of entries) {
    const li = element("li"), swatch = element("i");
    swatch.style.background = colour;
    li.append(swatch, text);
    ul.append(li);
  }
  return ul;
}

// meanings are the colours of what changed: of single cells by how sure it is, of larger ones also by how much it is.
function meanings(near, mode) {
  if (near) return [swatches([...statuses.map((s) => [s[mode], t(s.name)]), [ground[mode], t("Unchanged")]])];
  return statuses.flatMap((s) => [element("p", t("{status}, changed ground of the cell", { status: t(s.name) })), swatches(changedGround.map((c, i) => [c[s.id][mode], range(changedGround, i)]))]);
}

/** legendOf draws what the colours mean; sums are filled in when the service has told them. */
export function legendOf(part, { choice, near, mode }) {
  const { name } = choices.find((c) => c.id === choice);
  part.replaceChildren(element("h2", choice === "changes" ? t("What changed") : t("{use}, share of the cell", { use: t(name) })),
    ...(choice === "changes" ? meanings(near, mode) : [swatches(shares.map((s, i) => [s[mode], range(shares, i)]))]),
    element("p", "", { role: "status" }), element("p", "", { className: "compared", hidden: true }), element("p", "", { className: "unbuilt", hidden: true }), element("div", "", { className: "sums" }));
}

/** chooser is the choice of what is coloured and of two dates, above the legend. chose(choice) is told of the first,
 * dated({from, to}) of the others, null where none are compared. It gives the legend's place and offer(days), which
 * takes the dates on which something changed, rising. */
export function chooser(box, chose, dated) {
  const label = element("label"), select = element("select", undefined, { name: "cell-colour" }), part = element("div");
  select.append(...choices.map((c) => element("option", t(c.name), { value: c.id, selected: c.id === first })));
  label.append(element("span", t("Colour")), select);
  const dates = { from: element("select", undefined, { name: "cell-from" }), to: element("select", undefined, { name: "cell-to" }) };
  const epochs = element("div", undefined, { className: "epochs", hidden: true });
  const caption = { from: t("Compare with"), to: t("Later date") };
  const labels = Object.entries(dates).map(([end, list]) => { const l = element("label"); l.append(element("span", caption[end]), list); return l; });
  epochs.append(...labels);
  let days = [];
  const fill = (list, entries, value) => list.replaceChildren(...entries.map(([v, text]) => element("option", text, { value: v, selected: v === value })));
  const named = (v) => (v === "before" ? t("before {date}", { date: day(days[0]) }) : day(v));
  const ends = () => ["before", ...days];
  const chosen = () => (dates.from.value ? { from: dates.from.value === "before" ? "" : dates.from.value, to: dates.to.value, names: [named(dates.from.value), named(dates.to.value)] } : null);
  // show offers as later dates those behind the earlier one.
  const show = (from, to) => {
    const known = ends(), start = known.includes(from) ? from : "";
    fill(dates.from, [["", t("nothing")], ...known.slice(0, -1).map((v) => [v, named(v)])], start);
    const later = known.slice(known.indexOf(start) + 1).filter((v) => v !== "before");
    fill(dates.to, later.map((v) => [v, named(v)]), later.includes(to) ? to : later.at(-1));
    labels[1].hidden = !start;
  };
  select.addEventListener("change", () => { epochs.hidden = select.value === "changes" || !days.length; chose(select.value); });
  dates.from.addEventListener("change", () => { show(dates.from.value, dates.to.value); dated(chosen()); });
  dates.to.addEventListener("change", () => dated(chosen()));
  box.replaceChildren(label, epochs, part);
  return {
    part,
    chosen: () => (select.value === "changes" ? null : chosen()),
    offer(found) {
      const was = [dates.from.value, dates.to.value];
      const all = [...new Set([...found, ...(was[0] ? days : [])])].sort(); // who compares keeps the dates and may move on
      if (all.join() === days.join()) return;
      days = all;
      if (days.length) show(...was);
      epochs.hidden = select.value === "changes" || !days.length;
    },
    none() { if (days.length) show("", ""); },
  };
}
