package press

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"mappe/shared/book/finding"
	"mappe/shared/book/reader"
	"mappe/shared/book/spec"
)

// prose are three sentences to stand between the lines of a manuscript.
const prose = "The old house stood beside the river and waited for somebody to open its windows. Nobody had done it since the spring of that year, when the water came. The keeper of the ferry said so, and he had seen it.\n\n"

// chapterOf is a chapter's text of a page and a half.
func chapterOf(seed int) string {
	return strings.Repeat(fmt.Sprintf("In the year of the %s flood the ferry lay at the upper landing. ",
		[]string{"first", "second", "third", "fourth"}[seed%4])+prose, 9)
}

// web is a page for the web of a body.
func web(body string) []byte {
	return []byte("<html><head><title>x</title></head><body>" + body + "</body></html>")
}

// lines are paragraphs of HTML.
func lines(all ...string) string { return "<p>" + strings.Join(all, "</p>\n<p>") + "</p>\n" }

// headed are sections of HTML: each title is a heading with prose below.
func headed(titles ...string) string {
	var b strings.Builder
	for _, t := range titles {
		b.WriteString("<h1>" + t + "</h1>" + lines(prose, prose))
	}
	return b.String()
}

// series are lines with a number in place of %.
func series(form string, from, to int) (all []string) {
	for n := from; n <= to; n++ {
		all = append(all, strings.Replace(form, "%", fmt.Sprint(n), 1))
	}
	return all
}

// onPages puts each line above a paragraph on a page of its own.
func onPages(heads ...string) string {
	var b strings.Builder
	for _, h := range heads {
		b.WriteString("\f\n" + h + "\n\n" + prose)
	}
	return b.String()
}

const chapters = "Chapter 1\n\n" + prose + prose + "\n\nChapter 2\n\n" + prose + prose

// wholeBooks are manuscripts that look like what a press tidies away: each of their words is the author's. say are
// passages that have to stand in the book word for word and sign for sign.
var wholeBooks = []struct {
	name, file, text string
	say              []string
}{
	{"a timeline before the first chapter", "a.txt",
		"Timeline\n\nThe crossing\t1914\n\nThe camp\t1915\n\nThe letters\t1916\n\nHome\t1918\n\n\f\n" + chapters,
		[]string{"The crossing", "1915", "Home"}},
	{"a timeline of the chapters, with years", "a.md",
		"Timeline\n\nThe Crossing\t1914\n\nThe Camp\t1915\n\nHome\t1918\n\n# The Crossing\n\n" + prose + "# The Camp\n\n" + prose +
			"# Home\n\n" + prose, []string{"1914", "1915", "1918"}},
	{"a chronology with dots", "a.txt",
		"Chronology\n\nThe war begins ........ 1914\n\nThe bridge falls ........ 1915\n\nThe peace ........ 1918\n\n\f\n" + chapters,
		[]string{"The bridge falls ........ 1915"}},
	{"a recipe", "a.txt", "Bread\n\nFlour (g) . . . . 500\n\nWater (g) . . . . 350\n\nSalt (g) . . . . 10\n\n\f\n" + chapters,
		[]string{"Flour (g) . . . . 500"}},
	{"a timetable", "a.txt", "Departures\n\nLinz\t6.15\n\nWels\t6.40\n\nSalzburg\t7.55\n\n\f\n" + chapters,
		[]string{"Linz", "6.15", "Salzburg", "7.55"}},
	{"a score", "a.txt", "The final\n\nReiter\t21\n\nHuber\t25\n\nMaier\t30\n\n\f\n" + chapters, []string{"Reiter", "21", "Maier", "30"}},
	{"a cast", "a.txt", "Persons\n\nThe keeper of the ferry ..... 54\n\nHis daughter ..... 17\n\nA stranger ..... 60\n\n\f\n" + chapters,
		[]string{"The keeper of the ferry", "His daughter", "A stranger"}},
	{"a menu", "a.txt", "Menu\n\nBroth …… 4\n\nTrout …… 12\n\nApple strudel …… 15\n\n\f\n" + chapters,
		[]string{"Broth …… 4", "Apple strudel …… 15"}},
	{"a price list in roman numbers", "a.txt", "Tariff\n\nFoot passengers . . . . ii\n\nHorses . . . . iv\n\nCarts . . . . vi\n\n\f\n" +
		chapters, []string{"Foot passengers", "Carts"}},
	{"a list of ships with their guns", "a.md", "# The Fleet\n\nVictory\t104\n\nTemeraire\t108\n\nMars\t174\n\n# One\n\n" + prose +
		"# Two\n\n" + prose, []string{"Temeraire", "174"}},
	{"contents that are not the book's", "a.md", "# Contents\n\nThe Storm\t5\n\nThe Wreck\t19\n\n# The Storm\n\n" + prose +
		"# The Shore\n\n" + prose, []string{"The Wreck"}},
	{"a chapter called contents", "a.md", "# Contents\n\nA knife\n\nTwo letters\n\n# The Suitcase\n\n" + prose + "# The Key\n\n" + prose,
		[]string{"A knife", "Two letters"}},
	{"an index that was typed", "a.md", "# The Storm\n\n" + prose + "# The Shore\n\n" + prose + "# Index\n\nferry, 3, 17\n\nkeeper, 5\n",
		[]string{"ferry, 3, 17", "keeper, 5"}},
	{"praise before the title page", "a.txt", "A quiet marvel\n\nThe Danube Courier\n\n\f\nThe Ferry\n\nby Ida Example\n\n\f\n" + chapters,
		[]string{"A quiet marvel", "The Danube Courier"}},

	{"days on pages of their own", "a.txt", onPages(series("Day %", 1, 29)...), []string{"Day 1", "Day 17", "Day 29"}},
	{"letters on pages of their own", "a.txt", onPages(series("Letter %", 1, 12)...), []string{"Letter 3", "Letter 12"}},
	{"poems on pages of their own", "a.txt", onPages(series("Poem %", 5, 14)...), []string{"Poem 5", "Poem 14"}},
	{"German days on pages of their own", "a.txt", onPages(series("%. Tag", 1, 9)...), []string{"1. Tag", "9. Tag"}},
	{"psalms by their number", "a.txt", onPages(series("%", 3, 15)...), []string{"3", "15"}},
	{"psalms", "a.txt", onPages(series("Psalm %", 42, 72)...), []string{"Psalm 42", "Psalm 72"}},
	{"the days of a log", "a.txt", onPages(series("Log, day %", 2, 9)...), []string{"Log, day 2", "Log, day 9"}},
	{"stations", "a.txt", onPages(series("% km to the sea", 90, 99)...), []string{"90 km to the sea", "99 km to the sea"}},
	{"a refrain that stands on every page", "a.txt", onPages(slices.Repeat([]string{"and the river went on"}, 8)...),
		[]string{"and the river went on"}},
	{"a place above each letter", "a.txt", onPages("Linz", "Wien", "Linz", "Graz", "Linz", "Wien", "Wien"),
		[]string{"Linz", "Wien", "Graz"}},
	{"the hour above each page", "a.txt", onPages(series("% o'clock", 1, 12)...), []string{"1 o’clock", "12 o’clock"}},
	{"who speaks, above each chapter", "a.html",
		strings.Repeat(`<p style="text-align:center;font-size:16pt"><b>Anna</b></p>`+lines(chapterOf(0), chapterOf(1))+
			`<p style="text-align:center;font-size:16pt"><b>Tom</b></p>`+lines(chapterOf(2), chapterOf(3)), 3), []string{"Anna", "Tom"}},

	{"dates above the chapters", "a.html", headed("1. März", "2. März", "24. Dezember", "31. Mai 1945", "7. Jänner"),
		[]string{"1. März", "2. März", "24. Dezember", "31. Mai 1945", "7. Jänner"}},
	{"English dates", "a.html", headed("1 March", "2 March", "3 April 1914", "1st May", "The 4th of July"),
		[]string{"1 March", "2 March", "3 April 1914", "1st May", "The 4th of July"}},
	{"French dates", "a.html", headed("1er mars", "2 avril", "14 juillet"), []string{"1er mars", "2 avril", "14 juillet"}},
	{"dates in figures", "a.html", headed("24. 12. 1944", "25.12.1944", "1. 1. 1945"),
		[]string{"24. 12. 1944", "25.12.1944", "1. 1. 1945"}},
	{"days that are counted", "a.html", headed("1. Tag", "2. Tag", "3. Tag"), []string{"1. Tag", "2. Tag", "3. Tag"}},
	{"hours", "a.html", headed("5 Uhr", "6 Uhr", "7 Uhr"), []string{"5 Uhr", "6 Uhr", "7 Uhr"}},
	{"times", "a.html", headed("6:15", "6:40", "7:55"), []string{"6:15", "6:40", "7:55"}},
	{"acts and scenes", "a.html", headed("1. Akt", "2. Akt", "3. Akt"), []string{"1. Akt", "3. Akt"}},
	{"Sundays", "a.html", headed("1. Advent", "2. Advent", "4. Advent"), []string{"1. Advent", "4. Advent"}},
	{"letters by date and place", "a.html", headed("Linz, 3. Mai 1848", "Wien, 6. Oktober 1848"),
		[]string{"Linz, 3. Mai 1848", "Wien, 6. Oktober 1848"}},

	{"a quotation within a dedication", "a.html", lines("For my mother, who said") + "<blockquote>" + lines("the river", "is not",
		"the water") + "</blockquote>" + lines("and was right.") + headed("Chapter 1", "Chapter 2"),
		[]string{"the river", "and was right."}},
	{"a prologue in which a book is printed", "a.txt",
		"The book that he gave me was printed in Leipzig, he said, and the copyright had been his uncle's.\n\n" + prose + "\n\f\n" +
			chapters, []string{"printed in Leipzig"}},
	{"speech with hyphens", "a.txt", "Chapter 1\n\n- Wohin gehst du?\n\n- Nach Hause.\n\n- Warum?\n\n" + prose + "\n\nChapter 2\n\n" +
		prose, []string{"- Wohin gehst du?", "- Nach Hause.", "- Warum?"}},
	{"program text", "a.html", "<h1>One</h1>" + lines(prose, prose,
		`Then <span style="font-family:'Courier New'">a &lt;&lt; 2 &amp;&amp; b -- c</span> and <span style="font-family:Courier">x = "y"; 10 - 4</span>.`) + headed("Two"), []string{"a << 2 && b -- c", `x = "y"; 10 - 4`}},
	{"program text in lines", "a.html",
		"<h1>One</h1>" + lines(prose, prose, `<span style="font-family:Courier">if a -- b:<br/>say "no"<br/>1. stop</span>`) +
			headed("Two"), []string{"if a -- b:", `say "no"`, "1. stop"}},
	{"program text among code marks", "a.md", "# One\n\n" + prose + "Call `f(\"x\") -- 1` now.\n\n# Two\n\n" + prose,
		[]string{`f("x") -- 1`}},
}

// TestEveryWordOfTheAuthorIsSet: every word of these manuscripts stands in the e-book, in an order of its own, and what
// is said to stand there stands so; the report's account is even and names nothing as left out.
func TestEveryWordOfTheAuthorIsSet(t *testing.T) {
	for _, c := range wholeBooks {
		t.Run(c.name, func(t *testing.T) {
			text := []byte(c.text)
			if strings.HasSuffix(c.file, ".html") {
				text = web(c.text)
			}
			m, book := setAsEbook(t, c.file, text, ordinary())
			w := m.Report.Words
			if !w.Counted || w.In == 0 || w.Set != w.In || w.Left != 0 || len(w.Removed) != 0 {
				t.Errorf("%d words in, %d set, %d left out: %v", w.In, w.Set, w.Left, w.Removed)
			}
			for _, said := range c.say {
				if !strings.Contains(book, said) {
					t.Errorf("%q does not stand in the book", said)
				}
			}
			lacking(t, c.file, text, book)
		})
	}
}

// setAsEbook builds the e-book of a manuscript and gives its text, in lines.
func setAsEbook(t *testing.T, name string, b []byte, s spec.Spec) (Manuscript, string) {
	t.Helper()
	m, err := Open(name, b, s)
	if err != nil {
		t.Fatal(err)
	}
	out, err := Build(t.Context(), m, s, Job{Edition: Proof, Format: EPUB, Created: created})
	if err != nil {
		t.Fatal(err)
	}
	passages, err := reader.Census("book.epub", out.EPUB, reader.Default())
	if err != nil {
		t.Fatal(err)
	}
	return m, strings.ReplaceAll(strings.Join(passages, "\n"), "\u00a0", " ")
}

// lacking compares a manuscript with its book, words and numbers, each as often as it stands in the manuscript.
func lacking(t *testing.T, name string, b []byte, book string) {
	t.Helper()
	passages, err := reader.Census(name, b, reader.Default())
	if err != nil {
		t.Fatal(err)
	}
	words := func(s string) []string {
		return strings.FieldsFunc(s, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	}
	have := map[string]int{}
	for _, w := range words(book) {
		have[w]++
	}
	for _, w := range words(strings.Join(passages, " ")) {
		if have[w]--; have[w] < 0 {
			t.Errorf("%q stands in the manuscript and not in the book", w)
		}
	}
}

// repeating are manuscripts with what the book makes itself: it is left out, listed word for word, and kept by keep_all.
var repeating = []struct {
	name, file, text string
	why              finding.Type
	left             []string
}{
	{"contents with numbers", "a.md", "Contents\n\nThe Storm\t5\n\nThe Shore\t19\n\n# The Storm\n\n" + prose + "# The Shore\n\n" + prose,
		finding.TOCField, []string{"Contents\nThe Storm\t5\nThe Shore\t19"}},
	{"contents with a heading", "a.md", "# Contents\n\nThe Storm ... 5\n\nThe Shore ... 19\n\n# The Storm\n\n" + prose + "# The Shore\n\n" +
		prose, finding.TOCField, []string{"The Storm ... 5\nThe Shore ... 19"}},
	{"a running head on every page", "a.txt",
		"Chapter 1: The Storm\n\n" + prose +
			strings.Repeat("The old house stood beside the river, which\n\n\f\nThe Storm\n\nnobody had ever seen so high.\n\n",
				4) + "\n\nChapter 2: The Shore\n\n" + prose,
		finding.RunningHeadInBody, slices.Repeat([]string{"The Storm"}, 4)},
}

// TestWhatIsLeftOutIsListedAndKept: what the book makes itself is left out, each word of it stands in the list with its
// place, the account is even, and with keep_all it is set.
func TestWhatIsLeftOutIsListedAndKept(t *testing.T) {
	for _, c := range repeating {
		t.Run(c.name, func(t *testing.T) {
			m, book := setAsEbook(t, c.file, []byte(c.text), ordinary())
			w := m.Report.Words
			var left []string
			for _, r := range w.Removed {
				if r.Why != c.why || r.Place.Paragraph == 0 {
					t.Errorf("%+v", r)
				}
				left = append(left, r.Text)
			}
			if !slices.Equal(left, c.left) || w.Left == 0 || w.In != w.Set+w.Left {
				t.Errorf("%d in, %d set, %d left out: %q, want %q", w.In, w.Set, w.Left, left, c.left)
			}
			s := ordinary()
			s.KeepAll = true
			kept, whole := setAsEbook(t, c.file, []byte(c.text), s)
			if w := kept.Report.Words; w.Left != 0 || w.In != w.Set {
				t.Errorf("with keep_all: %+v", w)
			}
			lacking(t, c.file, []byte(c.text), whole)
			if len(whole) <= len(book) {
				t.Error("keep_all adds nothing")
			}
		})
	}
}

// TestTheAccountIsEven: of every sample manuscript, in each format and with planted faults, and of those above.
func TestTheAccountIsEven(t *testing.T) {
	files := sampleFiles(t)
	for _, c := range repeating {
		files[c.name+"/"+c.file] = []byte(c.text)
	}
	for name, b := range files {
		for _, label := range []bool{true, false} {
			s := spec.Default()
			s.ChapterLabel = label
			m, err := Open(name[strings.LastIndex(name, "/")+1:], b, s)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			w := m.Report.Words
			sum := 0
			for _, r := range w.Removed {
				sum += r.Words
			}
			if !w.Counted || w.In == 0 || w.In != w.Set+w.Left || sum < w.Left {
				t.Errorf("%s: %d in, %d set, %d left out, %d listed", name, w.In, w.Set, w.Left, sum)
			}
		}
	}
}
