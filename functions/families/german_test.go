package families

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mappe/functions/family"
	"mappe/shared/web/catalogue"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/sentences"
)

// sharedFile has the sentences that several services say; ownFile is that of one alone, beside the family that leads it.
const sharedFile = "shared/web/sentences/de.po"

func ownFile(s family.Service) string {
	return filepath.ToSlash(filepath.Join(filepath.Dir(s.Lead().Program), "de.po"))
}

// said are the English sentences of a description, each once, in its order.
func said(t *testing.T, s family.Service) (list []string) {
	t.Helper()
	document, err := s.Lead().Service.OpenAPI(s.Prefix)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{"": true}
	all := catalogue.Rewording{Endings: endpoint.Endings, Of: func(text string) (string, bool) {
		if !seen[text] {
			seen[text] = true
			list = append(list, text)
		}
		return "", false
	}}
	if _, err := all.Reword(document); err != nil {
		t.Fatal(err)
	}
	return list
}

// expected are the sentences by the file in which they have to stand.
func expected(t *testing.T, all []family.Service) map[string][]string {
	t.Helper()
	bySpeaker := map[string][]string{}
	count := map[string]int{}
	for _, s := range all {
		bySpeaker[ownFile(s)] = said(t, s)
		for _, text := range bySpeaker[ownFile(s)] {
			count[text]++
		}
	}
	files := map[string][]string{}
	for _, s := range all {
		for _, text := range bySpeaker[ownFile(s)] {
			switch {
			case count[text] == 1:
				files[ownFile(s)] = append(files[ownFile(s)], text)
			case count[text] > 1:
				files[sharedFile] = append(files[sharedFile], text)
				count[text] = 0 // the others say it too
			}
		}
	}
	return files
}

// about stands at the top of each file.
const about = `German sentences of the services' descriptions by their English: openapi.json?lang=de, and the reference in German.
go test ./functions/families -run TestEverySentenceIsGerman -update enters those that are new and takes out those that nothing says.`

// TestEverySentenceIsGerman: each sentence of a description stands in German in the file of its service, or in the shared one where
// several say it; no file has a sentence that nothing says.
func TestEverySentenceIsGerman(t *testing.T) {
	files := expected(t, All(Deps{}))
	inFile, known := map[string]map[string]string{}, map[string]string{}
	for file := range files {
		raw, err := os.ReadFile(filepath.Join("../..", file))
		if err != nil {
			t.Fatal(err)
		}
		list, err := catalogue.Entries(string(raw))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		inFile[file] = map[string]string{}
		for _, e := range list {
			inFile[file][e.English] = e.Text
			if e.Text != "" {
				known[e.English] = e.Text
			}
		}
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if *update {
			rewrite(t, file, files[file], known)
		}
		for _, text := range files[file] {
			german, there := inFile[file][text]
			if *update {
				german, there = known[text], true
			}
			if !there || german == "" {
				t.Errorf("%s: no German for %q: give its msgid a msgstr (-update enters the msgid)", file, text)
			}
			delete(inFile[file], text)
		}
		for text := range inFile[file] {
			if !*update {
				t.Errorf("%s: no description says %q there: take the entry out, or change it as the sentence was (-update does)",
					file, text)
			}
		}
	}
}

// rewrite writes a file with these sentences, in German where that is known.
func rewrite(t *testing.T, file string, texts []string, known map[string]string) {
	t.Helper()
	var list []catalogue.Entry
	for _, text := range texts {
		list = append(list, catalogue.Entry{English: text, Text: known[text]})
	}
	if err := os.WriteFile(filepath.Join("../..", file), []byte(catalogue.Write(about, list)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// What stands between backticks, in braces and in paths is not translated.
func TestGermanKeepsNames(t *testing.T) {
	for _, s := range All(Deps{}) {
		german, err := catalogue.Read(s.Lead().Service.German...)
		if err != nil {
			t.Fatal(err)
		}
		if s.Lead().Service.German[0] != sentences.German {
			t.Errorf("%s is not given the shared sentences first", s.Prefix)
		}
		for _, text := range said(t, s) {
			other, _ := german.Of(text)
			for i, part := range strings.Split(text, "`") {
				if i%2 == 1 && strings.Count(text, "`")%2 == 0 && !strings.Contains(other, "`"+part+"`") {
					t.Errorf("%s: the German of %q lacks `%s`: %q", s.Prefix, text, part, other)
				}
			}
		}
	}
}
