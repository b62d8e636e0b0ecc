package bookindex

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mappe/shared/book/manuscript"
)

// tally is what is known of a word form of the book.
type tally struct {
	lower    int // in small letters
	upper    int // with a capital inside a sentence
	articled int // of these, behind an article, a determiner or an adjective
	start    int // with a capital where a sentence begins
}

// wordLength is how many bytes a word and the space behind it take at least, in the mean of a book.
const wordLength = 5

// read cuts the text into words, each unit's after the other's, and counts their forms.
func (d *drafter) read(all []unit) ([][]word, map[string]*tally) {
	said, letters := make([]string, len(all)), 0
	for i, u := range all {
		if !u.heading {
			said[i] = manuscript.Plain(u.inlines)
			letters += len(said[i])
		}
	}
	texts := make([][]word, len(all))
	forms := map[string]*tally{}
	arena := make([]word, 0, letters/wordLength+len(all))
	for i := range all {
		from := len(arena)
		arena = words(arena, said[i])
		texts[i] = arena[from:len(arena):len(arena)]
		d.count(forms, texts[i])
		d.total += len(texts[i])
	}
	return texts, forms
}

// collect finds the terms of the text.
func (d *drafter) collect(all []unit) []*term {
	texts, forms := d.read(all)
	found := map[string]*term{}
	var order []*term
	sections := map[*term]int{}
	for pass := range 2 { // first the runs inside sentences, then those at their starts that are known by then
		for i, u := range all {
			if u.anchor == "" {
				continue
			}
			d.runs(texts[i], forms, pass == 1, func(s string) {
				t := found[s]
				if t == nil {
					if pass == 1 {
						return
					}
					t = &term{s: s}
					found[s] = t
					order = append(order, t)
				}
				t.count++
				if n := len(t.units); n > 0 && t.units[n-1] == i {
					return
				}
				t.units = append(t.units, i)
				t.anchors = append(t.anchors, u.anchor)
				if sections[t] != u.section+2 {
					sections[t] = u.section + 2
					t.spread++
				}
			})
		}
	}
	for _, t := range order {
		t.tidy()
	}
	order = d.merge(order, found)
	keep := order[:0]
	for _, t := range order {
		if len(t.units) >= 2 && (!d.german || d.worth(t, forms)) {
			keep = append(keep, t)
		}
	}
	return keep
}

// tidy puts the units in order: the second pass has added some behind those of the first.
func (t *term) tidy() {
	places := make(map[int]string, len(t.units))
	for i, u := range t.units {
		places[u] = t.anchors[i]
	}
	set := make(map[int]bool, len(places))
	for u := range places {
		set[u] = true
	}
	t.units = sorted(set)
	t.anchors = t.anchors[:0]
	for _, u := range t.units {
		t.anchors = append(t.anchors, places[u])
	}
}

func (d *drafter) count(forms map[string]*tally, text []word) {
	for i := range text {
		w := &text[i]
		s := stem(w.s)
		key := s
		if !w.upper {
			key = strings.ToLower(s)
		}
		f := forms[key]
		if f == nil {
			f = &tally{}
			forms[key] = f
		}
		switch {
		case !w.upper:
			f.lower++
		case w.start:
			f.start++
		default:
			f.upper++
			if i > 0 && !text[i-1].upper && (determiners[strings.ToLower(text[i-1].s)] || adjective(text[i-1].s)) {
				f.articled++
			}
		}
	}
}

// adjective says whether a German word in small letters has the form of an inflected adjective.
func adjective(s string) bool {
	if len(s) < 5 || s[0] >= 'A' && s[0] <= 'Z' {
		return false
	}
	for _, end := range []string{"ige", "igen", "iger", "iges", "igem", "liche", "lichen", "licher", "liches", "lichem", "ische", "ischen",
		"ischer", "isches", "ischem", "ene", "enen", "ener", "enes", "enem", "te", "ten", "ter", "tes", "tem"} {
		if strings.HasSuffix(s, end) {
			return true
		}
	}
	return false
}

// runs tells of every candidate of a text. Where starts is set, only those that begin where a sentence does.
func (d *drafter) runs(text []word, forms map[string]*tally, starts bool, tell func(string)) {
	for i := 0; i < len(text); i++ {
		if !text[i].upper || text[i].start != starts {
			continue
		}
		end := d.run(text, i)
		next := end - 1
		from := i
		for from < end && titles[text[from].s] {
			from++
		}
		for end > from && (text[end-1].initial || titles[text[end-1].s]) {
			end--
		}
		if from == end {
			i = next
			continue
		}
		if d.german {
			d.germanRun(text[from:end], forms, tell)
		} else if s := phrase(text[from:end]); english(s, text[from:end], forms) {
			tell(s)
		}
		i = next
	}
}

// run is the end of the run of capitalised words that begins at i. In German only names run on: any other
// two nouns may stand side by side.
func (d *drafter) run(text []word, i int) int {
	end := i + 1
	for end < len(text) && end-i < 6 {
		w := &text[end]
		switch {
		case !w.joined && !text[end-1].initial || w.start && !text[end-1].initial:
			return end
		case w.upper && !(w.s == "I" && !w.initial) && stem(text[end-1].s) == text[end-1].s:
			end++
		case particles[w.s] && end+1 < len(text) && text[end+1].upper && text[end+1].joined && !text[end+1].start &&
			(!d.german || w.s != "of"):
			end += 2
		default:
			return end
		}
	}
	return end
}

func phrase(run []word) string {
	var b strings.Builder
	for i, w := range run {
		if i > 0 {
			b.WriteByte(' ')
		}
		s := w.s
		if i == len(run)-1 {
			s = stem(s)
		}
		b.WriteString(s)
		if w.initial {
			b.WriteByte('.')
		}
	}
	return b.String()
}

// english says whether a capitalised run is a name or a term.
func english(s string, run []word, forms map[string]*tally) bool {
	if len(run) > 1 {
		for _, w := range run { // Two Thousand Seven Hundred
			if !numerals[w.s] {
				return true
			}
		}
		return false
	}
	w := run[0]
	if len(s) < 2 || stopEnglish[s] || w.initial || strings.ContainsAny(s, "'’") {
		return false
	}
	if len(s) > 6 && strings.ToUpper(s) == s { // shouting
		return false
	}
	f := forms[s]
	low := forms[strings.ToLower(s)]
	return low == nil || f != nil && low.lower*2 <= f.upper
}

// germanRun tells of the names and nouns of a run.
func (d *drafter) germanRun(run []word, forms map[string]*tally, tell func(string)) {
	if len(run) >= 2 && len(run) <= 4 {
		names := true
		for _, w := range run {
			f := forms[stem(w.s)]
			if w.upper && (commonGerman[w.s] || f == nil || f.articled*4 > f.upper || f.lower > 0) {
				names = false
			}
		}
		if names {
			tell(phrase(run))
			return
		}
	}
	for _, w := range run {
		s := stem(w.s)
		f := forms[s]
		if w.initial || !w.upper || len(s) < 3 || common(s) || stopGerman[s] || f == nil {
			continue
		}
		if low := forms[strings.ToLower(s)]; low != nil && low.lower > 0 { // Sie, Ihr, and words that begin a speech
			continue
		}
		tell(s)
	}
}

// worth says whether a German noun is a name or treated in some places more than in others.
func (d *drafter) worth(t *term, forms map[string]*tally) bool {
	if strings.ContainsRune(t.s, ' ') {
		return true
	}
	f := forms[t.s]
	if f != nil && f.upper >= 2 && f.articled*5 <= f.upper {
		return true
	}
	return len(t.units) >= 3 && len([]rune(t.s)) >= 6
}

// merge brings the forms of one name together: a surname alone with the full name that ends in it, where
// there is one only, and German cases with the shortest form.
func (d *drafter) merge(terms []*term, found map[string]*term) []*term {
	full := map[string]*term{} // by each single word; nil where several names have it
	for _, t := range terms {
		parts := strings.Fields(t.s)
		if len(parts) < 2 || len(t.units) < 2 && !givenNames[parts[0]] {
			continue
		}
		for k, p := range []string{parts[0], parts[len(parts)-1]} {
			if k == 0 && !givenNames[parts[0]] {
				continue
			}
			if o, ok := full[p]; ok && o != t {
				full[p] = nil
			} else {
				full[p] = t
			}
		}
	}
	gone, into := map[*term]bool{}, map[*term]*term{}
	for _, t := range terms {
		if strings.ContainsRune(t.s, ' ') {
			continue
		}
		to := full[t.s]
		if to == nil && d.german {
			to = base(t.s, found)
		}
		if one, plural := strings.CutSuffix(t.s, "s"); to == nil && !d.german && plural && len(one) > 3 {
			to = found[one]
		}
		for to != nil && gone[to] {
			to = into[to]
		}
		if to != nil && to != t {
			into[t] = to
			to.units, to.anchors = append(to.units, t.units...), append(to.anchors, t.anchors...)
			to.tidy()
			gone[t] = true
		}
	}
	out := terms[:0]
	for _, t := range terms {
		if gone[t] {
			continue
		}
		if parts := strings.Fields(t.s); len(parts) > 1 && (givenNames[parts[0]] || initials(parts[0]) && !initials(parts[len(parts)-1])) {
			t.s = parts[len(parts)-1] + ", " + strings.Join(parts[:len(parts)-1], " ")
		}
		out = append(out, t)
	}
	return out
}

// initials says whether a part of a name is a letter and a full stop.
func initials(s string) bool { return strings.HasSuffix(s, ".") && utf8.RuneCountInString(s) == 2 }

// common says whether a noun or what it is a case of is a common one.
func common(s string) bool {
	if commonGerman[s] {
		return true
	}
	for _, end := range endings {
		if t, ok := strings.CutSuffix(s, end); ok && commonGerman[t] {
			return true
		}
	}
	return false
}

// endings are those of German cases and plurals.
var endings = []string{"s", "es", "n", "en", "e", "er", "ern", "ns"}

// base is the term that a German form is a case or plural of.
func base(s string, found map[string]*term) *term {
	for _, end := range endings {
		if t, ok := strings.CutSuffix(s, end); ok && len(t) >= 4 && found[t] != nil {
			return found[t]
		}
	}
	return nil
}

func set(lists ...string) map[string]bool {
	out := map[string]bool{}
	for _, l := range lists {
		for _, w := range strings.Fields(l) {
			out[w] = true
		}
	}
	return out
}

// capitals gives the words of a list as they stand in German, where they are nouns.
func capitals(lists ...string) map[string]bool {
	out := map[string]bool{}
	for w := range set(lists...) {
		r := []rune(w)
		r[0] = unicode.ToUpper(r[0])
		out[string(r)] = true
	}
	return out
}
