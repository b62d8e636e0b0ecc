// The page's languages: German where the browser asks for it, else English. The English text is the key.
const german = {
  "All services": "Alle Dienste",
  "Map of parcels": "Karte der Grundstücke",
  "Mappe: parcels on the map": "Mappe: Grundstücke auf der Karte",
  "Search": "Suchen",
  "Place, KG, street or parcel": "Ort, KG, Straße oder Grundstück",
  "Search for a place, KG, municipality, street, or parcel such as 09901 .45": "Suche nach Ort, KG, Gemeinde, Straße oder Grundstück, etwa 09901 .45",
  "Suggestions": "Vorschläge",
  "Show": "Zeigen",
  "Land use": "Nutzung",
  "Parcels in view": "Grundstücke im Bild",
  "Close": "Schließen",
  "{n} parcels in view": "{n} Grundstücke im Bild",
  "{shown} of {n} parcels in view: the nearest to the middle": "{shown} von {n} Grundstücken im Bild: die der Mitte nächsten",
  "Zoom in to list the parcels in view.": "Zum Auflisten der Grundstücke näher heranzoomen.",
  "No parcels in view.": "Keine Grundstücke im Bild.",
  "Parcel {gnr}": "Grundstück {gnr}",
  "KG {code} {name}, {gemeinde}, {state}": "KG {code} {name}, {gemeinde}, {state}",
  "Parcel id": "Kennung",
  "Area": "Fläche",
  "Folio (EZ)": "Einlagezahl (EZ)",
  "not known": "nicht bekannt",
  "Boundary": "Grenze",
  "held in the boundary cadastre (G)": "im Grenzkataster (G)",
  "not in the boundary cadastre (E)": "nicht im Grenzkataster (E)",
  "Buildings": "Gebäude",
  "{n} ({area} m² of ground)": "{n} ({area} m² Grundfläche)",
  "Built-over share": "Überbauter Anteil",
  "Shape": "Form",
  "{shape}, {n} corners": "{shape}, {n} Eckpunkte",
  "regular": "regelmäßig",
  "moderate": "mäßig regelmäßig",
  "irregular": "unregelmäßig",
  "complex": "vielgliedrig",
  "strip": "streifenförmig",
  "Compactness": "Kompaktheit",
  "Position": "Lage",
  "Address": "Adresse",
  "{n} addresses": "{n} Adressen",
  "and {n} more": "und {n} weitere",
  "Link to this parcel": "Link zu diesem Grundstück",
  "no parcel has the id {id}": "Kein Grundstück hat die Kennung {id}",
  "no parcel here": "Hier liegt kein Grundstück",
  "nothing is named {text}": "Unter {text} wurde nichts gefunden",
  "nothing is named {text} in the KGs in view; add the place, or zoom in": "Unter {text} wurde in den KGs im Bild nichts gefunden; bitte den Ort dazuschreiben oder heranzoomen",
  "{text} is a parcel number; add its KG, for example {kg} {text}": "{text} ist eine Grundstücksnummer; bitte die KG dazuschreiben, etwa {kg} {text}",
  "nothing is published yet: build the country first": "Es ist noch nichts veröffentlicht: zuerst das Land bauen",
  "the map could not be drawn": "Die Karte konnte nicht gezeichnet werden",
  "the service answered {status}": "Der Dienst antwortete mit {status}",
  "the service cannot be reached": "Der Dienst ist nicht erreichbar",
  "parcel": "Grundstück",
  "KG": "KG",
  "municipality": "Gemeinde",
  "place": "Ort",
  "street": "Straße",
  "address": "Adresse",
  "parcel in KG {code} {name}": "Grundstück in der KG {code} {name}",
  "municipality, district {district}": "Gemeinde, Bezirk {district}",
  "KG {code}, {gemeinde}": "KG {code}, {gemeinde}",
  "place, {plz} {gemeinde}": "Ort, {plz} {gemeinde}",
  "street in {place}": "Straße in {place}",
  "address in {place}": "Adresse in {place}",
  "modified": "verändert",
  "Arrow keys move the map, plus and minus zoom, Enter opens the parcel in the middle.": "Pfeiltasten verschieben die Karte, Plus und Minus zoomen, Eingabe öffnet das Grundstück in der Mitte.",
  "Zoom in": "Vergrößern",
  "Zoom out": "Verkleinern",
  "Building": "Gebäude",
  "Yards, gardens, commercial land": "Höfe, Gärten, Betriebsflächen",
  "Fields, meadows, vineyards": "Äcker, Wiesen, Weingärten",
  "Grassland, scrubland": "Grünland, verbuschte Flächen",
  "Forest": "Wald",
  "Water": "Gewässer",
  "Traffic": "Verkehr",
  "Alpine pasture": "Alpen",
  "Rock, glacier, other": "Fels, Gletscher, Sonstiges",
  "no land use known": "keine Nutzung bekannt",
};

/** inGerman says which of the two languages the page speaks. */
export const inGerman = typeof navigator !== "undefined" && (navigator.language || "en").toLowerCase().startsWith("de");

/** locale formats numbers. */
export const locale = inGerman ? "de-AT" : "en-GB";

/** t is a text in the reader's language; {name} stands for a value. */
export function t(text, values = {}) {
  const said = inGerman ? german[text] ?? text : text;
  return said.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** dictionary is for the test that compares it with what the page says. */
export const dictionary = german;
