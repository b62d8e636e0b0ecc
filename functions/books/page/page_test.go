package page

import (
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/press"
	"mappe/shared/book/spec"
	"mappe/shared/web/htmlpage"
)

var (
	translated = regexp.MustCompile(`\bt\("((?:[^"\\]|\\.)*)"`)
	inMarkup   = regexp.MustCompile(`<[a-z0-9]+[^>]*\sdata-t(?:\s[^>]*)?>([^<]+)<`)
	inLabel    = regexp.MustCompile(`data-t-label[^>]*aria-label="([^"]+)"`)
	entry      = regexp.MustCompile(`"((?:[^"\\]|\\.)*)": "((?:[^"\\]|\\.)*)"`)
	bracketed  = regexp.MustCompile(`\{[a-z]+\}`)
)

// german is the page's own dictionary.
func german(t *testing.T) map[string]string {
	t.Helper()
	words := map[string]string{}
	for _, m := range entry.FindAllStringSubmatch(text("words.js"), -1) {
		if _, twice := words[m[1]]; twice {
			t.Errorf("%q is translated twice", m[1])
		}
		words[m[1]] = m[2]
	}
	return words
}

// Everything the page says in English it says in German too, the press's own tables included.
func TestGermanIsWhole(t *testing.T) {
	words := german(t)
	want := map[string]bool{}
	for _, m := range append(inMarkup.FindAllStringSubmatch(text("page.html"), -1),
		inLabel.FindAllStringSubmatch(text("page.html"), -1)...) {
		want[strings.TrimSpace(m[1])] = true
	}
	for _, name := range scripts {
		for _, m := range translated.FindAllStringSubmatch(text(name), -1) {
			want[m[1]] = true
		}
	}
	for _, f := range spec.Fields() {
		want[f.Label] = true
		if f.Form == "number" || f.Doc != "" && !strings.HasPrefix(f.Doc, "at most ") && f.Name != "trim" {
			want[f.Doc] = true
		}
	}
	for _, f := range finding.AllTypes() {
		want[f.Title()] = true
	}
	for _, k := range manuscript.AllSectionKinds() {
		want[strings.ReplaceAll(k.String(), "_", " ")] = true
	}
	if len(want) < 250 {
		t.Fatalf("only %d texts were found in the page", len(want))
	}
	for english := range want {
		g, ok := words[english]
		if !ok {
			t.Errorf("%q has no German", english)
			continue
		}
		if a, b := strings.Join(bracketed.FindAllString(english, -1), ""), strings.Join(bracketed.FindAllString(g, -1), ""); a != b {
			t.Errorf("%q: the values %s, in German %s", english, a, b)
		}
	}
}

// Every step of a build, and every choice of the transmittal, has words.
func TestStepsAndChoicesHaveWords(t *testing.T) {
	for _, step := range []string{press.StepSet, press.StepPrint, press.StepCheck, press.StepShow, press.StepEbook, press.StepProve} {
		if !strings.Contains(text("build.js"), `"`+step+`":`) {
			t.Errorf("the step %q has no words", step)
		}
	}
	for _, f := range spec.Fields() {
		if !strings.Contains(text("details.js"), `"`+f.Name+`"`) {
			t.Errorf("the field %q stands in no group of the form", f.Name)
		}
		for _, choice := range f.Allowed {
			if f.Name != "page_multiple" && !regexp.MustCompile(`[ {"]`+regexp.QuoteMeta(choice)+`"?: "`).MatchString(text("details.js")) {
				t.Errorf("%s: the choice %q has no words", f.Name, choice)
			}
		}
	}
}

func TestPolicyNamesScriptAndStyle(t *testing.T) {
	w := httptest.NewRecorder()
	p := New(Options{Files: []string{"https://files.example"}})
	for name, values := range p.header {
		w.Header()[name] = values
	}
	document, policy := string(p.body), w.Header().Get("Content-Security-Policy")
	_, rest, _ := strings.Cut(document, "<script>")
	script, _, closed := strings.Cut(rest, "</script>")
	_, rest, _ = strings.Cut(document, "<style>")
	style, _, _ := strings.Cut(rest, "</style>")
	if !closed || !strings.Contains(policy, "script-src '"+htmlpage.Hash(script)+"'") ||
		!strings.Contains(policy, "style-src '"+htmlpage.Hash(style)+"'") {
		t.Errorf("the policy does not name what the document holds: %s", policy)
	}
	if !strings.Contains(policy, "connect-src 'self' https://files.example;") || strings.Contains(policy, "unsafe") {
		t.Errorf("policy %s", policy)
	}
	own := strings.NewReplacer("http://www.w3.org", "", `<link rel="icon" href="data:,">`, "").Replace(document)
	for _, foreign := range []string{"<script src", "<link", "@import", " style=\"", "onclick=\"", "/*css*/", "/*js*/", "http://"} {
		if strings.Contains(own, foreign) {
			t.Errorf("the document holds %s", foreign)
		}
	}
	if n := len(p.body); n > 150_000 {
		t.Errorf("the page is %d bytes", n)
	}
}
