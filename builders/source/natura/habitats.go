package natura

import (
	_ "embed"
	"strings"
	"sync"

	"mappe/artefacts/overlays"
	"mappe/shared/spelling"
)

//go:embed habitats.tsv
var habitatTable string

// keyword is one line of the table.
type keyword struct {
	tag  overlays.Habitat
	test func(word string) bool
}

var keywords = sync.OnceValue(func() (list []keyword) {
	for line := range strings.Lines(habitatTable) {
		cells := strings.Split(strings.TrimSpace(line), "\t")
		if len(cells) != 3 || strings.HasPrefix(line, "#") {
			continue
		}
		list = append(list, keyword{overlays.Habitat(cells[0]), tests[cells[1]](cells[2])})
	}
	return list
})

var tests = map[string]func(key string) func(word string) bool{
	"word": func(key string) func(string) bool { return func(w string) bool { return w == key } },
	"end":  func(key string) func(string) bool { return func(w string) bool { return strings.HasSuffix(w, key) } },
	"part": func(key string) func(string) bool { return func(w string) bool { return strings.Contains(w, key) } },
}

// Tags are the habitats that a site's name says, by the table: an inference, not a fact of the directive.
func Tags(name string) (set overlays.HabitatSet) {
	for word := range strings.FieldsSeq(spelling.Fold(name)) {
		for _, k := range keywords() {
			if k.test(word) {
				set.Add(k.tag)
			}
		}
	}
	return set
}
