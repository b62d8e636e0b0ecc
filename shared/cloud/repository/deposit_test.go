package repository

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// TestCalls: each call as the interface of the repository describes it, answered well and in ways that are not taken.
func TestCalls(t *testing.T) {
	const moved = `{"id":7,"links":{"latest_draft":"BASE/api/deposit/depositions/8"}}`
	draft := ok(`{"id":8,"submitted":false,"files":[{"id":"f","filename":"a","filesize":3,"checksum":"90"}]}`)
	created := func(body string) reply { return reply{status: 201, body: body} }
	accepted := func(body string) reply { return reply{status: 202, body: body} }
	get := func(ctx context.Context, c *Client) (int64, error) { d, err := c.Get(ctx, 7); return d.ID, err }
	create := func(ctx context.Context, c *Client) (int64, error) {
		d, err := c.Create(ctx, Metadata{})
		return d.ID, err
	}
	publish := func(ctx context.Context, c *Client) (int64, error) { d, err := c.Publish(ctx, 7); return d.ID, err }
	version := func(ctx context.Context, c *Client) (int64, error) { d, err := c.NewVersion(ctx, 7); return d.ID, err }
	record := func(ctx context.Context, c *Client) (int64, error) { r, err := c.Record(ctx, 7); return r.ID, err }
	remove := func(ctx context.Context, c *Client) (int64, error) { return 0, c.DeleteFile(ctx, 7, "a/b") }
	discard := func(ctx context.Context, c *Client) (int64, error) { return 0, c.Discard(ctx, 7) }
	files := func(n int) string {
		return `{"id":7,"files":[` + strings.TrimSuffix(strings.Repeat("{},", n), ",") + `]}`
	}
	for _, tt := range []struct {
		name    string
		call    func(context.Context, *Client) (int64, error)
		replies []reply
		want    error
		id      int64
		asked   []string
	}{
		{"get", get, []reply{ok(`{"id":7}`)}, nil, 7, []string{"GET /api/deposit/depositions/7"}},
		{"another deposit", get, []reply{ok(`{"id":8}`)}, ErrAnswer, 8, []string{"GET /api/deposit/depositions/7"}},
		{"create", create, []reply{created(`{"id":1}`)}, nil, 1, []string{"POST /api/deposit/depositions"}},
		{"created without a number", create, []reply{created(`{}`)}, ErrAnswer, 0, []string{"POST /api/deposit/depositions"}},
		{"publish", publish, []reply{accepted(`{"id":7,"submitted":true}`)}, nil, 7,
			[]string{"POST /api/deposit/depositions/7/actions/publish"}},
		{"still a draft", publish, []reply{accepted(`{"id":7,"state":"inprogress"}`)}, ErrUnknown, 7,
			[]string{"POST /api/deposit/depositions/7/actions/publish"}},
		{"another one is published", publish, []reply{accepted(`{"id":8,"submitted":true}`)}, ErrUnknown, 8,
			[]string{"POST /api/deposit/depositions/7/actions/publish"}},
		{"new version", version, []reply{created(moved), draft}, nil, 8,
			[]string{"POST /api/deposit/depositions/7/actions/newversion", "GET /api/deposit/depositions/8"}},
		{"no new version", version, []reply{{status: 403}}, ErrRefused, 0,
			[]string{"POST /api/deposit/depositions/7/actions/newversion"}},
		{"a new version that is not there", version, []reply{created(moved), reply{status: 404}}, ErrNotFound, 0,
			[]string{"POST /api/deposit/depositions/7/actions/newversion", "GET /api/deposit/depositions/8"}},
		{"a new version elsewhere", version, []reply{created(`{"id":7,"links":{"latest_draft":"https://elsewhere.example/8"}}`)}, ErrAnswer,
			7, []string{"POST /api/deposit/depositions/7/actions/newversion"}},
		{"the old version as the new one", version, []reply{created(moved), ok(`{"id":7}`)}, ErrAnswer, 7,
			[]string{"POST /api/deposit/depositions/7/actions/newversion", "GET /api/deposit/depositions/8"}},
		{"a new version that is published", version, []reply{created(moved), ok(`{"id":8,"submitted":true}`)}, ErrAnswer, 8,
			[]string{"POST /api/deposit/depositions/7/actions/newversion", "GET /api/deposit/depositions/8"}},
		{"a new version without a number", version, []reply{created(moved), ok(`{}`)}, ErrAnswer, 0,
			[]string{"POST /api/deposit/depositions/7/actions/newversion", "GET /api/deposit/depositions/8"}},
		{"delete a file", remove, []reply{{status: 204}}, nil, 0, []string{"DELETE /api/deposit/depositions/7/files/a%2Fb"}},
		{"delete a file that is not there", remove, []reply{{status: 404}}, nil, 0,
			[]string{"DELETE /api/deposit/depositions/7/files/a%2Fb"}},
		{"delete a file of what is published", remove, []reply{{status: 403}}, ErrRefused, 0,
			[]string{"DELETE /api/deposit/depositions/7/files/a%2Fb"}},
		{"discard", discard, []reply{{status: 204}}, nil, 0, []string{"DELETE /api/deposit/depositions/7"}},
		{"discard what is not there", discard, []reply{{status: 410}}, nil, 0, []string{"DELETE /api/deposit/depositions/7"}},
		{"record", record, []reply{ok(files(100))}, nil, 7, []string{"GET /api/records/7"}},
		{"a record with too many files", record, []reply{ok(files(101))}, ErrAnswer, 7, []string{"GET /api/records/7"}},
		{"another record", record, []reply{ok(`{"id":6}`)}, ErrAnswer, 6, []string{"GET /api/records/7"}},
		{"no such record", record, []reply{{status: 404}}, ErrNotFound, 0, []string{"GET /api/records/7"}},
	} {
		var r *harness
		n := 0
		r = newHarness(t, func(w http.ResponseWriter, q *http.Request) {
			a := tt.replies[min(n, len(tt.replies)-1)]
			n++
			a.body = strings.ReplaceAll(a.body, "BASE", r.base)
			a.send(w)
		})
		id, err := tt.call(t.Context(), r.Client)
		is(t, tt.name, err, tt.want)
		if err == nil && id != tt.id || !slices.Equal(r.requests(), tt.asked) {
			t.Errorf("%s: want number %d and the requests %q, got %d and %q", tt.name, tt.id, tt.asked, id, r.requests())
		}
	}
}

// TestDeposit: the fields of an answer.
func TestDeposit(t *testing.T) {
	r := newHarness(t, inTurn(ok(`{"id":7,"conceptrecid":"6","state":"done","submitted":true,"title":"T","doi":"10.5281/zenodo.7",
		"files":[{"id":"f-1","filename":"a.kgs","filesize":3,"checksum":"900150983cd24fb0d6963f7d28e17f72"}],
		"links":{"bucket":"https://zenodo.org/api/files/b","latest_draft":"https://zenodo.org/api/deposit/depositions/8"},
		"metadata":{"keywords":["cadastre","mappe-kg-30001"]},"owner":1}`)))
	d, err := r.Get(t.Context(), 7)
	if err != nil {
		t.Fatal(err)
	}
	want := File{ID: "f-1", Name: "a.kgs", Bytes: 3, Checksum: "900150983cd24fb0d6963f7d28e17f72"}
	if d.Concept != "6" || d.State != "done" || !d.Submitted || d.Title != "T" || d.DOI != "10.5281/zenodo.7" || len(d.Files) != 1 ||
		d.Files[0] != want || d.Links.Bucket != "https://zenodo.org/api/files/b" ||
		d.Links.LatestDraft != "https://zenodo.org/api/deposit/depositions/8" ||
		!slices.Equal(d.Keywords(), []string{"cadastre", "mappe-kg-30001"}) {
		t.Errorf("want the deposit of the answer, got %+v", d)
	}
	if got := (Deposit{}).Keywords(); got != nil {
		t.Errorf("without metadata: want no keywords, got %q", got)
	}
}

// TestFind: what the search engine finds beside the keyword is left out, each deposit is given once, and pages are asked for until one
// is not full.
func TestFind(t *testing.T) {
	page := func(from, n int, keywords string) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`{"id":%d,"metadata":{"keywords":[%s]}}`, from+i, keywords))
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	mine := `"a","mappe-kg-30001","mappe-kg-30001"`
	for _, tt := range []struct {
		name  string
		pages []string
		found int
		asked int
	}{
		{"nothing", []string{`[]`}, 0, 1},
		{"one", []string{page(1, 1, mine)}, 1, 1},
		{"what is alike", []string{page(1, 3, `"mappe-kg-30001-x","Mappe-KG-30001"`)}, 0, 1},
		{"a page that is not full", []string{page(1, 99, mine), page(100, 1, mine)}, 99, 1},
		{"a full page", []string{page(1, 100, mine), page(101, 2, mine)}, 102, 2},
		{"a full page of what is alike", []string{page(1, 100, `"x"`), page(101, 2, mine)}, 2, 2},
		{"twenty pages", []string{page(1, 100, mine)}, 2000, 20},
	} {
		n := 0
		r := newHarness(t, func(w http.ResponseWriter, q *http.Request) {
			n++
			want := url.Values{"q": {`keywords:"mappe-kg-30001"`}, "size": {"100"}, "sort": {"mostrecent"}, "all_versions": {"1"},
				"page": {fmt.Sprint(n)}}
			if got := q.URL.Query(); q.Method != "GET" || q.URL.Path != "/api/deposit/depositions" || got.Encode() != want.Encode() {
				t.Errorf("%s: want %s asked for, got %s %s", tt.name, want.Encode(), q.Method, q.URL)
			}
			ok(tt.pages[min(n, len(tt.pages))-1]).send(w)
		})
		found, err := r.Find(t.Context(), "mappe-kg-30001")
		if err != nil || len(found) != tt.found || n != tt.asked {
			t.Errorf("%s: want %d deposits of %d pages, got %d of %d, %v", tt.name, tt.found, tt.asked, len(found), n, err)
		}
	}
	r := newHarness(t, inTurn(ok(page(1, 100, mine)), reply{status: 403}))
	found, err := r.Find(t.Context(), "mappe-kg-30001")
	if !errors.Is(err, ErrRefused) || found != nil {
		t.Errorf("the second page is refused: want %v and no part of the list, got %d deposits, %v", ErrRefused, len(found), err)
	}
}
