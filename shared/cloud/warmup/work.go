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

// workKey is the object that the one worker writes when it begins a round and when it ends it.
const workKey = "requests/work.json"

// runningFor is how long a round is taken to be under way: a worker that died writes no end.
const runningFor = 15 * time.Minute

// Work is what the worker says of itself.
type Work struct {
	Running []austria.KGCode `json:"running"` // KGs of the round that is under way
	Warmed  int              `json:"warmed"`  // KGs loaded so far
}

// NoteWork writes what the worker is doing: the KGs of a round that begins, or none and how many of it were loaded. One
// worker at a time writes it.
func NoteWork(ctx context.Context, s store.Store, running []austria.KGCode, warmed int) error {
	w, _, err := readWork(ctx, s)
	if err != nil {
		return err
	}
	w.Running = append([]austria.KGCode{}, running...)
	w.Warmed += warmed
	body, err := json.Marshal(w)
	if err != nil {
		return err
	}
	_, err = s.Put(ctx, workKey, body, store.PutOptions{Headers: jsonHeaders})
	return err
}

func readWork(ctx context.Context, s store.Store) (w Work, at time.Time, err error) {
	b, info, err := store.ReadAll(ctx, s, workKey, maxMark, store.GetOptions{})
	if errors.Is(err, store.ErrNotFound) {
		return w, at, nil
	}
	if err != nil {
		return w, at, err
	}
	if err := json.Unmarshal(b, &w); err != nil {
		return w, at, fmt.Errorf("%s: %w", workKey, err)
	}
	return w, info.Modified, nil
}

// Stats are the figures of the requests.
type Stats struct{ Queued, Running, Warmed, Failed int }

// maxListed bounds the requests that are counted: there are no more KGs.
const maxListed = 10_000

// Count counts requests: those that wait, those of the round under way, those whose last attempt failed, and the KGs
// that were loaded so far.
func Count(ctx context.Context, s store.Store, now time.Time) (n Stats, err error) {
	w, at, err := readWork(ctx, s)
	if err != nil {
		return n, err
	}
	running := map[austria.KGCode]bool{}
	if now.Sub(at) < runningFor {
		for _, c := range w.Running {
			running[c] = true
		}
	}
	n.Warmed, n.Running = w.Warmed, len(running)
	failed := map[austria.KGCode]bool{}
	for _, folder := range []string{retryFolder, givenUpFolder} {
		if err := each(ctx, s, folder, func(c austria.KGCode) { failed[c] = true }); err != nil {
			return n, err
		}
	}
	n.Failed = len(failed)
	return n, each(ctx, s, Folder, func(c austria.KGCode) {
		if !running[c] && !failed[c] {
			n.Queued++
		}
	})
}

// each visits the KGs that have an object in a folder.
func each(ctx context.Context, s store.Store, folder string, visit func(austria.KGCode)) error {
	listed := 0
	for info, err := range s.List(ctx, folder) {
		if err != nil {
			return err
		}
		if listed++; listed > maxListed {
			return nil
		}
		if code, err := codeOf(folder, info.Key); err == nil {
			visit(code)
		}
	}
	return nil
}
