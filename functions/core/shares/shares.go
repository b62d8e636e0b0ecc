// Package shares keeps the results of long work under names: a record of the ledger says what a name stands for, and an
// object of a store holds the bytes. It owns names, renames, how long a result is kept, and the GeoPackage that is made of
// one; what is saved functions/core/tasks decides, the endpoints are functions/landscape/results.
//
//	share/{name}                    the record: kind, file, when it ends, or the name that it has now
//	shares/{created}-{name}         its entry in the list, where it is listed
//	auto/{job}-{fence}.json         the object of a result, removed a day after its week
//	auto/{job}-{fence}.bin          beside it a result that is no JSON, or is large: where stores have addresses it is fetched there
//	named/{name}-{random}.json      that of a result that an operator gave a name: it stays
//
// The object is {name, expires_at, kind, created_at, generation, software, question, geometry, result}; the record says where in
// it kind and result stand, so that they are read by range. A large one is written and read as a stream, and never held whole.
package shares

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/spool"
	"mappe/shared/cloud/store"
	"mappe/shared/web/qgis"
)

// Keep is how long a result is kept that has no name of its own.
const Keep = 7 * 24 * time.Hour

// Auto begins the names of results that were saved without one.
const Auto = "auto-"

const (
	// MaxBytes bounds an object: the most segments that an answer may have, 250,000, have some 650 MB.
	MaxBytes = 1 << 30
	// Whole is the size up to which a result is sent as one piece, packed where the client would have it so; what is larger is an
	// object of its own, which is sent as a stream or fetched from the store.
	Whole = 64 << 20
)

// The outcomes that callers tell apart.
var (
	// ErrNotFound: nothing has the name, or it is over.
	ErrNotFound = errors.New("no such share")
	// ErrTaken: the name is another's.
	ErrTaken = errors.New("the name is taken")
)

// Share is what a name stands for.
type Share struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`               // of the question: "terrain"
	File    string `json:"file"`               // key of the object
	Bytes   int64  `json:"bytes"`              // of the object, or of the result that is no JSON
	FrontAt int64  `json:"front_at,omitempty"` // where in the object kind stands: before are the name and the end that it was saved with
	// Raw is the key of a result that has an object of its own. Where it is no JSON, the other object has in its place what is
	// known of it.
	Raw string `json:"raw,omitempty"`
	// Headers are those that the result has beside its media type.
	Headers     map[string]string `json:"headers,omitempty"`
	ResultAt    int64             `json:"result_at"`
	ResultBytes int64             `json:"result_bytes"`
	ContentType string            `json:"content_type"` // of the result
	Attribution string            `json:"attribution"`  // whom the result names, as a header says it
	Created     time.Time         `json:"created"`
	Expires     time.Time         `json:"expires,omitzero"` // zero: it stays
	Listed      bool              `json:"listed,omitempty"`
	Layer       Layer             `json:"layer,omitzero"`
	Job         string            `json:"job,omitempty"`   // that made it
	Fence       int64             `json:"fence,omitempty"` // of the job's lease: a later one counts
	Also        string            `json:"also,omitempty"`  // further name of the same result, for as long
	Moved       string            `json:"moved,omitempty"` // the name that it has now; then nothing else counts
}

// Layer is how the features of a result are filtered and drawn in a GeoPackage.
type Layer struct {
	Type   string     `json:"type,omitempty"`   // property with the type of a feature; "" for none
	Height []string   `json:"height,omitempty"` // properties with its height in metres: the first that it has counts
	Style  qgis.Style `json:"style,omitzero"`
}

var nameForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,80}$`)

// NameForm says what CheckName takes.
const NameForm = "1 to 80 letters, digits, hyphens and underscores"

// CheckName says whether a text can be a name.
func CheckName(name string) error {
	if !nameForm.MatchString(name) {
		return fmt.Errorf("name %.80q: want %s", name, NameForm)
	}
	return nil
}

// Shares are those of a ledger and a store. It is safe for concurrent use.
type Shares struct {
	Ledger ledger.Ledger
	Files  store.Store
	Now    func() time.Time // nil: time.Now
	// Whole is the size from which results are large; 0: the constant.
	Whole int64
}

// Large says whether a result of so many bytes is an object of its own.
func (s *Shares) Large(bytes int64) bool { return bytes > cmp.Or(s.Whole, Whole) }

func (s *Shares) now() time.Time {
	if s.Now == nil {
		return time.Now()
	}
	return s.Now()
}

func recordKey(name string) ledger.Key {
	return ledger.Key{Partition: "share/" + name, Sort: "share"}
}

const listPartition = "shares"

func entryKey(h *Share) ledger.Key {
	return ledger.Key{Partition: listPartition, Sort: fmt.Sprintf("%019d-%s", h.Created.UnixNano(), h.Name)}
}

// Save writes the object of a result, what stands beside it (nil: nothing) and then its record. Another lease of the same job
// that was later stays.
func (s *Shares) Save(ctx context.Context, h Share, object, raw spool.Body) error {
	stem := fmt.Sprintf("auto/%s-%d", h.Job, h.Fence)
	h.File, h.Bytes = stem+".json", object.Size()
	if raw != nil {
		h.Raw, h.Bytes = stem+".bin", max(object.Size(), raw.Size())
	}
	if err := s.store(ctx, h, object, raw); err != nil {
		return err
	}
	if h.Also != "" { // before the other name: who finds a result by that is done with it
		named := h
		named.Name, named.Also, named.Listed = h.Also, "", false
		if err := s.enter(ctx, named); err != nil {
			return err
		}
	}
	return s.enter(ctx, h)
}

// Free says whether a result of a job can have a name: nothing has it, or that result.
func (s *Shares) Free(ctx context.Context, name, job string) (bool, error) {
	h, err := s.Find(ctx, name)
	if errors.Is(err, ErrNotFound) {
		return true, nil
	}
	return err == nil && h.Moved == "" && h.Job == job, err
}

// store writes the objects of a share.
func (s *Shares) store(ctx context.Context, h Share, object, raw spool.Body) error {
	_, err := s.Files.PutFrom(ctx, h.File, object, object.Size(), store.PutOptions{Headers: store.Headers{ContentType: "application/json"}})
	if err == nil && h.Raw != "" {
		_, err = s.Files.PutFrom(ctx, h.Raw, raw, raw.Size(), store.PutOptions{Headers: store.Headers{ContentType: h.ContentType}})
	}
	if err != nil {
		return fmt.Errorf("share %s: %w", h.Name, err)
	}
	return nil
}

// remove deletes the objects of a share.
func (s *Shares) remove(ctx context.Context, h Share) error {
	if h.Raw != "" {
		if err := s.Files.Delete(ctx, h.Raw); err != nil {
			return fmt.Errorf("share %s: %w", h.Name, err)
		}
	}
	if err := s.Files.Delete(ctx, h.File); err != nil {
		return fmt.Errorf("share %s: %w", h.Name, err)
	}
	return nil
}

// enter writes, where it is listed, the entry, which without its record is passed over, and then the record: a share is there
// as a whole or not at all.
func (s *Shares) enter(ctx context.Context, h Share) error {
	if h.Listed {
		if _, err := s.Ledger.Put(ctx, ledger.Record{Key: entryKey(&h), Value: []byte(h.Name), Expires: h.Expires},
			ledger.Any); err != nil {
			return fmt.Errorf("share %s: %w", h.Name, err)
		}
	}
	_, err := ledger.Update(ctx, s.Ledger, recordKey(h.Name), func(r *ledger.Record) (bool, error) {
		if there, err := readShare(*r); err == nil && (there.Fence > h.Fence && there.Job == h.Job || there.Moved != "" ||
			there.Job != h.Job && (there.Expires.IsZero() || s.now().Before(there.Expires))) {
			return false, nil // a later lease of the job has it, or another result
		}
		var err error
		r.Expires = h.Expires
		r.Value, err = json.Marshal(h)
		return true, err
	})
	if err != nil {
		return fmt.Errorf("share %s: %w", h.Name, err)
	}
	return nil
}

func readShare(r ledger.Record) (h Share, err error) {
	if len(r.Value) == 0 {
		return h, ErrNotFound
	}
	if err := json.Unmarshal(r.Value, &h); err != nil {
		return h, fmt.Errorf("share: record %s: %w", r.Key, err)
	}
	return h, nil
}

// Find reads what a name stands for; of one that was renamed Moved is set.
func (s *Shares) Find(ctx context.Context, name string) (Share, error) {
	if CheckName(name) != nil {
		return Share{}, fmt.Errorf("%w: %.80q", ErrNotFound, name)
	}
	r, err := s.Ledger.Get(ctx, recordKey(name))
	if errors.Is(err, ledger.ErrNotFound) || err == nil && !r.Expires.IsZero() && !s.now().Before(r.Expires) {
		return Share{}, fmt.Errorf("%w: %s", ErrNotFound, name)
	}
	if err != nil {
		return Share{}, fmt.Errorf("share %s: %w", name, err)
	}
	return readShare(r)
}

// maxMoves bounds a chain of renames.
const maxMoves = 16

// Follow is Find of the name that a share has now.
func (s *Shares) Follow(ctx context.Context, name string) (Share, error) {
	for range maxMoves {
		h, err := s.Find(ctx, name)
		if err != nil || h.Moved == "" {
			return h, err
		}
		name = h.Moved
	}
	return Share{}, fmt.Errorf("%w: %s was renamed too often", ErrNotFound, name)
}

// maxListed is how many shares a list reads.
const maxListed = 10_000

// List gives the listed shares, the newest first.
func (s *Shares) List(ctx context.Context) (all []Share, err error) {
	q := ledger.Query{Partition: listPartition, Descending: true, Limit: ledger.MaxLimit}
	for len(all) < maxListed {
		records, err := s.Ledger.Query(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("shares: %w", err)
		}
		for _, r := range records {
			h, err := s.Find(ctx, string(r.Value))
			if errors.Is(err, ErrNotFound) || err == nil && (h.Moved != "" || entryKey(&h) != r.Key) {
				continue
			}
			if err != nil {
				return nil, err
			}
			all = append(all, h)
		}
		if len(records) < q.Limit {
			break
		}
		q.To = records[len(records)-1].Key.Sort
	}
	return all, nil
}

// Drop removes what a job saved without a name and has not come to stand for it; a share that was renamed stays.
func (s *Shares) Drop(ctx context.Context, name, job string) error {
	h, err := s.Find(ctx, name)
	if errors.Is(err, ErrNotFound) || err == nil && (h.Moved != "" || h.Job != job) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := s.Ledger.Delete(ctx, entryKey(&h), ledger.Any); err != nil {
		return fmt.Errorf("share %s: %w", name, err)
	}
	if err := s.Ledger.Delete(ctx, recordKey(name), ledger.Any); err != nil {
		return fmt.Errorf("share %s: %w", name, err)
	}
	if h.Also != "" {
		if err := s.Drop(ctx, h.Also, job); err != nil {
			return err
		}
	}
	return s.remove(ctx, h)
}

// Forget ends a share whose object is gone before its time: its record is over, as if its week were.
func (s *Shares) Forget(ctx context.Context, h Share) error {
	_, err := ledger.Update(ctx, s.Ledger, recordKey(h.Name), func(r *ledger.Record) (bool, error) {
		there, err := readShare(*r)
		if err != nil || there.Job != h.Job || there.Fence != h.Fence {
			return false, nil // another has the name meanwhile
		}
		r.Expires = s.now()
		return true, nil
	})
	if err != nil {
		return fmt.Errorf("share %s: %w", h.Name, err)
	}
	return nil
}

// Sweep removes the objects of results whose week is over, of leases that came to nothing, and of large questions that a ledger which
// was put back to an earlier time does not know. Where the store does so itself it is not needed.
func (s *Shares) Sweep(ctx context.Context) (removed int, err error) {
	for prefix, age := range map[string]time.Duration{"auto/": Keep + 24*time.Hour, "jobs/": Keep + 48*time.Hour} {
		for info, err := range s.Files.List(ctx, prefix) {
			if err != nil {
				return removed, err
			}
			if s.now().Sub(info.Modified) < age || !strings.HasPrefix(info.Key, prefix) {
				continue
			}
			if err := s.Files.Delete(ctx, info.Key); err != nil {
				return removed, err
			}
			removed++
		}
	}
	return removed, nil
}
