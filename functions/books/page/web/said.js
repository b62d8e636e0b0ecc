
// ---- what the press and its readers say, sentence by sentence; {a} stands for a value of the sentence

const sentences = {
  "Build it again, and tell the studio when that happens once more.": "Stellen Sie es noch einmal her, und sagen Sie dem Studio Bescheid, wenn das wieder geschieht.",
  "Build it again; if that happens once more, look in the report for very long paragraphs or words and divide them.": "Stellen Sie es noch einmal her; geschieht das wieder, suchen Sie im Bericht nach sehr langen Absätzen oder Wörtern und teilen Sie sie.",
  "Your manuscript is unchanged; build it again, and tell the studio when that happens once more.": "Ihr Manuskript ist unverändert; stellen Sie es noch einmal her, und sagen Sie dem Studio Bescheid, wenn das wieder geschieht.",
  "The press could not finish this book because of a fault of its own.": "Die Presse konnte dieses Buch wegen eines eigenen Fehlers nicht fertigstellen.",
  "The build took longer than it may and was stopped.": "Das Herstellen dauerte länger, als es darf, und wurde abgebrochen.",
  "The book would have more than {a} pages.": "Das Buch hätte mehr als {a} Seiten.",
  "Choose a larger page or smaller type in the transmittal, or divide the manuscript into volumes.": "Wählen Sie in den Angaben ein größeres Format oder eine kleinere Schrift, oder teilen Sie das Manuskript in Bände.",
  "The book has about {a} pages, and so thick a book needs a margin at the spine that leaves its text too little room.": "Das Buch hat etwa {a} Seiten, und ein so dickes Buch braucht am Bund einen Rand, der dem Text zu wenig Platz lässt.",
  "A member of the transmittal cannot be kept to.": "Eine der Angaben lässt sich nicht einhalten.",
  "Change the transmittal and build again: {a}.": "Ändern Sie die Angaben und stellen Sie noch einmal her: {a}.",
  "Change it and build again: {a}.": "Ändern Sie sie und stellen Sie noch einmal her: {a}.",
  "The type face has no shape for {a}.": "Der Schrift fehlt eine Form für {a}.",
  "Replace these characters in the manuscript, or choose another face in the transmittal; a proof shows where they stand.": "Ersetzen Sie diese Zeichen im Manuskript, oder wählen Sie in den Angaben eine andere Schrift; eine Probe zeigt, wo sie stehen.",
  "The type face has no shape for a character of the text.": "Der Schrift fehlt eine Form für ein Zeichen des Textes.",
  "The finished {a} did not pass the press's own check, so it is not handed out.": "Das Fertige ({a}) hat die eigene Prüfung der Presse nicht bestanden und wird deshalb nicht ausgegeben.",
  "The printer that the transmittal names would refuse this book: {a}.": "Die Druckerei, die in den Angaben steht, würde dieses Buch ablehnen: {a}.",
  "Change that, or choose the plain printer in the transmittal and settle it with the printing house.": "Ändern Sie das, oder wählen Sie in den Angaben „jede Druckerei“ und klären Sie es mit der Druckerei.",
  "A picture is linked, missing or broken, so a final would have a hole.": "Ein Bild ist nur verknüpft, fehlt oder ist beschädigt; in der Endfassung wäre dort eine Lücke.",
  "Then upload the manuscript again.": "Laden Sie das Manuskript dann noch einmal hoch.",
  "The work was interrupted and could not be finished.": "Die Arbeit wurde unterbrochen und konnte nicht beendet werden.",
  "The work could not be done because of an internal error.": "Die Arbeit konnte wegen eines inneren Fehlers nicht getan werden.",
  "The work was not begun in time.": "Die Arbeit wurde nicht rechtzeitig begonnen.",
  "The manuscript has {a} words; one book may have {b}.": "Das Manuskript hat {a} Wörter; ein Buch darf {b} haben.",
  "The manuscript holds no text.": "Das Manuskript enthält keinen Text.",
  "The file holds no text.": "Die Datei enthält keinen Text.",
  "The file is empty.": "Die Datei ist leer.",
  "The file is no text.": "Die Datei ist kein Text.",
  "The file holds no document text.": "Die Datei enthält keinen Dokumenttext.",
  "The file holds no document text (the part {a} is missing).": "Die Datei enthält keinen Dokumenttext (der Teil {a} fehlt).",
  "The file has {a}, more than the {b} that can be uploaded.": "Die Datei hat {a}, mehr als die {b}, die hochgeladen werden können.",
  "The file has more than {a} of text.": "Die Datei hat mehr als {a} Text.",
  "The file has more than {a} notes.": "Die Datei hat mehr als {a} Anmerkungen.",
  "The file has more than {a} paragraphs and cells.": "Die Datei hat mehr als {a} Absätze und Zellen.",
  "The file nests or links its text as no manuscript does (thousands of brackets, list marks or table columns in a paragraph).": "Die Datei verschachtelt oder verknüpft ihren Text wie kein Manuskript (Tausende Klammern, Listenzeichen oder Tabellenspalten in einem Absatz).",
  "The file nests its elements more than {a} deep.": "Die Datei verschachtelt ihre Elemente tiefer als {a} Ebenen.",
  "The page nests its elements more than {a} deep.": "Die Seite verschachtelt ihre Elemente tiefer als {a} Ebenen.",
  "The page holds millions of elements.": "Die Seite enthält Millionen von Elementen.",
  "The page has more than {a}.": "Die Seite hat mehr als {a}.",
  "The page cannot be read ({a}).": "Die Seite kann nicht gelesen werden ({a}).",
  "A single table or paragraph of the file holds millions of elements.": "Eine einzige Tabelle oder ein einziger Absatz der Datei enthält Millionen von Elementen.",
  "The file is an archive of more than {a} parts.": "Die Datei ist ein Archiv aus mehr als {a} Teilen.",
  "The file unpacks to more than {a} (the part {b}).": "Die Datei ist entpackt größer als {a} (der Teil {b}).",
  "The part {a} of the file unpacks to {b} times its size, which no text does.": "Der Teil {a} der Datei ist entpackt {b}-mal so groß, wie es kein Text ist.",
  "The file is damaged: it begins like a document but its end is missing or unreadable.": "Die Datei ist beschädigt: Sie beginnt wie ein Dokument, aber ihr Ende fehlt oder ist nicht lesbar.",
  "The file is damaged: its part {a} cannot be unpacked.": "Die Datei ist beschädigt: Ihr Teil {a} lässt sich nicht entpacken.",
  "The file is damaged: its part {a} cannot be read ({b}).": "Die Datei ist beschädigt: Ihr Teil {a} kann nicht gelesen werden ({b}).",
  "The file is cut off: its end is missing.": "Die Datei ist abgeschnitten: Ihr Ende fehlt.",
  "The file is protected by a password.": "Die Datei ist durch ein Kennwort geschützt.",
  "The file holds a document type declaration, which no word processor writes.": "Die Datei enthält eine Dokumenttyp-Deklaration, wie sie kein Textprogramm schreibt.",
  "The file holds macros (.docm).": "Die Datei enthält Makros (.docm).",
  "The file holds macros.": "Die Datei enthält Makros.",
  "The file is an Excel workbook, no manuscript.": "Die Datei ist eine Excel-Arbeitsmappe, kein Manuskript.",
  "The file is a PowerPoint presentation, no manuscript.": "Die Datei ist eine PowerPoint-Präsentation, kein Manuskript.",
  "The file is an empty or divided archive, no document.": "Die Datei ist ein leeres oder geteiltes Archiv, kein Dokument.",
  "The file is Rich Text (.rtf), which is not read.": "Die Datei ist Rich Text (.rtf), das nicht gelesen wird.",
  "The file is a PDF, which holds pages and no manuscript.": "Die Datei ist ein PDF; es enthält Seiten und kein Manuskript.",
  "The file is a packed archive.": "Die Datei ist ein gepacktes Archiv.",
  "The file is a picture, no manuscript.": "Die Datei ist ein Bild, kein Manuskript.",
  "The file is a program, no manuscript.": "Die Datei ist ein Programm, kein Manuskript.",
  "The file is of a kind that is not read here.": "Dateien dieser Art werden hier nicht gelesen.",
  "The file is a Word document in a single XML file, which is not read.": "Die Datei ist ein Word-Dokument in einer einzigen XML-Datei, das nicht gelesen wird.",
  "The file is a flat OpenDocument file (.fodt), which is not read.": "Die Datei ist eine flache OpenDocument-Datei (.fodt), die nicht gelesen wird.",
  "The file is XML of a kind that is not read here.": "Die Datei ist XML einer Art, die hier nicht gelesen wird.",
  "The file is a TeX source, which is not read.": "Die Datei ist eine TeX-Quelle, die nicht gelesen wird.",
  "The file is an OpenDocument spreadsheet, drawing or presentation, no manuscript.": "Die Datei ist eine Tabelle, Zeichnung oder Präsentation von OpenDocument, kein Manuskript.",
  "The file is an Apple Pages document, which is not read.": "Die Datei ist ein Dokument von Apple Pages, das nicht gelesen wird.",
  "The file is a zip archive, no document.": "Die Datei ist ein Zip-Archiv, kein Dokument.",
  "The file is in Word's old format (.doc).": "Die Datei hat das alte Format von Word (.doc).",
  "The file is an old Office file, but no text document.": "Die Datei ist eine alte Office-Datei, aber kein Textdokument.",
  "The e-book names no readable pages.": "Das E-Book nennt keine lesbaren Seiten.",
  "The e-book is damaged: its part {a} cannot be read.": "Das E-Book ist beschädigt: Sein Teil {a} kann nicht gelesen werden.",
  "The e-book is damaged: its package document is missing.": "Das E-Book ist beschädigt: Sein Paketdokument fehlt.",
  "The e-book is protected by digital rights management.": "Das E-Book ist durch digitale Rechteverwaltung geschützt.",
  "Upload the manuscript it was made from, as .docx.": "Laden Sie das Manuskript hoch, aus dem es gemacht wurde, als .docx.",
  "Upload the file it was made from, as .docx.": "Laden Sie die Datei hoch, aus der es gemacht wurde, als .docx.",
  "Upload the manuscript as .docx or .md.": "Laden Sie das Manuskript als .docx oder .md hoch.",
  "Upload the manuscript as .docx or .txt.": "Laden Sie das Manuskript als .docx oder .txt hoch.",
  "Upload the manuscript as .docx.": "Laden Sie das Manuskript als .docx hoch.",
  "Upload the manuscript as .docx, .odt, .epub, .html, .md or .txt.": "Laden Sie das Manuskript als .docx, .odt, .epub, .html, .md oder .txt hoch.",
  "Upload the text as .docx.": "Laden Sie den Text als .docx hoch.",
  "Upload the text as .docx or .odt.": "Laden Sie den Text als .docx oder .odt hoch.",
  "Upload the text as .docx and put pictures into it.": "Laden Sie den Text als .docx hoch und fügen Sie Bilder darin ein.",
  "Upload it again, or save it again first.": "Laden Sie sie noch einmal hoch, oder speichern Sie sie vorher neu.",
  "Unpack it and upload the manuscript itself.": "Entpacken Sie es und laden Sie das Manuskript selbst hoch.",
  "Convert it to .docx or Markdown and upload that.": "Wandeln Sie sie in .docx oder Markdown um und laden Sie das hoch.",
  "In Pages choose File > Export To > Word and upload that.": "Wählen Sie in Pages Ablage > Exportieren > Word und laden Sie das hoch.",
  "In Word choose File > Info > Protect Document > Encrypt with Password, clear the password, save, and upload it again.": "Wählen Sie in Word Datei > Informationen > Dokument schützen > Mit Kennwort verschlüsseln, löschen Sie das Kennwort, speichern Sie und laden Sie die Datei noch einmal hoch.",
  "Open it in Word, choose File > Save As > Word Document (.docx) and upload that.": "Öffnen Sie sie in Word, wählen Sie Datei > Speichern unter > Word-Dokument (.docx) und laden Sie das hoch.",
  "Open it in Word, save it as Word Document (.docx) and upload the new copy.": "Öffnen Sie sie in Word, speichern Sie sie als Word-Dokument (.docx) und laden Sie die neue Datei hoch.",
  "Open it in your word processor, save it as Word Document (.docx) and upload that.": "Öffnen Sie sie in Ihrem Textprogramm, speichern Sie sie als Word-Dokument (.docx) und laden Sie das hoch.",
  "Open it in your word processor and save it as .docx.": "Öffnen Sie sie in Ihrem Textprogramm und speichern Sie sie als .docx.",
  "Open it in your word processor, save it anew and upload the new copy.": "Öffnen Sie sie in Ihrem Textprogramm, speichern Sie sie neu und laden Sie die neue Datei hoch.",
  "Save it as Word Document (.docx), which leaves them out, and upload that.": "Speichern Sie sie als Word-Dokument (.docx), das sie weglässt, und laden Sie das hoch.",
  "Save it without a password and upload it again.": "Speichern Sie sie ohne Kennwort und laden Sie sie noch einmal hoch.",
  "Remove the password and upload it again.": "Entfernen Sie das Kennwort und laden Sie sie noch einmal hoch.",
  "Save it again and upload the new copy.": "Speichern Sie sie noch einmal und laden Sie die neue Datei hoch.",
  "Save it anew and upload it again.": "Speichern Sie sie neu und laden Sie sie noch einmal hoch.",
  "Save it anew from your word processor.": "Speichern Sie sie in Ihrem Textprogramm neu.",
  "Save the file anew from your word processor.": "Speichern Sie die Datei in Ihrem Textprogramm neu.",
  "Check the file or save it as .docx.": "Prüfen Sie die Datei, oder speichern Sie sie als .docx.",
  "Check that it is the manuscript and upload it again.": "Prüfen Sie, ob es das Manuskript ist, und laden Sie es noch einmal hoch.",
  "Check that the right file was saved and upload it again.": "Prüfen Sie, ob die richtige Datei gespeichert wurde, und laden Sie sie noch einmal hoch.",
  "Leave out what is not text or save it anew.": "Lassen Sie weg, was kein Text ist, oder speichern Sie sie neu.",
  "Leave out or shrink its pictures.": "Lassen Sie Bilder weg oder verkleinern Sie sie.",
  "Divide it into volumes.": "Teilen Sie es in Bände.",
  "Divide it into volumes and upload each.": "Teilen Sie es in Bände und laden Sie jeden hoch.",
  "Divide it into volumes or save it as .docx.": "Teilen Sie es in Bände, oder speichern Sie es als .docx.",
  "Divide it and save it anew.": "Teilen Sie sie und speichern Sie sie neu.",
  "Divide it and save the file anew.": "Teilen Sie das und speichern Sie die Datei neu.",
};

// A sentence ends before a space and a capital letter.
const sentenceEnd = /(?<=[.!?]) (?=[A-Z])/;
let patterns = null;

// said is what the service said, in the reader's language: what is not known stays as it is.
function said(text) {
  if (!german || typeof text !== "string") return text;
  patterns = patterns || Object.entries(sentences).map(([english, inGerman]) =>
    [new RegExp("^" + english.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{[a-z]\}/g, "(.+)") + "$", "s"), inGerman]);
  const fixes = Object.values(known.findings).find((k) => k.fix && text.includes(k.fix)); // they hold sentences of their own
  if (fixes) text = text.replace(fixes.fix, fixes.german.fix);
  return text.split(sentenceEnd).map((one) => {
    const exact = sentences[one];
    if (exact) return exact;
    for (const [pattern, inGerman] of patterns) {
      const m = pattern.exec(one);
      if (m) return inGerman.replace(/\{([a-z])\}/g, (_, name) => m[name.charCodeAt(0) - 96]);
    }
    return one;
  }).join(" ");
}
