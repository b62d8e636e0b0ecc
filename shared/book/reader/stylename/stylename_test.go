package stylename

import (
	"strings"
	"testing"

	"mappe/shared/book/manuscript"
)

// TestLookup: a style is known by the name a person sees or by the id a file gives it, in three languages.
func TestLookup(t *testing.T) {
	for _, c := range []struct {
		name  string
		use   Use
		level int
	}{
		{"Heading 1", Heading, 1},
		{"heading 1", Heading, 1},
		{"Heading1", Heading, 1},
		{"Heading_1", Heading, 1},
		{"Überschrift 2", Heading, 2},
		{"berschrift2", Heading, 2}, // as Word writes the id
		{"Titre 3", Heading, 3},
		{"Título 4", Heading, 4},
		{"Heading 9", Heading, 9},
		{"Chapter Title", Heading, 1},
		{"Kapitelüberschrift", Heading, 1},
		{"Partie", Heading, 1},
		{"Titel", Title, 0},
		{"Sous-titre", Subtitle, 0},
		{"Byline", Author, 0},
		{"Erster Absatz", First, 0},
		{"Intense Quote", Quote, 0},
		{"Zitat", Quote, 0},
		{"Motto", Epigraph, 0},
		{"Quelle", Attribution, 0},
		{"Gedicht", Verse, 0},
		{"HTML Preformatted", Code, 0},
		{"caption", Caption, 0},
		{"Lgende", Caption, 0},
		{"Centred", Centered, 0},
		{"Rechtsbündig", FlushRight, 0},
		{"Szenenwechsel", SceneBreak, 0},
		{"List Continue 2", ListContinued, 0},
		{"Widmung", SectionText, 0},
		{"TOC Heading", Contents, 0},
		{"Verzeichnis 1", Contents, 0},
	} {
		s, known := Lookup(c.name)
		if !known || s.Use != c.use || s.Level != c.level {
			t.Errorf("%q: use %d, level %d, known %v; want use %d, level %d", c.name, s.Use, s.Level, known, c.use, c.level)
		}
	}
}

func TestUnknownNamesAreBodyText(t *testing.T) {
	for _, name := range []string{"", "Normal", "My Style", "Heading", "Heading 10", "Heading 1 and more",
		strings.Repeat("Heading 1", 1000)} {
		if s, known := Lookup(name); known || s.Use != Body {
			t.Errorf("%q is known as use %d", name, s.Use)
		}
	}
}

// TestSectionsOfTheirOwn: a style of a page of the front matter says which.
func TestSectionsOfTheirOwn(t *testing.T) {
	for name, want := range map[string]manuscript.SectionKind{
		"Part Title": manuscript.KindPart, "Chapter Title": manuscript.KindChapter, "Half Title": manuscript.KindHalfTitle,
		"Impressum": manuscript.KindCopyright, "Dédicace": manuscript.KindDedication,
	} {
		if s, _ := Lookup(name); s.Kind != want {
			t.Errorf("%q begins a section of kind %v, want %v", name, s.Kind, want)
		}
	}
}

// TestNamesAreOfOneStyle: no name stands in two rows, and every name is found as its row.
func TestNamesAreOfOneStyle(t *testing.T) {
	rows := map[string]int{}
	for i, s := range All() {
		if len(s.Names) == 0 {
			t.Errorf("row %d has no name", i)
		}
		for _, n := range s.Names {
			if other, twice := rows[key(n)]; twice && other != i {
				t.Errorf("%q stands in the rows %d and %d", n, other, i)
			}
			rows[key(n)] = i
			if got, known := Lookup(strings.ToUpper(n)); !known || got.Names[0] != s.Names[0] {
				t.Errorf("%q in capitals is not found", n)
			}
		}
	}
}

func TestRoles(t *testing.T) {
	for use, want := range map[Use]manuscript.Role{
		Body: manuscript.RoleBody, Title: manuscript.RoleTitle, Subtitle: manuscript.RoleSubtitle, Author: manuscript.RoleAuthor,
		First:       manuscript.RoleFirst,
		Attribution: manuscript.RoleAttribution, Centered: manuscript.RoleCentered, FlushRight: manuscript.RoleFlushRight,
		Quote: manuscript.RoleBody,
	} {
		if got := use.Role(); got != want {
			t.Errorf("use %d has the role %v, want %v", use, got, want)
		}
	}
}
