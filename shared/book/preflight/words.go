package preflight

import "mappe/shared/book/finding"

// phrase is what the report says of a type.
type phrase struct{ title, meaning, does, fix string }

// Advice is what the press does about findings of a type and how the author mends them, in a language of
// the report: en or de.
func Advice(t finding.Type, language string) (does, fix string) {
	w := wordsOf(t, language)
	return w.does, w.fix
}

// wordsOf are the words of a type in a language of the report.
func wordsOf(t finding.Type, language string) phrase {
	if language == "de" {
		if p, ok := german[t]; ok {
			return p
		}
	}
	return phrase{t.Title(), t.Meaning(), t.Does(), t.Fix()}
}
