// The hexagons of H3, by its own library: a script of its own, loaded when cells are shown for the first time.
import { cellArea, cellToBoundary, cellToLatLng, cellToParent, getResolution, latLngToCell } from "h3-js";

/** areaOf is a cell's area in m². */
export const areaOf = (cell) => cellArea(cell, "m2");

/** outline is a cell as a polygon of GeoJSON. */
export const outline = (cell) => ({ type: "Polygon", coordinates: [cellToBoundary(cell, true)] });

/** cellAt is the cell of a resolution that holds a point. */
export const cellAt = ({ lng, lat }, resolution) => latLngToCell(lat, lng, resolution);

/** parentOf is the cell of a coarser resolution that holds the centre of a cell. */
export const parentOf = (cell, resolution) => cellToParent(cell, resolution);

/** centreOf is the [latitude, longitude] of a cell's centre. */
export const centreOf = (cell) => cellToLatLng(cell);

/** resolutionOf is the resolution of a cell. */
export const resolutionOf = (cell) => getResolution(cell);
