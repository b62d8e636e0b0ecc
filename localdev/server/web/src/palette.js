// The colours of the nine land-use classes (the classes of shared/austria/landuse.csv) and of ground without
// one, for light and dark mode. Every two differ by a CIEDE2000 of at least 10, also as people see them who
// lack the red or the green cone (test/palette.test.mjs).
export const classes = [
  { id: "geb", name: "Building", light: "#ba6346", dark: "#cb8e73" },
  { id: "bau", name: "Yards, gardens, commercial land", light: "#e9af90", dark: "#57433f" },
  { id: "acker", name: "Fields, meadows, vineyards", light: "#f7fcb6", dark: "#776e43" },
  { id: "gruen", name: "Grassland, scrubland", light: "#cdd36a", dark: "#404a01" },
  { id: "wald", name: "Forest", light: "#618e79", dark: "#0a2704" },
  { id: "wasser", name: "Water", light: "#9ccaf0", dark: "#315e9a" },
  { id: "verkehr", name: "Traffic", light: "#bebebe", dark: "#8e939a" },
  { id: "alpen", name: "Alpine pasture", light: "#bde6c4", dark: "#2a786b" },
  { id: "sonst", name: "Rock, glacier, other", light: "#b788c4", dark: "#552d52" },
];

export const ground = { id: "", name: "no land use known", light: "#fcfdfa", dark: "#0e1618" };

// Land prices from low to high: the lower end of each class in €/m², roughly doubling. Neighbours differ by a CIEDE2000
// of at least 10, and the lightness runs one way, for all sights.
export const prices = [
  { from: 0, light: "#ffffd0", dark: "#16302b" },
  { from: 5, light: "#9ed8ba", dark: "#1d4d53" },
  { from: 20, light: "#6bc5bf", dark: "#28737a" },
  { from: 50, light: "#4aaabe", dark: "#3b928a" },
  { from: 100, light: "#3188ba", dark: "#52ac8d" },
  { from: 200, light: "#2b5ca9", dark: "#7fc083" },
  { from: 400, light: "#25307c", dark: "#b5d96c" },
  { from: 800, light: "#161240", dark: "#f2f2b7" },
];

// What became of a parcel between two versions of a KG. Every two, and the ground of what is unchanged, differ by a
// CIEDE2000 of at least 10 for all sights.
export const changes = [
  { id: "added", name: "Added", light: "#2f7fc4", dark: "#4aa3ea" },
  { id: "removed", name: "Removed", light: "#d9622b", dark: "#c4561f" },
  { id: "reshaped", name: "Shape changed", light: "#f2cf3d", dark: "#f0dc5a" },
  { id: "attributes", name: "Attributes changed", light: "#c79fe0", dark: "#8f5fb8" },
];

// How much of a cell has a use: the lower end of each class. Neighbours, and the first and the ground, differ by a
// CIEDE2000 of at least 10, and the lightness runs one way, for all sights.
export const shares = [
  { from: 0, light: "#fdffc9", dark: "#400949" },
  { from: 0.05, light: "#ffd57c", dark: "#5c0e92" },
  { from: 0.2, light: "#ef9459", dark: "#913683" },
  { from: 0.4, light: "#c66e65", dark: "#c25773" },
  { from: 0.6, light: "#985273", dark: "#fb7261" },
  { from: 0.8, light: "#6c376b", dark: "#dcb473" },
  { from: 0.95, light: "#470945", dark: "#faffa7" },
];

// How sure a change of a cell is: seen by two passes, or by one. They and the ground differ by at least 10 for all sights.
export const statuses = [
  { id: "confirmed", name: "Confirmed", light: "#0b5cad", dark: "#5cb0ff" },
  { id: "candidate", name: "Candidate", light: "#f2a63d", dark: "#c4681f" },
];

// How much of a larger cell's ground changed: the lower end of each class, by whether there is more that is confirmed or more
// that is candidate. Every two and the ground differ by at least 10 for all sights.
export const changedGround = [
  { from: 0, confirmed: { light: "#a9cbee", dark: "#1e4670" }, candidate: { light: "#fbd28c", dark: "#5d3310" } },
  { from: 0.01, confirmed: { light: "#5e95d2", dark: "#3f86cf" }, candidate: { light: "#ea8f24", dark: "#b9691f" } },
  { from: 0.1, confirmed: { light: "#0b3f7d", dark: "#a5d4ff" }, candidate: { light: "#8f4a07", dark: "#f7c06c" } },
];

// How many of an area's KGs are built: the lower end of each class as a share. Neighbours, and the first and the ground, differ by a
// CIEDE2000 of at least 10, and the lightness runs one way, for all sights.
export const available = [
  { from: 0, name: "none", light: "#e2dac6", dark: "#31393b" },
  { from: Number.EPSILON, name: "less than half", light: "#accf8c", dark: "#3f6136" },
  { from: 0.5, name: "half or more", light: "#68a65c", dark: "#6b9a4b" },
  { from: 1, name: "all", light: "#226838", dark: "#b4d97a" },
];

/** What is drawn over the land: lines, letters and their halo. */
export const ink = {
  light: { parcel: "#4d4640", kg: "#7d1d43", chosen: "#a30f0f", chosenFill: "#f2b705", found: "#1f4fd8", near: "#12343b", outline: "#6f321f", halo: "#ffffff", number: "#2b2722", house: "#6b1f10", street: "#1f2a2e", place: "#111111", kgName: "#7d1d43" },
  dark: { parcel: "#b9b2a4", kg: "#f3a3c2", chosen: "#ffd75e", chosenFill: "#ffd75e", found: "#8fb3ff", near: "#b8f0e6", outline: "#f0c6b4", halo: "#0b1012", number: "#f1eee6", house: "#ffd2bd", street: "#e9eef0", place: "#ffffff", kgName: "#ffbcd5" },
};
