package clean

import (
	"fmt"
	"strings"
	"testing"

	"mappe/shared/book/manuscript"
)

// listed writes lists as "format start[item | item]" and paragraphs as they are, with " / " between blocks.
func listed(blocks []manuscript.Block) string {
	var all []string
	for _, b := range blocks {
		switch b := b.(type) {
		case *manuscript.List:
			format := "bullet"
			if b.Ordered {
				format = fmt.Sprintf("%s %d", b.Format, b.Start)
			}
			var items []string
			for _, item := range b.Items {
				items = append(items, manuscript.Flow(item[0].(*manuscript.Paragraph).Inlines))
			}
			all = append(all, format+"["+strings.Join(items, " | ")+"]")
		case *manuscript.Paragraph:
			all = append(all, manuscript.Flow(b.Inlines))
		}
	}
	return strings.Join(all, " / ")
}

// TestListsTypedByHand: paragraphs that an author has numbered are the items of a list where their numbers follow
// each other in one form; the list goes on where they went on, and what only looks like a number stays text.
func TestListsTypedByHand(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"figures with a stop", "1. Bread\n2. Salt", "decimal 1[Bread | Salt]"},
		{"figures with a bracket", "1) Bread\n2) Salt", "decimal 1[Bread | Salt]"},
		{"figures in brackets", "(1) Bread\n(2) Salt\n(3) Oil", "decimal 1[Bread | Salt | Oil]"},
		{"above nine", "8. Eight\n9. Nine\n10. Ten\n11. Eleven", "decimal 8[Eight | Nine | Ten | Eleven]"},
		{"a list that goes on with four", "4. Bread\n5. Salt\n6. Oil", "decimal 4[Bread | Salt | Oil]"},
		{"two numbers that do not begin at one may be days", "4. Bread\n5. Salt", "4. Bread / 5. Salt"},
		{"letters", "a) Bread\nb) Salt\nc) Oil", "lower-alpha 1[Bread | Salt | Oil]"},
		{"letters past i", "a) Anis\nb) Brot\nc) Chili\nd) Dill\ne) Essig\nf) Fisch\ng) Grieß\nh) Honig\ni) Ingwer\nj) Jod",
			"lower-alpha 1[Anis | Brot | Chili | Dill | Essig | Fisch | Grieß | Honig | Ingwer | Jod]"},
		{"roman numbers", "i. Bread\nii. Salt\niii. Oil\niv. Wine\nv. Tea\nvi. Rye",
			"lower-roman 1[Bread | Salt | Oil | Wine | Tea | Rye]"},
		{"roman numbers below letters", "a) Bread\nb) Salt\ni) Oil\nii) Wine", "lower-alpha 1[Bread | Salt] / lower-roman 1[Oil | Wine]"},
		{"roman numbers in brackets", "(i) Bread\n(ii) Salt", "lower-roman 1[Bread | Salt]"},
		{"a space in front and a tab behind", " 1.\tBread\n 2.\tSalt", "decimal 1[Bread | Salt]"},
		{"bullets", "• Bread\n• Salt", "bullet[Bread | Salt]"},
		{"three lines with a hyphen", "- Bread\n- Salt\n- Oil", "bullet[Bread | Salt | Oil]"},
		{"two lines with a hyphen may be speech", "- Bread\n- Salt", "- Bread / - Salt"},
		{"two lines with an asterisk may be notes", "* Bread\n* Salt", "* Bread / * Salt"},
		{"another bullet begins another list", "• Bread\n• Salt\n▪ Oil\n▪ Wine", "bullet[Bread | Salt] / bullet[Oil | Wine]"},
		{"another form begins another list", "1. Bread\n2. Salt\na) Oil\nb) Wine", "decimal 1[Bread | Salt] / lower-alpha 1[Oil | Wine]"},
		{"a list that begins anew", "1. Bread\n2. Salt\n1. Oil\n2. Wine", "decimal 1[Bread | Salt] / decimal 1[Oil | Wine]"},
		{"a number left out ends it", "1. Bread\n2. Salt\n4. Oil", "decimal 1[Bread | Salt] / 4. Oil"},
		{"a number that stands twice ends it", "1. Bread\n1. Salt", "1. Bread / 1. Salt"},
		{"letters that do not begin with a", "b) Bread\nc) Salt", "b) Bread / c) Salt"},
		{"an abbreviation is no letter of a list", "z. B. Brot\nd. h. Salz", "z. B. Brot / d. h. Salz"},
		{"no space behind the number", "1.5 litres\n2.5 litres", "1.5 litres / 2.5 litres"},
		{"nothing behind the number", "1. \n2. ", "1.  / 2. "},
		{"a year is no number of a list", "1914. War\n1915. War\n1916. War", "1914. War / 1915. War / 1916. War"},
		{"a bracket that opens and does not close", "(1. Bread\n(2. Salt", "(1. Bread / (2. Salt"},
	} {
		var blocks []manuscript.Block
		for _, l := range strings.Split(c.in, "\n") {
			blocks = append(blocks, para(l))
		}
		r := &repair{log: log{limit: 10}}
		if got := listed(r.lists(blocks)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestListsKeepTheirLetters: the mark goes with the number, and the style of what follows it stays.
func TestListsKeepTheirLetters(t *testing.T) {
	item := func(n, s string) manuscript.Block {
		return &manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: n, Style: manuscript.Bold},
			manuscript.Text{S: s, Style: manuscript.Italic}}}
	}
	r := &repair{log: log{limit: 10}}
	got := r.lists([]manuscript.Block{item("1.", "\tBread"), item("2. S", "alt"), &manuscript.Paragraph{Align: manuscript.AlignCenter,
		Inlines: para("3. Oil").Inlines}})
	l, ok := got[0].(*manuscript.List)
	if !ok || len(l.Items) != 2 || len(got) != 2 {
		t.Fatalf("a list of two and a centred line are %s", listed(got))
	}
	first, second := l.Items[0][0].(*manuscript.Paragraph).Inlines, l.Items[1][0].(*manuscript.Paragraph).Inlines
	if manuscript.Flow(first) != "Bread" || first[len(first)-1].(manuscript.Text).Style != manuscript.Italic {
		t.Errorf("the first item is %#v", first)
	}
	if manuscript.Flow(second) != "Salt" || second[0].(manuscript.Text).Style != manuscript.Bold ||
		second[1].(manuscript.Text).Style != manuscript.Italic {
		t.Errorf("the second item is %#v", second)
	}
	if told := counted(r.log.found); told != "manual_numbering 1" {
		t.Errorf("told %q", told)
	}
}
