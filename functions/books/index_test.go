package books

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"mappe/functions/books/records"
)

func TestIndex(t *testing.T) {
	r := newHarness(t)
	book := r.upload(t, "A text of Newton. Newton met Leibniz.")
	path := fmt.Sprintf("/api/books/%d/index", book)
	if b := r.want(t, 200, r.do("GET", path, "")); b["status"] != "none" || b["exists"] != false {
		t.Errorf("%v", b)
	}
	r.want(t, 402, r.convert(book, `{"kind":"proof","index":true}`), `"addon":"index"`)
	r.grant(t, records.Grant{Addons: []string{records.AddonIndex}})
	r.want(t, 400, r.convert(book, `{"kind":"proof","index":true}`), "draft", `"parameter":"index"`)
	r.want(t, 409, r.do("PUT", path, `{"entries":[]}`), "no draft")
	draft := r.want(t, 200, r.do("POST", path+"/draft", ""))
	if draft["status"] != "draft" || draft["revision"] != 1.0 {
		t.Errorf("%v", draft)
	}
	entry := `{"id":"e1","term":"Newton","sub":"","see":[],"see_also":[],"locators":[],"keep":true}`
	anchor := "p-nowhere"
	r.want(t, 400, r.do("PUT", path, `{"entries":[`+strings.Replace(entry, `"locators":[]`, `"locators":[{"anchor":"`+anchor+`"}]`,
		1)+`]}`), "entries[0]", "locators")
	r.want(t, 400, r.do("PUT", path, `{}`), "entries")
	r.want(t, 400, r.do("PUT", path, `{"entries":[{"trem":"x"}]}`), "trem")
	see := strings.Replace(strings.Replace(entry, `"see":[]`, `"see":["Nobody"]`, 1), "Newton", "Isaac", 1)
	r.want(t, 400, r.do("PUT", path, `{"entries":[`+see+`]}`), "entries[0]", "see")
	m, err := r.works.Press.Open("x", []byte("A text of Newton. Newton met Leibniz."), mustSpec(t))
	if err != nil {
		t.Fatal(err)
	}
	good := strings.Replace(entry, `"locators":[]`, `"locators":[{"anchor":"`+anchorOf(m)+`"}]`, 1)
	saved := r.want(t, 200, r.do("PUT", path, `{"revision":1,"entries":[`+good+`]}`))
	if saved["status"] != "reviewed" || saved["revision"] != 2.0 || len(saved["entries"].([]any)) != 1 {
		t.Errorf("%v", saved)
	}
	r.want(t, 409, r.do("PUT", path, `{"revision":1,"entries":[]}`), "revision 2")
	r.want(t, 400, r.do("PUT", path, `{"revision":-1,"entries":[]}`), `"parameter":"revision"`)
	whole, err := json.Marshal(saved) // what was read can be sent back whole
	if err != nil {
		t.Fatal(err)
	}
	r.want(t, 200, r.do("PUT", path, string(whole)))
	r.want(t, 200, r.do("PUT", path, `{"entries":[{"id":"e1","term":"Newton","keep":true}]}`))
	r.want(t, 200, r.do("GET", path, ""), `"see":[],"see_also":[],"locators":[]`) // lists, for those who walk them
	r.want(t, 200, r.convert(book, `{"kind":"proof","index":true}`))
	r.work(t)
	if b := r.read(t, book); b["status"] != "ready" {
		t.Errorf("%v", b)
	}
}

// TestManyWriteAnIndexAtOnce: each comes through, as a revision of its own.
func TestManyWriteAnIndexAtOnce(t *testing.T) {
	r := newHarness(t)
	path := fmt.Sprintf("/api/books/%d/index", r.upload(t, "A text of Newton."))
	r.want(t, 200, r.do("POST", path+"/draft", ""))
	const writers = 24
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			if w := r.do("PUT", path, `{"entries":[]}`); w.Code != 200 {
				t.Errorf("got %d %s", w.Code, w.Body)
			}
		})
	}
	all.Wait()
	if got := r.want(t, 200, r.do("GET", path, ""))["revision"]; got != writers+1.0 {
		t.Errorf("revision %v after %d writes", got, writers+1)
	}
}

// TestAnEditedIndexOutlivesAnUpload: the first draft of another upload of a title takes over what was saved.
func TestAnEditedIndexOutlivesAnUpload(t *testing.T) {
	r := newHarness(t)
	const text = "A text of Newton. Newton met Leibniz."
	first := r.upload(t, text)
	draft := func(book int64, query string) map[string]any {
		return r.want(t, 200, r.do("POST", fmt.Sprintf("/api/books/%d/index/draft%s", book, query), ""))
	}
	if b := draft(first, ""); b["carried"] != nil {
		t.Errorf("nothing was there: %v", b)
	}
	r.clock.Advance(time.Hour)
	unsaved := r.upload(t, text)
	if b := draft(unsaved, ""); b["carried"] != nil {
		t.Errorf("a draft that nobody saved was taken over: %v", b)
	}
	m, err := r.works.Press.Open("x", []byte(text), mustSpec(t))
	if err != nil {
		t.Fatal(err)
	}
	edited := `{"entries":[{"id":"e1","term":"Newton, Isaac","sub":"","see":[],"see_also":[],"locators":[{"anchor":"` + anchorOf(m) +
		`"}],"keep":true}]}`
	r.want(t, 200, r.do("PUT", fmt.Sprintf("/api/books/%d/index", first), edited))

	r.clock.Advance(time.Hour)
	for name, c := range map[string]struct {
		text         string
		places, lost float64
	}{
		"the same text":     {text, 1, 0},
		"an edited text":    {"Another text of Newton.", 1, 0},
		"the place is gone": {"A text of nobody.", 0, 1},
	} {
		book := r.upload(t, c.text)
		b := draft(book, "")
		carried, _ := b["carried"].(map[string]any)
		entries := b["entries"].([]any)
		if carried["book_id"] != float64(first) || carried["revision"] != 2.0 || carried["entries"] != 1.0 ||
			carried["places"] != c.places || carried["lost"] != c.lost {
			t.Errorf("%s: %v", name, carried)
		}
		if len(entries) != 1 || entries[0].(map[string]any)["term"] != "Newton, Isaac" || b["status"] != "draft" {
			t.Errorf("%s: %v", name, b)
		}
		read := r.do("GET", fmt.Sprintf("/api/books/%d/index", book), "")
		if got := r.want(t, 200, read); fmt.Sprint(got["carried"]) != fmt.Sprint(carried) {
			t.Errorf("%s: read again: %v", name, got["carried"])
		}
		if b := r.want(t, 200, r.do("PUT", fmt.Sprintf("/api/books/%d/index", book), read.Body.String())); b["carried"] != nil ||
			b["status"] != "reviewed" {
			t.Errorf("%s: saved: %v", name, b)
		}
		if b := draft(book, ""); b["carried"] != nil {
			t.Errorf("%s: a second draft is the manuscript's: %v", name, b)
		}
	}
	if b := draft(r.upload(t, text), "?from=manuscript"); b["carried"] != nil {
		t.Errorf("from=manuscript: %v", b)
	}
	kind, form := form(t, map[string]string{"title": "Another Book", "author": "Mira Example", "project_id": fmt.Sprint(r.project.ID)},
		"a.txt", text)
	other := r.want(t, 201, r.do("POST", "/api/books/upload", form, "Authorization", "Bearer "+r.token, "Content-Type", kind))
	if b := draft(int64(other["id"].(float64)), ""); b["carried"] != nil {
		t.Errorf("another title: %v", b)
	}
}
