package legal

import (
	"slices"
	"strings"

	"mappe/artefacts/overlays"
	"mappe/shared/austria"
	"mappe/shared/spelling"
)

// Named are the parcels of one KG that a text names. KG is nil where the text does not say it.
type Named struct {
	KG      *KG
	Parcels []Parcel // none where the text names the KG only
}

// Found is what a text says.
type Found struct {
	List     overlays.ListType
	Named    []Named
	Problems []string
}

// reader walks over one text.
type reader struct {
	names *Names
	t     []token
	text  string // folded, with a blank at both ends
	state string
	found Found

	kg      *KG   // the last one that was named
	fresh   bool  // it was named after the last row of numbers
	cued    bool  // a row with the word Grundstück stood before
	mention []*KG // in the order of the text
}

// ReadText finds the parcels that a text names, and in which KG they lie. state is the name of the state whose law it is,
// "" not known.
//
// A row of numbers begins behind a word such as Grundstück, Parzelle or Gst. Its KG is the one named right behind it,
// else the one named last. In a text that goes on from KG to KG the word may be missing from the second row on: then
// numbers with a sub-number that follow the name of a KG count too. Numbers of gazettes and of boundary points, areas
// and coordinates stand behind other words.
func ReadText(names *Names, text, state string) Found {
	r := &reader{names: names, t: tokens(text), text: " " + spelling.Fold(text) + " ", state: state}
	for i := 0; i < len(r.t); {
		i += max(r.step(i), 1)
	}
	walk := slices.ContainsFunc(walks, func(w string) bool { return strings.Contains(r.text, " "+w) })
	if walk {
		r.found.List = overlays.BoundaryWalk
	}
	if len(r.found.Named) == 0 && !walk { // boundary descriptions name KGs to say whose their points are
		for _, k := range r.mention {
			r.add(k, nil)
		}
	}
	return r.found
}

// walks are beginnings of folded words of texts that describe a boundary.
var walks = []string{"verlauft", "verlaufende", "grenzverlauf", "grenzpunkt", "eckpunkt"}

// step reads what begins at a token and says how many it takes.
func (r *reader) step(i int) int {
	if n := r.readKG(i); n > 0 {
		return n
	}
	t := r.t[i]
	switch {
	case t.kind == word && cue(t.text):
		n := r.row(i+1, partBefore(r.t[:i]))
		r.cued = r.cued || n > 0
		return 1 + n
	case t.kind == number && r.cued && r.fresh && strings.Contains(t.text, "/") && !gazette(r.t[:i]):
		return r.row(i, false)
	}
	return 0
}

// cue is a word that parcel numbers stand behind.
func cue(w string) bool {
	w = strings.ToLower(w)
	return strings.Contains(w, "grundst") || strings.Contains(w, "parzelle") || w == "gst" || w == "gste" || w == "gstnr" || w == "gp" ||
		w == "bp"
}

// partBefore says that the words before a cue mean parts: auf einem Teil des, Teile der.
func partBefore(t []token) bool {
	for i := len(t) - 1; i >= 0 && i >= len(t)-3; i-- {
		switch strings.ToLower(t[i].text) {
		case "teil", "teile", "teilen", "teilfläche", "teilflächen":
			return true
		}
	}
	return false
}

// gazette says that a number behind these tokens is one of a gazette or of a section of a law.
func gazette(t []token) bool {
	for i := len(t) - 1; i >= 0 && i >= len(t)-5; i-- {
		switch t[i].text {
		case "LGBl", "BGBl", "GZ", "Zl", "S", "Stück", "§", "Abs", "Z", "Art":
			return true
		}
	}
	return false
}

// row reads a row of numbers and gives it to its KG.
func (r *reader) row(i int, partial bool) int {
	start := i
	for i < len(r.t) && (abbreviation(r.t[i].text) || r.t[i].text == "." || r.t[i].text == ":" || r.t[i].text == "-") {
		i++ // Gst.-Nr.
	}
	var l list
	n := l.read(r.t[i:], partial)
	r.found.Problems = append(r.found.Problems, l.problems...)
	if n == 0 || len(l.parcels) == 0 {
		return 0
	}
	i += n
	if k := r.behind(i); k != nil {
		r.kg = k
	}
	r.fresh = false
	r.add(r.kg, l.parcels)
	return i - start
}

func abbreviation(s string) bool {
	switch strings.ToLower(s) {
	case "nr", "nrn", "nummer", "nummern":
		return true
	}
	return false
}

// maxBehind is how many words may stand between a row and the KG that is named behind it: "alle", "der Gemeinde X (".
const maxBehind = 7

// behind is the KG that a row ending before token i is given by what follows it.
func (r *reader) behind(i int) *KG {
	for j := i; j < len(r.t) && j < i+maxBehind; j++ {
		if list, _ := r.kgAt(j); len(list) > 0 {
			return choose(list, r.text, r.state)
		}
		switch t := r.t[j]; {
		case t.kind == number, t.text == ";", t.text == "." && j > i, t.text == "sohin", t.text == "wird", t.text == "werden",
			t.kind == word && cue(t.text):
			return nil
		}
	}
	return nil
}

// kgAt reads the name or code of a KG behind the word KG at a token, and says how many tokens both take.
func (r *reader) kgAt(i int) ([]*KG, int) {
	w := strings.ToLower(r.t[i].text)
	if w != "kg" && !strings.HasPrefix(w, "katastralgemeinde") {
		return nil, 0
	}
	j := i + 1
	if j < len(r.t) && r.t[j].text == "." {
		j++
	}
	if j < len(r.t) && r.t[j].kind == number && len(r.t[j].text) == 5 {
		if k := r.names.byCode[austria.KGCode(r.t[j].text)]; k != nil {
			return []*KG{k}, j + 1 - i
		}
		j++
	}
	list, n := r.names.at(r.t[j:])
	return list, j + n - i
}

// readKG reads a KG at a token; behind the plural, as many as are named.
func (r *reader) readKG(i int) int {
	list, n := r.kgAt(i)
	if len(list) == 0 {
		return 0
	}
	r.name(list)
	for j := i + n; strings.EqualFold(r.t[i].text, "katastralgemeinden") && j+1 < len(r.t); {
		if s := r.t[j].text; s != "," && s != "und" && s != "sowie" {
			break
		}
		more, m := r.names.at(r.t[j+1:])
		if len(more) == 0 {
			break
		}
		r.name(more)
		j += 1 + m
		n = j - i
	}
	return n
}

func (r *reader) name(list []*KG) {
	k := choose(list, r.text, r.state)
	if k == nil {
		r.found.Problems = append(r.found.Problems, "several KGs are named "+list[0].Name+" and nothing says which is meant")
		return
	}
	r.kg, r.fresh = k, true
	if !slices.Contains(r.mention, k) {
		r.mention = append(r.mention, k)
	}
}

// add puts parcels to those of a KG, each once.
func (r *reader) add(k *KG, parcels []Parcel) {
	i := slices.IndexFunc(r.found.Named, func(n Named) bool { return n.KG == k })
	if i < 0 {
		i = len(r.found.Named)
		r.found.Named = append(r.found.Named, Named{KG: k})
	}
	l := list{parcels: r.found.Named[i].Parcels}
	for _, p := range parcels {
		l.add(string(p.GNR), p.Partial)
	}
	r.found.Named[i].Parcels = l.parcels
}
