package manuscript

import "strings"

// Base is the language of a tag without its region: de of de-AT.
func Base(tag string) string {
	if i := strings.IndexAny(tag, "-_"); i >= 0 {
		tag = tag[:i]
	}
	return strings.ToLower(tag)
}

// Entry is a section's line in a table of contents: label and title with an en space between them; "" where it
// has no title. Without labels a number in digits stands alone for its label.
func (s *Section) Entry(labels bool) string {
	label, title := s.Label, soft(Plain(s.Title))
	switch {
	case label == "" || title == "":
		return label + title
	case !labels && s.figures():
		label = s.Number
	}
	return label + "\u2002" + title
}

// soft is a text with single spaces; its hard spaces are kept, because it is set.
func soft(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(c rune) bool { return c == ' ' || c == '\t' || c == '\n' }), " ")
}

// Called is how people speak of a section: "3. The Storm", "Book Two: The Sea"; "" where it has no title.
func (s *Section) Called() string {
	label, title := s.Label, Line(s.Title)
	switch {
	case label == "" || title == "":
		return label + title
	case s.figures() && s.Kind != KindPart && digits(s.Number):
		return s.Number + ". " + title
	case label == s.Number:
		return label + " " + title
	}
	return label + ": " + title
}

// figures says whether the number is written in arabic or roman digits.
func (s *Section) figures() bool {
	return digits(s.Number) || s.Number != "" && strings.Trim(s.Number, "IVXLC") == ""
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// TrimLabel is what numbers a heading without the stop, bracket or dash that parts it from the title.
func TrimLabel(s string) string {
	s = strings.TrimRight(s, " \t\u00a0.:|–—-")
	if !strings.Contains(s, "(") {
		s = strings.TrimRight(s, ")")
	}
	return s
}
