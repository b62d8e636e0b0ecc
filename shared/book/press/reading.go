package press

import (
	"mappe/shared/book/clean"
	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/preflight"
	"mappe/shared/book/reader"
	"mappe/shared/book/reader/census"
	"mappe/shared/book/spec"
	"mappe/shared/book/wordtemplate"
)

// Reading are the steps up to a build: of a program that examines manuscripts and sets no pages, and so
// links neither type nor layout.
func Reading() Parts {
	return Parts{
		Look: func(name string, b []byte) error {
			_, err := reader.Sniff(name, b)
			return err
		},
		Read: func(name string, b []byte) (manuscript.Book, []finding.Finding, error) {
			return reader.Read(name, b, reader.Default())
		},
		Census: func(name string, b []byte) ([]census.Passage, error) {
			return reader.Census(name, b, reader.Default())
		},
		Repair: func(b manuscript.Book, s spec.Spec) (manuscript.Book, []finding.Finding) {
			return clean.Repair(b, clean.Options{Language: s.Language, Keep: s.KeepAll})
		},
		Examine:  preflight.Examine,
		Template: wordtemplate.Write,
	}
}
