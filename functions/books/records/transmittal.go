package records

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"mappe/shared/cloud/ledger"
)

// Transmittal is what the author asks of the book: form, title, parts (docs/books.md).
type Transmittal struct {
	Status  string          `json:"status"` // draft, final
	Data    json.RawMessage `json:"data"`
	Updated time.Time       `json:"updated,omitzero"`
}

// The states of a transmittal.
const (
	TransmittalDraft = "draft"
	TransmittalFinal = "final"
)

func transmittalKey(project int64) ledger.Key {
	return ledger.Key{Partition: projectPartition(project), Sort: "transmittal"}
}

// Transmittal reads it; an empty draft where nothing was filled in.
func (s *Records) Transmittal(ctx context.Context, project int64) (Transmittal, error) {
	t, err := read[Transmittal](ctx, s, transmittalKey(project))
	if errors.Is(err, ErrNotFound) {
		return Transmittal{Status: TransmittalDraft, Data: json.RawMessage("{}")}, nil
	}
	return t, err
}

// PutTransmittal keeps it; the caller has checked the data.
func (s *Records) PutTransmittal(ctx context.Context, project int64, t Transmittal) (Transmittal, error) {
	t.Updated = s.Now()
	return t, put(ctx, s, transmittalKey(project), t)
}

// Preflight is the newest report of a book and those before it. The report itself, its page and its JSON
// form, stands in the store.
type Preflight struct {
	Run     int64             `json:"run"` // counts the reports of the book
	Status  string            `json:"status"`
	Error   string            `json:"error,omitempty"`
	Updated time.Time         `json:"updated"`
	JSON    string            `json:"json,omitempty"` // keys of the store, in the book's language
	HTML    string            `json:"html,omitempty"`
	In      map[string]string `json:"in,omitempty"`      // by language, what the keys of the two in it begin with
	History []PreflightPast   `json:"history,omitempty"` // newest first
}

// Keys are those of the report in a language; the book's own where it was not written in that.
func (p Preflight) Keys(language string) (form, page string) {
	if stem, ok := p.In[language]; ok {
		return stem + ".json", stem + ".html"
	}
	return p.JSON, p.HTML
}

// PreflightPast is a line of the history.
type PreflightPast struct {
	Run     int64     `json:"run"`
	Status  string    `json:"status"`
	Updated time.Time `json:"updated"`
	Total   int       `json:"total"`
	High    int       `json:"high"`
	Medium  int       `json:"medium"`
	Low     int       `json:"low"`
}

const maxHistory = 50

func preflightKey(book int64) ledger.Key {
	return ledger.Key{Partition: bookPartition(book), Sort: "preflight"}
}

// Preflight reads the newest report; ErrNotFound.
func (s *Records) Preflight(ctx context.Context, book int64) (Preflight, error) {
	return read[Preflight](ctx, s, preflightKey(book))
}

// AddPreflight makes p the newest report; Run, Updated and History are filled in.
func (s *Records) AddPreflight(ctx context.Context, book int64, p Preflight, line PreflightPast) (Preflight, error) {
	_, err := ledger.Update(ctx, s.ledger, preflightKey(book), func(r *ledger.Record) (bool, error) {
		before := Preflight{}
		if r.Version != ledger.Absent {
			if err := decode(*r, &before); err != nil {
				return false, err
			}
		}
		p.Run, p.Updated = before.Run+1, s.Now()
		line.Run, line.Updated, line.Status = p.Run, p.Updated, p.Status
		p.History = append([]PreflightPast{line}, before.History[:min(len(before.History), maxHistory-1)]...)
		var err error
		r.Value, err = json.Marshal(p)
		return true, err
	})
	return p, err
}

// IndexState is where the back-of-book index of a book stands; its entries stand in the store.
type IndexState struct {
	Status   string    `json:"status"` // draft, reviewed
	Revision int64     `json:"revision"`
	Entries  int       `json:"entries"`
	Key      string    `json:"key"`
	Updated  time.Time `json:"updated"`
	Carried  *Carried  `json:"carried,omitempty"` // of a draft that an earlier upload's index became
}

// Carried tells what a draft has from the edited index of an earlier upload.
type Carried struct {
	Book     int64 `json:"book_id" doc:"the earlier upload"`
	Revision int64 `json:"revision" doc:"of its index"`
	Entries  int   `json:"entries" doc:"all of them, with what was edited"`
	Places   int   `json:"places" doc:"locators that lead to the same text, or to the term in the same section"`
	Lost     int   `json:"lost" doc:"locators that were left out, because their text is gone"`
}

// The states of an index.
const (
	IndexDraft    = "draft"
	IndexReviewed = "reviewed"
)

func indexKey(book int64) ledger.Key {
	return ledger.Key{Partition: bookPartition(book), Sort: "index"}
}

// Index reads the state of the index; ErrNotFound.
func (s *Records) Index(ctx context.Context, book int64) (IndexState, error) {
	return read[IndexState](ctx, s, indexKey(book))
}

// PutIndex notes a revision whose entries are in the store; ErrExists when another revision came first.
func (s *Records) PutIndex(ctx context.Context, book int64, next IndexState) (IndexState, error) {
	next.Updated = s.Now()
	_, err := ledger.Update(ctx, s.ledger, indexKey(book), func(r *ledger.Record) (bool, error) {
		before := IndexState{}
		if r.Version != ledger.Absent {
			if err := decode(*r, &before); err != nil {
				return false, err
			}
		}
		if before.Revision != next.Revision-1 {
			return false, ErrExists
		}
		var err error
		r.Value, err = json.Marshal(next)
		return true, err
	})
	return next, err
}
