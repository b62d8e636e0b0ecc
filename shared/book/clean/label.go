package clean

import (
	"strings"

	"mappe/shared/book/manuscript"
)

// Label is how people call a section: "3. The Storm", "Chapter 3", "Teil II"; "" where it has neither number nor title.
func Label(s *manuscript.Section, language string) string {
	title := oneLine(plain(s.Title))
	german := Base(language) == "de"
	digits := s.Number != "" && strings.Trim(s.Number, "0123456789") == ""
	switch {
	case s.Number == "":
		return title
	case title != "" && digits:
		return s.Number + ". " + title
	case title != "":
		return s.Number + " " + title
	}
	word := "Chapter"
	switch {
	case s.Kind == manuscript.KindPart && german:
		word = "Teil"
	case s.Kind == manuscript.KindPart:
		word = "Part"
	case german:
		word = "Kapitel"
	}
	return word + " " + s.Number
}
