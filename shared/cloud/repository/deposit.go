package repository

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
)

// Deposit is a draft, or what it was published as, as the account that made it sees it.
type Deposit struct {
	ID        int64           `json:"id"`
	Concept   string          `json:"conceptrecid"` // the same of all versions
	State     string          `json:"state"`        // unsubmitted, inprogress, done
	Submitted bool            `json:"submitted"`    // published
	Title     string          `json:"title"`
	DOI       string          `json:"doi"`
	Files     []File          `json:"files"`
	Links     Links           `json:"links"`
	Metadata  json.RawMessage `json:"metadata"`
}

// Links are the addresses that a deposit names.
type Links struct {
	Bucket      string `json:"bucket"`
	LatestDraft string `json:"latest_draft"`
}

// File is a file of a deposit.
type File struct {
	ID       string `json:"id"`
	Name     string `json:"filename"`
	Bytes    int64  `json:"filesize"`
	Checksum string `json:"checksum"` // MD5, hex
}

// Metadata describe a deposit.
type Metadata struct {
	Title           string    `json:"title"`
	UploadType      string    `json:"upload_type"` // "dataset"
	Description     string    `json:"description"` // HTML
	Creators        []Creator `json:"creators"`
	License         string    `json:"license"`
	PublicationDate string    `json:"publication_date"` // YYYY-MM-DD
	Version         string    `json:"version,omitempty"`
	Keywords        []string  `json:"keywords,omitempty"`
	Notes           string    `json:"notes,omitempty"`
}

// Creator is who is named.
type Creator struct {
	Name string `json:"name"`
}

// Keywords are those of a deposit's metadata.
func (d Deposit) Keywords() []string {
	var m struct {
		Keywords []string `json:"keywords"`
	}
	_ = json.Unmarshal(d.Metadata, &m) // a deposit without any has none
	return m.Keywords
}

const depositions = "/api/deposit/depositions"

func depositPath(id int64) string { return depositions + "/" + strconv.FormatInt(id, 10) }

// check refuses an answer that is no deposit.
func (d Deposit) check() error {
	if d.ID <= 0 {
		return fmt.Errorf("%w: a deposit without a number", ErrAnswer)
	}
	return nil
}

// Create makes a draft with metadata. After ErrUnknown there may be one: Find it by a keyword.
func (c *Client) Create(ctx context.Context, m Metadata) (d Deposit, err error) {
	body, err := json.Marshal(map[string]any{"metadata": m})
	if err != nil {
		return d, err
	}
	if err := c.json(ctx, request{method: http.MethodPost, url: c.at(depositions), body: body, want: http.StatusCreated}, &d); err != nil {
		return d, err
	}
	return d, d.check()
}

// Get reads a deposit with its files.
func (c *Client) Get(ctx context.Context, id int64) (d Deposit, err error) {
	if err := c.json(ctx, request{method: http.MethodGet, url: c.at(depositPath(id)), want: http.StatusOK}, &d); err != nil {
		return d, err
	}
	if d.ID != id {
		return d, fmt.Errorf("%w: deposit %d was asked for, %d came", ErrAnswer, id, d.ID)
	}
	return d, nil
}

// findPages and findSize bound a search.
const (
	findPages = 20
	findSize  = 100
)

// Find lists the account's deposits that carry a keyword, drafts among them, newest first.
func (c *Client) Find(ctx context.Context, keyword string) ([]Deposit, error) {
	var found []Deposit
	q := url.Values{"q": {"keywords:" + strconv.Quote(keyword)}, "size": {strconv.Itoa(findSize)}, "sort": {"mostrecent"},
		"all_versions": {"1"}}
	for page := 1; page <= findPages; page++ {
		q.Set("page", strconv.Itoa(page))
		var list []Deposit
		if err := c.json(ctx, request{method: http.MethodGet, url: c.at(depositions + "?" + q.Encode()), want: http.StatusOK},
			&list); err != nil {
			return nil, err
		}
		for _, d := range list {
			for _, k := range d.Keywords() { // a search engine finds what is alike too
				if k == keyword {
					found = append(found, d)
					break
				}
			}
		}
		if len(list) < findSize {
			return found, nil
		}
	}
	return found, nil
}

// Describe replaces the metadata of a draft.
func (c *Client) Describe(ctx context.Context, id int64, m Metadata) error {
	body, err := json.Marshal(map[string]any{"metadata": m})
	if err != nil {
		return err
	}
	return c.json(ctx, request{method: http.MethodPut, url: c.at(depositPath(id)), body: body, want: http.StatusOK}, nil)
}

// Publish publishes a draft. After ErrUnknown it may be published: Get it.
func (c *Client) Publish(ctx context.Context, id int64) (d Deposit, err error) {
	err = c.json(ctx, request{method: http.MethodPost, url: c.at(depositPath(id) + "/actions/publish"), want: http.StatusAccepted}, &d)
	if err == nil && (d.ID != id || !d.Submitted) {
		err = fmt.Errorf("%w: deposit %d is said to be published, and is in the state %.40q", ErrUnknown, id, d.State)
	}
	return d, err
}

// NewVersion gives the draft of the next version of a published deposit: a new one, or the one that there is. It holds the
// files of the version before.
func (c *Client) NewVersion(ctx context.Context, id int64) (Deposit, error) {
	var d Deposit
	if err := c.json(ctx, request{method: http.MethodPost, url: c.at(depositPath(id) + "/actions/newversion"), want: http.StatusCreated},
		&d); err != nil {
		return d, err
	}
	link, err := c.own(d.Links.LatestDraft)
	if err != nil {
		return d, err
	}
	var draft Deposit
	if err := c.json(ctx, request{method: http.MethodGet, url: link, want: http.StatusOK}, &draft); err != nil {
		return d, err
	}
	if draft.ID == id || draft.Submitted {
		return draft, fmt.Errorf("%w: the new version of deposit %d is no draft", ErrAnswer, id)
	}
	return draft, draft.check()
}

// DeleteFile takes a file out of a draft; one that is not there is no error.
func (c *Client) DeleteFile(ctx context.Context, deposit int64, file string) error {
	err := c.json(ctx, request{method: http.MethodDelete, url: c.at(depositPath(deposit) + "/files/" + url.PathEscape(file)),
		want: http.StatusNoContent}, nil)
	return passMissing(err)
}

// Discard throws a draft away; one that is not there is no error.
func (c *Client) Discard(ctx context.Context, id int64) error {
	err := c.json(ctx, request{method: http.MethodDelete, url: c.at(depositPath(id)), want: http.StatusNoContent}, nil)
	return passMissing(err)
}
