package books

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"mappe/functions/books/build"
	"mappe/functions/books/records"
	"mappe/shared/book/preflight"
	"mappe/shared/book/press"
	"mappe/shared/cloud/store"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/htmlpage"
	"mappe/shared/web/reply"
)

type preflightForm struct {
	BookID int64 `json:"book_id"`
}

type preflightBody struct {
	Exists    bool            `json:"exists"`
	ProjectID int64           `json:"project_id"`
	BookID    int64           `json:"book_id"`
	Status    string          `json:"status,omitempty" doc:"ready, or error where the manuscript cannot be read"`
	Filename  string          `json:"source_filename,omitempty"`
	Updated   string          `json:"updated_at,omitempty"`
	Error     string          `json:"error,omitempty" doc:"why it cannot be read and what to do"`
	Summary   json.RawMessage `json:"summary,omitempty" doc:"{total, high, medium, low, preserved, by_type}: total is high, medium and low"`
	BookMap   json.RawMessage `json:"book_map,omitempty" doc:"{sections[{title, kind, paras, words}], warnings, notes, summary}"`
	Words     json.RawMessage `json:"words,omitempty" doc:"{in, set, removed, list[{type, section, part, paragraph, text, words}]}: the words of the file, those that are set and those that are left out; list has every text that is left out"`
	ReportURL string          `json:"report_url,omitempty" doc:"the page for the author"`
	History   []pastBody      `json:"history"`
}

type pastBody struct {
	Run     int64  `json:"run"`
	Status  string `json:"status"`
	Updated string `json:"updated_at"`
	Total   int    `json:"total"`
	High    int    `json:"high"`
	Medium  int    `json:"medium"`
	Low     int    `json:"low"`
}

var (
	bPreflight = endpoint.Body[preflightForm]("an object with book_id", 4<<10)
	pOfBook    = endpoint.Int("book_id", "Number of the book.", endpoint.Required, endpoint.AtLeast(1), endpoint.Example("123456789"))
)

func (s *service) preflightRun() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/projects/{id}/preflight", ID: "preflight_run", Tag: "Manuscript", Summary: "Examine a manuscript",
		Doc: "Free, as often as you like; needs a live pass. The manuscript is read as the next build would read it, by the project's specification. " +
			"A manuscript that cannot be read is 200 with status `error` and the reason.",
		Params: []endpoint.AnyParam{pProject, pLang}, Body: bPreflight, Gate: s.gate(ofProject),
		Answer: endpoint.Answer{Body: preflightBody{},
			Others: []endpoint.Other{{Status: http.StatusForbidden, Doc: "The project has no live pass.", Body: fault.Schema()},
				{Status: http.StatusConflict, Doc: "The manuscript has not arrived yet.", Body: fault.Schema()}}},
		Example: "/api/projects/1/preflight", ExampleBody: `{"book_id":123456789}`,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			id := bPreflight.Of(r).BookID
			if id == 0 {
				return nil, fault.Of(fault.Missing, "book_id", "", "the number of a book of the project")
			}
			b, err := s.ownBook(ctx, id)
			if err != nil {
				return nil, err
			}
			if _, err := s.live(ctx, b.Project); err != nil {
				return nil, err
			}
			p, err := s.examine(ctx, b)
			if err != nil {
				return nil, err
			}
			return s.preflightAnswer(ctx, r, b, p)
		},
	}
}

// ownBook is a book of the project in the path, with its file.
func (s *service) ownBook(ctx context.Context, id int64) (records.Book, error) {
	b, err := s.Records.Book(ctx, id)
	if errors.Is(err, records.ErrNotFound) || err == nil && b.Project != visitOf(ctx).project.ID {
		return b, fault.Missed("book", fmt.Sprint(id))
	}
	return b, unavailable(err)
}

var errAwaited = fault.New(fault.Exists, "the book's file is still being uploaded: PUT it, then POST to complete_url")

// examine reads a manuscript and keeps what is to be said of it.
func (s *service) examine(ctx context.Context, b records.Book) (records.Preflight, error) {
	if b.Status == records.Awaiting {
		return records.Preflight{}, errAwaited
	}
	m, err := s.open(ctx, b)
	var f *press.Fault
	if errors.As(err, &f) {
		p, err := s.Records.AddPreflight(ctx, b.ID, records.Preflight{Status: "error", Error: f.Error()}, records.PreflightPast{})
		return p, unavailable(err)
	}
	if err != nil {
		return records.Preflight{}, err
	}
	name := b.Key("preflight/" + s.Records.Now().Format("20060102T150405.") + fmt.Sprint(records.NewBookID()))
	p := records.Preflight{Status: "ready", In: map[string]string{}}
	for _, l := range preflight.Languages() {
		p.In[l] = name + "." + l
		if err := s.keepReport(ctx, b, m.Report.In(l), p.In[l]); err != nil {
			return p, err
		}
	}
	p.JSON, p.HTML = p.Keys(m.Report.Language())
	c := m.Report.Summary
	p, err = s.Records.AddPreflight(ctx, b.ID, p, records.PreflightPast{Total: c.Total, High: c.High, Medium: c.Medium, Low: c.Low})
	return p, unavailable(err)
}

// dates of a report, by its language.
var dates = map[string]string{"en": "2 January 2006, 15:04 UTC", "de": "2.1.2006, 15:04 UTC"}

// keepReport writes a report's two forms.
func (s *service) keepReport(ctx context.Context, b records.Book, r preflight.Report, stem string) error {
	var page bytes.Buffer
	if err := r.HTML(&page, preflight.HTMLOptions{Source: b.Filename, Date: s.Records.Now().Format(dates[r.Language()])}); err != nil {
		return err
	}
	form, err := json.Marshal(r)
	if err != nil {
		return err
	}
	for ending, body := range map[string][]byte{".json": form, ".html": page.Bytes()} {
		if _, err := s.Store.Put(ctx, stem+ending, body,
			store.PutOptions{Headers: store.Headers{CacheControl: "private, no-store"}}); err != nil {
			return unavailable(err)
		}
	}
	return nil
}

// maxReport bounds a stored report.
const maxReport = 64 << 20

func (s *service) preflightAnswer(ctx context.Context, r *endpoint.Request, b records.Book, p records.Preflight) (reply.Answer, error) {
	key, _ := p.Keys(string(pLang.Of(r)))
	body := preflightBody{
		Exists: true, ProjectID: b.Project, BookID: b.ID, Status: p.Status, Filename: b.Filename, Updated: p.Updated.Format(time.RFC3339),
		Error: p.Error, History: []pastBody{},
	}
	if key != "" {
		raw, err := build.ReadObject(ctx, s.Store, key, maxReport)
		if err != nil {
			return nil, gone(err, "the report", examineAgain(b))
		}
		var form struct {
			Summary json.RawMessage `json:"summary"`
			BookMap json.RawMessage `json:"book_map"`
			Words   json.RawMessage `json:"words"`
		}
		if err := json.Unmarshal(raw, &form); err != nil {
			return nil, err
		}
		body.Summary, body.BookMap, body.Words = form.Summary, form.BookMap, form.Words
		body.ReportURL = fmt.Sprintf("%s/api/projects/%d/preflight/report?book_id=%d", s.public(r.HTTP), b.Project, b.ID)
	}
	for _, h := range p.History {
		body.History = append(body.History, pastBody{h.Run, h.Status, h.Updated.Format(time.RFC3339), h.Total, h.High, h.Medium, h.Low})
	}
	return &reply.Document{Body: body}, nil
}

func examineAgain(b records.Book) string {
	return fmt.Sprintf("POST to /api/projects/%d/preflight to have the manuscript examined again", b.Project)
}

// latest is the book that a query names, with its newest report; records.ErrNotFound where it has none.
func (s *service) latest(ctx context.Context, r *endpoint.Request) (records.Book, records.Preflight, error) {
	b, err := s.ownBook(ctx, int64(pOfBook.Of(r)))
	if err != nil {
		return b, records.Preflight{}, err
	}
	p, err := s.Records.Preflight(ctx, b.ID)
	return b, p, unavailableBut(err)
}

func (s *service) preflightLatest() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/projects/{id}/preflight", ID: "preflight", Tag: "Manuscript",
		Summary: "The latest report on a manuscript",
		Doc:     "`exists` is false where it was never examined. `history` has the reports before, newest first, at most 50.",
		Params:  []endpoint.AnyParam{pProject, pOfBook, pLang}, Answer: endpoint.Answer{Body: preflightBody{}}, Gate: s.gate(ofProject),
		Example: "/api/projects/1/preflight?book_id=123456789",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			b, p, err := s.latest(ctx, r)
			if errors.Is(err, records.ErrNotFound) {
				return &reply.Document{Body: preflightBody{ProjectID: b.Project, BookID: b.ID, Filename: b.Filename,
					History: []pastBody{}}}, nil
			}
			if err != nil {
				return nil, err
			}
			return s.preflightAnswer(ctx, r, b, p)
		},
	}
}

func (s *service) preflightReport() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/projects/{id}/preflight/report", ID: "preflight_report", Tag: "Manuscript",
		Summary: "The report as a page for the author",
		Params:  []endpoint.AnyParam{pProject, pOfBook, pLangOrSent}, Answer: endpoint.Answer{ContentType: "text/html"},
		Gate:    s.gate(ofProject),
		Example: "/api/projects/1/preflight/report?book_id=123456789",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			b, p, err := s.latest(ctx, r)
			if errors.Is(err, records.ErrNotFound) {
				return nil, fault.New(fault.NotFound, "the book was not examined yet: POST to /api/projects/%d/preflight first", b.Project)
			}
			if err != nil {
				return nil, err
			}
			lang := pLangOrSent.Of(r)
			if !pLangOrSent.Given(r) {
				lang = accepted(r.HTTP)
			}
			_, key := p.Keys(string(lang))
			if key == "" {
				return nil, fault.New(fault.NotFound, "there is no report: %s", p.Error)
			}
			page, err := build.ReadObject(ctx, s.Store, key, maxReport)
			if err != nil {
				return nil, gone(err, "the report", examineAgain(b))
			}
			return &reply.Bytes{ContentType: htmlpage.ContentType, Body: page, Header: reportHeader(page)}, nil
		},
	}
}

// reportHeader are the headers of a stored report, whose style sheet is that of the version which wrote it.
func reportHeader(page []byte) http.Header {
	h := htmlpage.Policy{Styles: []string{htmlpage.StyleOf(string(page))}, Images: []string{"data:"}}.Header()
	h.Set("Vary", "Accept-Language")
	return h
}
