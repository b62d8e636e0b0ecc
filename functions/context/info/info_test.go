package info

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"mappe/functions/context/table"
	"mappe/functions/feedback"
	"mappe/functions/fixture"
	"mappe/functions/licence"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
)

// serve is the family with an intake of its own.
func serve(t *testing.T) http.Handler {
	t.Helper()
	s := fixture.Store(t)
	lib := fixture.Library(t, s)
	l := sqlitetest.Open(t, sqlite.Options{})
	return fixture.Handler(t, New(Deps{Library: lib, Intake: feedback.NewIntake(l, Service, nil), Described: table.Endpoints()}))
}

// The text, the page and openapi.json describe every endpoint of the service, those of other families too.
func TestEveryFamilyIsDescribed(t *testing.T) {
	h := serve(t)
	text, api := fixture.Ask(h, "GET", "/api/v1/docs/llm.txt", ""), fixture.Ask(h, "GET", "/openapi.json", "")
	if text.Code != 200 || text.Header().Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Fatalf("got %d %v", text.Code, text.Header())
	}
	var doc struct {
		Paths map[string]map[string]any
	}
	if err := json.Unmarshal(api.Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	all := table.Endpoints()
	if len(all) < 25 {
		t.Errorf("only %d endpoints of other families", len(all))
	}
	for _, e := range all {
		if !strings.Contains(text.Body.String(), "### "+e.Method+" "+e.Path+"\n") || doc.Paths[e.Path][strings.ToLower(e.Method)] == nil {
			t.Errorf("%s %s is not described", e.Method, e.Path)
		}
	}
	for _, want := range []string{"### POST /api/v1/feedback\n", "bug, feature, improvement, question, other, token", "contributor token",
		"# The contract of sibling services", "- lon (number, required"} {
		if !strings.Contains(text.Body.String(), want) {
			t.Errorf("the text lacks %q", want)
		}
	}
	page, short := fixture.Ask(h, "GET", "/api/v1/docs", ""), fixture.Ask(h, "GET", "/docs", "")
	if page.Code != 200 || page.Body.String() != short.Body.String() || page.Header().Get("Content-Security-Policy") == "" {
		t.Errorf("the page: %d %v", page.Code, page.Header())
	}
	if again := fixture.Ask(h, "GET", "/api/v1/docs/llm.txt", "", "If-None-Match", text.Header().Get("ETag")); again.Code != 304 {
		t.Errorf("the same text again: %d", again.Code)
	}
}

// The community map is served here under its own licence; nothing non-commercial is.
func TestLicences(t *testing.T) {
	var got struct {
		Data []struct {
			Source_id, License, License_url, Attribution, Used_in string
			Obligations                                           []licence.Obligation
			Served, In_exports, Share_alike, Commercial_use       bool
		}
	}
	w := fixture.Ask(serve(t), "GET", "/api/v1/license", "")
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 {
		t.Fatal(err, w.Body)
	}
	served := map[string]bool{}
	for _, s := range got.Data {
		if s.License == "" || s.Attribution == "" || s.Used_in == "" || !strings.HasPrefix(s.License_url, "https://") ||
			len(s.Obligations) == 0 || s.In_exports {
			t.Errorf("%+v", s)
		}
		if s.Share_alike != (s.Source_id == "openstreetmap") || s.Served && !s.Commercial_use {
			t.Errorf("%+v", s)
		}
		served[s.Source_id] = s.Served
	}
	for _, id := range []string{"openstreetmap", "bev_toponyms", "natura2000", "ris", "statistics_prices"} {
		if !served[id] {
			t.Errorf("%s is not listed as served", id)
		}
	}
}

// Requests for contributor tokens are taken here, and their contact is nobody's to read.
func TestTokensAreAskedFor(t *testing.T) {
	h := serve(t)
	w := fixture.Ask(h, "POST", "/api/v1/feedback",
		`{"title":"A token for field work","category":"token","contact":"observer@example.org"}`)
	if w.Code != 201 {
		t.Fatalf("got %d %s", w.Code, w.Body)
	}
	if w = fixture.Ask(h, "GET", "/api/v1/feedback", ""); !strings.Contains(w.Body.String(), "A token for field work") ||
		strings.Contains(w.Body.String(), "example.org") {
		t.Errorf("got %s", w.Body)
	}
}

// By the sibling contract the service has nothing of KGs.
func TestNothingOfKGs(t *testing.T) {
	h := serve(t)
	if w := fixture.Ask(h, "GET", "/llm/kg/88801.json", ""); w.Code != 404 || !strings.Contains(w.Body.String(), `"error":"no_data"`) {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	if w := fixture.Ask(h, "GET", "/llm/manifest.json", ""); w.Code != 200 || !strings.Contains(w.Body.String(), `"kg_count":0`) {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
}
