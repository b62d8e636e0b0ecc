package manuscript

import "strings"

// Base is the language of a tag without its region: de of de-AT.
func Base(tag string) string {
	if i := strings.IndexAny(tag, "-_"); i >= 0 {
		tag = tag[:i]
	}
	return strings.ToLower(tag)
}

// Label is what stands above a section's title in the words of a language: "Chapter 3", "3. Kapitel",
// "Teil II". A section without a number has the word alone.
func (s *Section) Label(language string) string {
	word, german := "Chapter", Base(language) == "de"
	switch {
	case s.Kind == KindPart && german:
		word = "Teil"
	case s.Kind == KindPart:
		word = "Part"
	case german:
		word = "Kapitel"
	}
	if german && s.digits() {
		return s.Number + ". " + word
	}
	return strings.TrimSpace(word + " " + s.Number)
}

// Entry is a section's line in a table of contents: number and title, an en space between them, or the
// label where it has no title; "" where it has neither.
func (s *Section) Entry(language string) string {
	// Hard spaces of the title are kept: it is set.
	title := strings.Join(strings.FieldsFunc(Plain(s.Title), func(c rune) bool { return c == ' ' || c == '\t' }), " ")
	switch {
	case s.Number == "":
		return title
	case title == "":
		return s.Label(language)
	}
	return s.Number + "\u2002" + title
}

// Called is how people speak of a section: "3. The Storm", "III The Storm", or the label where it has no
// title; "" where it has neither.
func (s *Section) Called(language string) string {
	title := Line(s.Title)
	switch {
	case s.Number == "":
		return title
	case title == "":
		return s.Label(language)
	case s.digits():
		return s.Number + ". " + title
	}
	return s.Number + " " + title
}

// digits says whether the number is written in digits.
func (s *Section) digits() bool { return s.Number != "" && strings.Trim(s.Number, "0123456789") == "" }
