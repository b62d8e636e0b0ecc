package epub

import "mappe/shared/book/manuscript"

// words are what the press itself says in a book.
type words struct {
	untitled, contents, cover, titlePage, copyright, notes, begin, pages, landmarks, scene string
	coverOf, printOf, summary, images                                                      string
}

var english = words{
	untitled: "Untitled", contents: "Contents", cover: "Cover", titlePage: "Title page", copyright: "Copyright", notes: "Notes",
	begin: "Beginning",
	pages: "Pages", landmarks: "Landmarks", scene: "Scene break",
	coverOf: "Cover: ", printOf: ", print edition",
	summary: "The text can be reflowed and read aloud; it has a table of contents and structural headings.",
	images:  " All pictures have text alternatives.",
}

var german = words{
	untitled: "Ohne Titel", contents: "Inhalt", cover: "Umschlag", titlePage: "Titelseite", copyright: "Impressum", notes: "Anmerkungen",
	begin: "Anfang",
	pages: "Seiten", landmarks: "Wegweiser", scene: "Szenenwechsel",
	coverOf: "Umschlag: ", printOf: ", Druckausgabe",
	summary: "Der Text passt sich der Anzeige an und lässt sich vorlesen; er hat ein Inhaltsverzeichnis und gegliederte Überschriften.",
	images:  " Alle Bilder haben einen Alternativtext.",
}

func wordsOf(lang string) words {
	if manuscript.Base(lang) == "de" {
		return german
	}
	return english
}
