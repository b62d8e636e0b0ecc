package preflight

import "mappe/shared/book/finding"

// phrase is what the report says of a type.
type phrase struct{ title, meaning, does, fix string }

// wordsOf are the words of a type in a language of the report.
func wordsOf(t finding.Type, language string) phrase {
	if language == "de" {
		if p, ok := german[t]; ok {
			return p
		}
	}
	return phrase{t.Title(), t.Meaning(), t.Does(), t.Fix()}
}
