package legal

import (
	_ "embed"
	"strings"
	"sync"

	"mappe/artefacts/overlays"
	"mappe/shared/spelling"
)

//go:embed contexts.tsv
var contextTable string

var contextKeys = sync.OnceValue(func() (list [][2]string) {
	for line := range strings.Lines(contextTable) {
		if context, key, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && line[0] != '#' {
			list = append(list, [2]string{context, key})
		}
	}
	return list
})

// ContextOf is what a text is about, by the table of keywords, for texts that come without a context.
func ContextOf(text string) overlays.Context {
	folded := spelling.Fold(text)
	for _, k := range contextKeys() {
		if strings.Contains(folded, k[1]) {
			return overlays.Context(k[0])
		}
	}
	return "other"
}
