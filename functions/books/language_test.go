package books

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"mappe/shared/book/press"
)

func TestAccepted(t *testing.T) {
	for header, want := range map[string]language{
		"": "", "*": "", "fr": "", "de": german, "de-AT,de;q=0.9,en;q=0.8": german, "fr,en;q=0.5,de;q=0.4": english,
		"en;q=0.1, DE-CH ; q=0.2": german, "de;q=0, en;q=0.001": english, "de;q=x": "", "deutsch": "",
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept-Language", header)
		if got := accepted(r); got != want {
			t.Errorf("%q: want %q, got %q", header, want, got)
		}
	}
}

// TestTheReportSpeaksTheReadersLanguage: an English book's report in German, by parameter and by header; the
// JSON form changes when it is asked to.
func TestTheReportSpeaksTheReadersLanguage(t *testing.T) {
	r := newHarness(t, func(d *Deps) { d.Press.Examine = press.Standard().Examine })
	book := r.upload(t, "A text  with two spaces.")
	path := fmt.Sprintf("/api/projects/%d/preflight", r.project.ID)
	form := fmt.Sprintf(`{"book_id":%d}`, book)
	sentence := func(b map[string]any) string { return fmt.Sprint(b["book_map"].(map[string]any)["summary"]) }
	if s := sentence(r.want(t, 200, r.do("POST", path, form))); !strings.Contains(s, "word") {
		t.Errorf("%s", s)
	}
	if s := sentence(r.want(t, 200, r.do("POST", path+"?lang=de", form))); !strings.Contains(s, "Wörter") {
		t.Errorf("%s", s)
	}
	query := fmt.Sprintf("?book_id=%d", book)
	for lang, holds := range map[string]string{"": "word", "&lang=de": "Wörter", "&lang=en": "word"} {
		if s := sentence(r.want(t, 200, r.do("GET", path+query+lang, "", "X-Auth-Token", r.token, "Accept-Language",
			"de"))); !strings.Contains(s, holds) {
			t.Errorf("%q: %s", lang, s)
		}
	}
	r.want(t, 400, r.do("GET", path+query+"&lang=fr", ""), `"parameter":"lang"`)
	for _, c := range []struct{ lang, header, holds string }{
		{"", "", "Preflight report"}, {"&lang=de", "", "Prüfbericht"}, {"", "de-AT, en;q=0.5", "Prüfbericht"},
		{"&lang=en", "de", "Preflight report"}, {"", "fr", "Preflight report"},
	} {
		w := r.do("GET", path+"/report"+query+c.lang, "", "X-Auth-Token", r.token, "Accept-Language", c.header)
		r.want(t, 200, w, c.holds)
		if !strings.Contains(w.Header().Get("Vary"), "Accept-Language") {
			t.Errorf("Vary: %s", w.Header().Get("Vary"))
		}
	}
}
