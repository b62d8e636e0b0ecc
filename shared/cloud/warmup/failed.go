package warmup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// failedKey is the object by which readers learn which warm-ups failed, without a listing of their own.
const failedKey = "requests/failed.json"

// maxFailed bounds the object: some 60 bytes for each KG.
const maxFailed = 2 << 20

// Failures are the KGs whose last warm-up failed, and until when nobody tries again.
type Failures map[austria.KGCode]time.Time

// Has says whether a KG's warm-up failed and is not tried again yet.
func (f Failures) Has(code austria.KGCode, now time.Time) bool { return now.Before(f[code]) }

// failure is a line of the object.
type failure struct {
	Code  austria.KGCode `json:"kg_code"`
	Until time.Time      `json:"until"`
}

// NoteFailures writes the object from the marks of failures. The one worker calls it when it begins and when marks
// have changed.
func NoteFailures(ctx context.Context, s store.Store) error {
	list := []failure{}
	for _, mark := range marks {
		for info, err := range s.List(ctx, mark.folder) {
			if err != nil {
				return err
			}
			if code, err := codeOf(mark.folder, info.Key); err == nil && len(list) < maxListed {
				list = append(list, failure{code, info.Modified.Add(mark.pause).UTC()})
			}
		}
	}
	body, err := json.Marshal(list)
	if err != nil {
		return err
	}
	if was, _, err := store.ReadAll(ctx, s, failedKey, maxFailed, store.GetOptions{}); err == nil && string(was) == string(body) {
		return nil
	}
	_, err = s.Put(ctx, failedKey, body, store.PutOptions{Headers: jsonHeaders})
	return err
}

// ReadFailures reads the object; none stands for none. etag is that of the last reading, "" for the first: changed is
// false where it still holds.
func ReadFailures(ctx context.Context, s store.Store, etag string) (f Failures, newTag string, changed bool, err error) {
	b, info, err := store.ReadAll(ctx, s, failedKey, maxFailed, store.GetOptions{IfNoneMatch: etag})
	switch {
	case errors.Is(err, store.ErrNotModified):
		return nil, etag, false, nil
	case errors.Is(err, store.ErrNotFound):
		return nil, "", true, nil
	case err != nil:
		return nil, etag, false, err
	}
	var list []failure
	if err := json.Unmarshal(b, &list); err != nil {
		return nil, etag, false, fmt.Errorf("%s: %w", failedKey, err)
	}
	f = make(Failures, len(list))
	for _, l := range list {
		if l.Until.After(f[l.Code]) {
			f[l.Code] = l.Until
		}
	}
	return f, info.ETag, true, nil
}
