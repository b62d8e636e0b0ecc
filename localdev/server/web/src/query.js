// What a reader types, taken apart: no request and no page, so that a test can ask it.

/** fold makes names comparable: case, accents, ß, written-out umlauts and the usual abbreviations do not count. */
export function fold(text) {
  return text.toLowerCase()
    .replaceAll("ß", "ss").replaceAll("ä", "ae").replaceAll("ö", "oe").replaceAll("ü", "ue")
    .normalize("NFD").replace(/\p{M}/gu, "")
    .replace(/ae/g, "a").replace(/oe/g, "o").replace(/ue/g, "u")
    .replace(/\bst\.?(?=[\s-])/g, "sankt").replace(/str(\.|\b)/g, "strasse")
    .replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}

// Words of land-register extracts that stand beside a number and say nothing more.
const fillers = /(?<![\p{L}\p{N}])(?:katastralgemeinde|kg\.?(?:-?nr\.?)?|grundst(?:ü|ue)ck(?:s?nummer|s?nr\.?)?|gst\.?(?:-?nr\.?)?|parzellen?(?:nummer|nr\.?)?|parz\.?|parcel|nr\.?|no\.?)(?=[\s:.\d]|$)/giu;
const buildingPlot = /(?<![\p{L}\p{N}])(?:bfl|baufl(?:ä|ae)che)\.?\s*(?=\d)/giu; // "Bfl. 45" is written .45 on the map

const number = String.raw`\.?\d{1,6}(?:\/\d{1,6})?`;
const idFirst = new RegExp(String.raw`^(\d{1,5})\s*[-–,;:/\s]\s*(${number})$`);
const numberFirst = new RegExp(String.raw`^(${number})\s*[-–,;:\s]\s*(\d{5})$`);
const inText = new RegExp(String.raw`(?:^|[\s,;])(\.\d{1,6}(?:\/\d{1,6})?|\d{1,6}\/\d{1,6}|\d{1,6})(?=$|[\s,;])`);

/**
 * parse gives what the text can mean: {kg, gnr} of a parcel with its KG in digits; {gnr} of a parcel number
 * without a KG; {digits} of a KG or postal code; {name, gnr} of a name with what may be a parcel number;
 * {words} always.
 */
export function parse(text) {
  const words = text.trim().replace(/\s+/g, " ");
  const s = words.replace(buildingPlot, ".").replace(fillers, " ").replace(/^[\s:,;-]+|[\s:,;-]+$/g, "").replace(/\s+/g, " ");
  const out = { words };
  let m;
  // "09901.45" has no blank: the dot begins a building plot where five digits stand before it.
  if ((m = /^(\d{5})(\.\d.*)$/.exec(s)) && idFirst.test(`${m[1]} ${m[2]}`)) return { ...out, kg: m[1], gnr: m[2] };
  if ((m = numberFirst.exec(s)) && !/^\d{5}$/.test(m[1])) return { ...out, kg: m[2], gnr: m[1] };
  if ((m = idFirst.exec(s)) && !(s.includes("/") && !/[-–,;:\s]/.test(s) && m[1].length < 4)) return { ...out, kg: m[1].padStart(5, "0"), gnr: m[2] };
  if (/^\d{4,5}$/.test(s)) return { ...out, digits: s };
  if (new RegExp(`^${number}$`).test(s)) return { ...out, gnr: s };
  // "09901 Ullnau .45" and "Ullnau, 45/2": a KG code beside its name says all.
  const code = /(?:^|[\s,;])(\d{5})(?=$|[\s,;])/.exec(s);
  const rest = code ? s.replace(code[1], " ") : s;
  if ((m = inText.exec(rest))) {
    const name = rest.replace(m[1], " ").replace(/[\s,;]+/g, " ").trim();
    if (code) return { ...out, kg: code[1], gnr: m[1], name };
    return { ...out, name, gnr: m[1] };
  }
  if (code) return { ...out, digits: code[1] };
  return out;
}

/** score says how well a name answers folded words: 0 not at all, more is better. */
export function score(folded, words) {
  if (!words) return 0;
  if (folded === words) return 100;
  if (folded.startsWith(words)) return 80 - Math.min(folded.length - words.length, 20);
  const parts = folded.split(" ");
  const all = words.split(" ").every((w) => parts.some((p) => p.startsWith(w)));
  if (all) return 50;
  return words.length >= 3 && folded.includes(words) ? 30 : 0;
}

/** splits are the ways to read words as a street with a house number and, before or after it, a place. */
export function splits(text) {
  const out = [];
  const add = (street, place) => {
    const m = /^(.*?)[\s,]*(\d+\s?[a-z]?(?:[-/]\d+[a-z]?)*)?$/i.exec(street.trim());
    if (m[1]) out.push({ street: fold(m[1]), house: (m[2] ?? "").replace(/\s/g, "").toLowerCase(), place: fold(place.replace(/\b\d{4}\b/, " ")) });
  };
  add(text, "");
  const parts = text.split(",").map((p) => p.trim()).filter(Boolean);
  if (parts.length > 1) {
    add(parts[0], parts.slice(1).join(" "));
    add(parts.slice(1).join(" "), parts[0]);
    return out;
  }
  const words = text.split(" ");
  for (let i = 1; i < words.length; i++) {
    add(words.slice(0, i).join(" "), words.slice(i).join(" "));
    add(words.slice(i).join(" "), words.slice(0, i).join(" "));
  }
  return out;
}
