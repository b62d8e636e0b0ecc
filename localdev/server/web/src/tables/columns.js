// Which column of a table means what: the usual names in German and English, as localdev/table knows them.

/** roles are what a column can mean, with the names that it usually has, without signs and with ae for ä. */
export const roles = [
  { id: "parcel_id", title: "Parcel id", names: ["parcelid", "parcel", "grundstuecksid", "grundstueckid", "gstid"] },
  { id: "kg", title: "KG", names: ["kg", "kgcode", "kgnr", "kgnummer", "katastralgemeindenummer", "katastralgemeindenr", "katastralgemeinde"] },
  { id: "gnr", title: "Parcel number", names: ["gnr", "gst", "gstnr", "gstnummer", "grundstuecksnummer", "grundstuecksnr", "grundstuecknr", "grundstueck", "parcelnumber"] },
  { id: "lon", title: "Longitude or easting", names: ["lon", "lng", "long", "longitude", "laenge", "laengengrad", "x", "rechtswert", "easting", "ostwert"] },
  { id: "lat", title: "Latitude or northing", names: ["lat", "latitude", "breite", "breitengrad", "y", "hochwert", "northing", "nordwert"] },
  { id: "address", title: "Whole address", names: ["adresse", "anschrift", "address", "addr", "fulladdress", "vollstaendigeadresse", "q"] },
  { id: "street", title: "Street", names: ["strasse", "str", "street", "strassenname", "streetname", "gasse", "road"] },
  { id: "house_number", title: "House number", names: ["hausnummer", "hausnr", "hnr", "housenumber", "houseno", "orientierungsnummer", "streetnumber"] },
  { id: "plz", title: "Postal code", names: ["plz", "postleitzahl", "zip", "zipcode", "postcode", "postalcode"] },
  { id: "place", title: "Place name", names: ["ort", "wohnort", "ortschaft", "stadt", "gemeinde", "city", "town", "place", "locality", "municipality"] },
];

const folded = (name) => name.trim().toLowerCase().replaceAll("ä", "ae").replaceAll("ö", "oe").replaceAll("ü", "ue").replaceAll("ß", "ss").replace(/[ _\-./()]/g, "");

/** recognised finds the columns by their names: the place of each role that has one. */
export function recognised(head) {
  const names = head.map(folded), found = {};
  for (const r of roles) {
    const name = r.names.find((n) => names.includes(n));
    if (name) found[r.id] = names.indexOf(name);
  }
  return found;
}

const has = (columns, ...ids) => ids.every((id) => columns[id] !== undefined);

/** usable says whether the columns tell where a row is. */
export const usable = (c) => has(c, "parcel_id") || has(c, "kg", "gnr") || has(c, "lon", "lat") || has(c, "address") || has(c, "street");
