// Package warmup is the list of warm-up requests between those who read and the one who builds: a request that touches a
// KG whose snapshot is not in the store leaves an object, a worker builds the KG, publishes it and takes
// the object away. It owns the names and the rules of these objects, and the Queue that readers put them
// in by; builders/national does the work.
//
//	requests/warm/{kg}        a warm-up of the KG is requested: written only where none stands, so one object each
//	requests/retry/{kg}       its last build failed, with the reason: tried again after RetryAfter
//	requests/given-up/{kg}    it cannot be built (no source data), or failed maxTries times: after GiveUpFor
//	requests/failed.json      the KGs of both, and until when each waits: what readers look at
//	requests/work.json        the KGs that are being loaded, and how many were
//
// Readers may write below requests/warm/ and nothing else. A request outlasts a failure, so that visitors
// cannot have the same KG built again and again: a KG costs at most one build an hour, and with maxTries
// failures behind it one a week. The time of a mark is that of its object; a listing tells all.
package warmup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// Folder is where the warm-up requests are; the cloud starts a build function for each object that appears in it.
const Folder = "requests/warm/"

const (
	retryFolder   = "requests/retry/"
	givenUpFolder = "requests/given-up/"
)

// When a KG that failed is tried again.
const (
	RetryAfter = time.Hour
	GiveUpFor  = 7 * 24 * time.Hour
	maxTries   = 5
)

// marks are the folders of failures with the time that a KG waits there.
var marks = []struct {
	folder string
	pause  time.Duration
}{{retryFolder, RetryAfter}, {givenUpFolder, GiveUpFor}}

// Request writes the request for a KG; one that stands already is enough.
func Request(ctx context.Context, s store.Store, code austria.KGCode) error {
	body := fmt.Appendf(nil, `{"kg_code":%q}`, code)
	_, err := s.Put(ctx, Folder+string(code), body, store.PutOptions{Headers: jsonHeaders, IfMatch: store.Absent})
	if errors.Is(err, store.ErrPrecondition) {
		return nil
	}
	return err
}

// maxMark bounds a mark; the reason is cut to maxReason bytes.
const (
	maxMark   = 4 << 10
	maxReason = 2 << 10
)

// Mark is the content of a failure's object.
type Mark struct {
	Code   austria.KGCode `json:"kg_code"`
	Reason string         `json:"reason"`
	Tries  int            `json:"tries"`
}

// Due lists the KGs to build now, in rising order: requested, and not failed a short while ago.
func Due(ctx context.Context, s store.Store, now time.Time) ([]austria.KGCode, error) {
	waiting := map[austria.KGCode]bool{}
	for _, mark := range marks {
		for info, err := range s.List(ctx, mark.folder) {
			if err != nil {
				return nil, err
			}
			if code, err := codeOf(mark.folder, info.Key); err == nil && now.Sub(info.Modified) < mark.pause {
				waiting[code] = true
			}
		}
	}
	var out []austria.KGCode
	for info, err := range s.List(ctx, Folder) {
		if err != nil {
			return nil, err
		}
		if code, err := codeOf(Folder, info.Key); err == nil && !waiting[code] {
			out = append(out, code)
		}
	}
	return out, nil
}

func codeOf(folder, key string) (austria.KGCode, error) {
	name := strings.TrimPrefix(key, folder)
	code, err := austria.ParseKGCode(name)
	if err == nil && string(code) != name {
		err = fmt.Errorf("%s: the code is not padded", key)
	}
	return code, err
}

// Done deletes a request, and what was noted of earlier failures.
func Done(ctx context.Context, s store.Store, code austria.KGCode) error {
	for _, folder := range []string{Folder, retryFolder, givenUpFolder} {
		if err := s.Delete(ctx, folder+string(code)); err != nil {
			return err
		}
	}
	return nil
}

// Failed notes why a KG could not be built. final says that trying again is of no use before the source
// has changed.
func Failed(ctx context.Context, s store.Store, code austria.KGCode, reason error, final bool) error {
	m, err := ReadMark(ctx, s, code)
	if err != nil {
		return err
	}
	m.Code, m.Reason, m.Tries = code, reason.Error(), m.Tries+1
	if len(m.Reason) > maxReason {
		m.Reason = strings.ToValidUTF8(m.Reason[:maxReason], "")
	}
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	to, other := retryFolder, givenUpFolder
	if final || m.Tries >= maxTries {
		to, other = givenUpFolder, retryFolder
	}
	if _, err := s.Put(ctx, to+string(code), body, store.PutOptions{Headers: jsonHeaders}); err != nil {
		return err
	}
	return s.Delete(ctx, other+string(code))
}

// ReadMark is what was noted of a KG's failures; the zero Mark where nothing was.
func ReadMark(ctx context.Context, s store.Store, code austria.KGCode) (Mark, error) {
	var m Mark
	for _, folder := range []string{givenUpFolder, retryFolder} {
		b, _, err := store.ReadAll(ctx, s, folder+string(code), maxMark, store.GetOptions{})
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return m, err
		}
		if err := json.Unmarshal(b, &m); err != nil {
			return m, fmt.Errorf("%s%s: %w", folder, code, err)
		}
		return m, nil
	}
	return m, nil
}

var jsonHeaders = store.Headers{ContentType: "application/json", CacheControl: store.CacheRevalidate}
