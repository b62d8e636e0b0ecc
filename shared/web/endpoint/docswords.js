"use strict";
// The page's own texts in the reader's language: as the address says (?lang=de), else as the browser asks.
const german = {
  "Find an endpoint": "Anfrage suchen",
  "No endpoint matches.": "Keine Anfrage passt.",
  "Endpoints": "Anfragen",
  "Version {v}, ": "Version {v}, ",
  "described in": "beschrieben in",
  "Order, limits, what is missing": "Reihenfolge, Grenzen, was fehlt",
  "Try it": "Ausprobieren",
  "Send": "Senden",
  "request body": "Anfragekörper",
  "token": "Token",
  "Sent as Authorization: Bearer; kept nowhere.": "Wird als Authorization: Bearer gesendet und nirgends aufgehoben.",
  "required": "notwendig",
  "{n} further parameters": "{n} weitere Parameter",
  "Also written {names}.": "Auch {names} geschrieben.",
  "From {from} to {to}.": "Von {from} bis {to}.",
  "At least {from}.": "Mindestens {from}.",
  "At most {to}.": "Höchstens {to}.",
  "Any of {list}, as a comma list.": "Aus {list}, durch Beistriche getrennt.",
  "The same request in a program": "Dieselbe Anfrage im Programm",
  "Copy": "Kopieren",
  "Copied": "Kopiert",
  "Waiting for the answer…": "Warten auf die Antwort …",
  "No answer: {why}": "Keine Antwort: {why}",
  "{n} bytes": "{n} Bytes",
  "Headers": "Header",
  "Save the body": "Antwort speichern",
  "What the answer holds": "Was die Antwort enthält",
  "Other forms": "Andere Formate",
  "Errors": "Fehler",
  "Field": "Feld",
  "Type": "Typ",
  "Unit": "Einheit",
  "Meaning": "Bedeutung",
  "or null": "oder null",
  "list of": "Liste von",
  "Status": "Status",
  "One of {list}.": "Eines von {list}.",
  "This asks for a token.": "Diese Anfrage verlangt ein Token.",
  "That depends on what was asked for: the members are those of the result.": "Das hängt von der Anfrage ab: Die Felder sind die des Ergebnisses.",
  "openapi.json cannot be read: {why}": "openapi.json ist nicht lesbar: {why}",
  // groups of endpoints
  "Index": "Register", "Page": "Seite", "Project": "Projekt", "Transmittal": "Übergabe", "Protocol": "Protokoll",
  "Search": "Suche", "Spatial": "Ort und Fläche", "Context": "Umgebung", "Query": "Abfrage", "Search over all KGs": "Suche über alle KGs", "Land use": "Nutzung",
  "Land prices": "Grundpreise", "Overlays": "Überlagerungen", "Nature": "Natur", "Laws": "Rechtsvorschriften", "Names": "Namen", "Map": "Karte",
  "Maps": "Kartenbilder", "Versions": "Versionen", "Export": "Export", "Terrain": "Gelände", "Trees": "Bäume", "Segments": "Segmente",
  "Changes": "Änderungen", "Data": "Daten", "Expansion": "Ausrechnen", "Manuscript": "Manuskript", "Build": "Satz", "Feed": "Feed",
  "Tasks": "Aufträge", "Shares": "Freigaben", "Cadastre": "Kataster", "Registers": "Verzeichnisse", "KG universe": "Alle KGs", "Cells": "Zellen",
  "Discovery": "Auffinden", "Service": "Dienst", "Documentation": "Dokumentation", "Feedback": "Rückmeldung", "Sibling contract": "Vertrag der Schwesterdienste", "Write": "Schreiben",
  "Diagnostics": "Diagnose", "Processing": "Verarbeitung", "Processing and archive": "Verarbeitung und Archiv",
};
const asked = new URLSearchParams(location.search).get("lang");
const inGerman = asked === "de" || (asked !== "en" && (navigator.language || "en").toLowerCase().startsWith("de"));
const locale = inGerman ? "de-AT" : "en-GB";
function t(text, values) {
  return ((inGerman && german[text]) || text).replace(/\{(\w+)\}/g, (all, name) => values && name in values ? values[name] : all);
}
