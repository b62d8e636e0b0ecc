package landprocess

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"mappe/shared/austria"
	"mappe/shared/cloud/ledger"
)

// The partitions of the ledger.
const (
	partition = "landscape-processor"
	done      = "landscape-kgs"
	failed    = "landscape-failed"
)

// Ledger are the partitions that steering and working need.
var Ledger = []string{partition, done, failed}

var (
	stateKey = ledger.Key{Partition: partition, Sort: "state"}
	logKey   = ledger.Key{Partition: partition, Sort: "log"}
	indexKey = ledger.Key{Partition: partition, Sort: "index"}
)

// Records are the processor's records in a ledger.
type Records struct{ Ledger ledger.Ledger }

// State reads the state; the zero state is stopped.
func (r Records) State(ctx context.Context) (State, error) {
	s := State{Mode: Stopped}
	rec, err := r.Ledger.Get(ctx, stateKey)
	if err != nil && !errors.Is(err, ledger.ErrNotFound) {
		return s, fmt.Errorf("state of the processor: %w", err)
	}
	if err == nil {
		if err := json.Unmarshal(rec.Value, &s); err != nil {
			return s, err
		}
	}
	s.Failed, err = r.failures(ctx)
	return s, err
}

// Change changes the state: change may run several times, and what it errs with is given. Its changes are kept where it errs with
// nothing, or with keep.
func (r Records) Change(ctx context.Context, change func(*State) error, keep ...error) (State, error) {
	before, err := r.failures(ctx)
	if err != nil {
		return State{}, err
	}
	return r.change(ctx, before, change, keep)
}

// Step is Change of a worker that tells of its own KG: the failures are not read for it, and the state that it gives has none but
// those that it adds.
func (r Records) Step(ctx context.Context, change func(*State) error, keep ...error) (State, error) {
	return r.change(ctx, nil, change, keep)
}

func (r Records) change(ctx context.Context, before []Failure, change func(*State) error, keep []error) (State, error) {
	var s State
	var outcome error
	kept := false
	_, err := ledger.Update(ctx, r.Ledger, stateKey, func(rec *ledger.Record) (bool, error) {
		s = State{Mode: Stopped}
		if len(rec.Value) > 0 {
			if err := json.Unmarshal(rec.Value, &s); err != nil {
				return false, err
			}
		}
		s.Failed = before
		outcome = change(&s)
		kept = outcome == nil || slices.ContainsFunc(keep, func(k error) bool { return errors.Is(outcome, k) })
		if !kept {
			return false, nil
		}
		b, err := json.Marshal(&s)
		if err == nil && string(b) == string(rec.Value) {
			return false, nil
		}
		rec.Value = b
		return true, err
	})
	if err == nil && kept {
		err = r.note(ctx, before, s.Failed)
	}
	if err != nil {
		return s, fmt.Errorf("state of the processor: %w", err)
	}
	return s, outcome
}

// failures are the KGs that are left out, by code.
func (r Records) failures(ctx context.Context) (out []Failure, err error) {
	return list[Failure](ctx, r.Ledger, failed)
}

// note writes what has become of the failures.
func (r Records) note(ctx context.Context, before, after []Failure) error {
	was := make(map[austria.KGCode]Failure, len(before))
	for _, f := range before {
		was[f.KG] = f
	}
	for _, f := range after {
		old, ok := was[f.KG]
		delete(was, f.KG)
		if ok && old == f {
			continue
		}
		b, err := json.Marshal(f)
		if err != nil {
			return err
		}
		if _, err := r.Ledger.Put(ctx, ledger.Record{Key: ledger.Key{Partition: failed, Sort: string(f.KG)}, Value: b},
			ledger.Any); err != nil {
			return err
		}
	}
	for code := range was {
		if err := r.Ledger.Delete(ctx, ledger.Key{Partition: failed, Sort: string(code)}, ledger.Any); err != nil {
			return err
		}
	}
	return nil
}

// list reads a partition, by its sort.
func list[T any](ctx context.Context, l ledger.Ledger, of string) (out []T, err error) {
	from := ""
	for {
		records, err := l.Query(ctx, ledger.Query{Partition: of, From: from, Limit: ledger.MaxLimit})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", of, err)
		}
		for i := range records {
			var v T
			if err := json.Unmarshal(records[i].Value, &v); err != nil {
				return nil, err
			}
			out = append(out, v)
			from = records[i].Key.Sort + "\x00"
		}
		if len(records) < ledger.MaxLimit {
			return out, nil
		}
	}
}

// Line is a line of the log.
type Line struct {
	At   time.Time      `json:"at"`
	KG   austria.KGCode `json:"kg_code,omitempty"`
	Text string         `json:"text"`
}

// maxLines is how many lines the log keeps.
const maxLines = 200

// Log adds a line.
func (r Records) Log(ctx context.Context, l Line) error {
	l.Text = l.Text[:min(len(l.Text), maxText)]
	_, err := ledger.Update(ctx, r.Ledger, logKey, func(rec *ledger.Record) (bool, error) {
		var lines []Line
		if len(rec.Value) > 0 {
			if err := json.Unmarshal(rec.Value, &lines); err != nil {
				return false, err
			}
		}
		lines = append(lines, l)
		var err error
		rec.Value, err = json.Marshal(lines[max(0, len(lines)-maxLines):])
		return true, err
	})
	return err
}

// Lines are the lines of the log, the newest last.
func (r Records) Lines(ctx context.Context) (lines []Line, err error) {
	rec, err := r.Ledger.Get(ctx, logKey)
	if errors.Is(err, ledger.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("log of the processor: %w", err)
	}
	return lines, json.Unmarshal(rec.Value, &lines)
}

// Entry is what the last analysis of a KG has left.
type Entry struct {
	KG          austria.KGCode `json:"kg_code"`
	Fingerprint string         `json:"fingerprint"` // of the inputs of its file
	Inputs      string         `json:"inputs"`      // cheap name of the state that they were looked at in
	Key         string         `json:"key"`         // of its file in the store
	Bytes       int64          `json:"bytes"`
	SHA256      string         `json:"sha256"`
	Tiles       int            `json:"tiles"`
	Km2         float64        `json:"km2"`
	Seconds     float64        `json:"seconds"`
	Missing     []string       `json:"layers_missing,omitempty"`
	Counts      map[string]int `json:"counts,omitempty"`
	At          time.Time      `json:"processed_at"`
	Products    *Products      `json:"products,omitempty"` // files that are handed out; nil: none were made
}

// Put writes the entry of a KG.
func (r Records) Put(ctx context.Context, e Entry) error {
	b, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = r.Ledger.Put(ctx, ledger.Record{Key: ledger.Key{Partition: done, Sort: string(e.KG)}, Value: b}, ledger.Any)
	return err
}

// Entries are the KGs that were analysed, by code.
func (r Records) Entries(ctx context.Context) ([]Entry, error) {
	return list[Entry](ctx, r.Ledger, done)
}

// Entry is that of a KG; false where it was not analysed.
func (r Records) Entry(ctx context.Context, code austria.KGCode) (e Entry, ok bool, err error) {
	rec, err := r.Ledger.Get(ctx, ledger.Key{Partition: done, Sort: string(code)})
	if errors.Is(err, ledger.ErrNotFound) {
		return e, false, nil
	}
	if err != nil {
		return e, false, fmt.Errorf("analysed KG %s: %w", code, err)
	}
	return e, true, json.Unmarshal(rec.Value, &e)
}

// Indexed is what the search index was last made of, and when; zero of none.
type Indexed struct {
	Name string        `json:"name"` // of the files and the register
	At   time.Time     `json:"at"`   // when it was begun
	Took time.Duration `json:"took"`
	// Whole is when the last index was begun for which the files of all KGs were read.
	Whole time.Time `json:"whole,omitzero"`
	// Asked is when an operator last asked for another one.
	Asked time.Time `json:"asked,omitzero"`
}

// Due says whether an operator has asked for an index since this one was begun.
func (x Indexed) Due() bool { return x.Asked.After(x.At) }

// Indexed is that of the last index.
func (r Records) Indexed(ctx context.Context) (last Indexed, err error) {
	rec, err := r.Ledger.Get(ctx, indexKey)
	if errors.Is(err, ledger.ErrNotFound) {
		return last, nil
	}
	if err != nil {
		return last, fmt.Errorf("index of the processor: %w", err)
	}
	return last, json.Unmarshal(rec.Value, &last)
}

// SetIndexed notes what the index was made of. When it was asked for stays.
func (r Records) SetIndexed(ctx context.Context, last Indexed) error {
	_, err := r.indexed(ctx, func(x *Indexed) {
		asked := x.Asked
		*x = last
		x.Asked = asked
	})
	return err
}

// AskIndex asks for the index to be made anew, whether results are new or not: the next look of the worker does it.
func (r Records) AskIndex(ctx context.Context, now time.Time) (Indexed, error) {
	return r.indexed(ctx, func(x *Indexed) { x.Asked = now })
}

func (r Records) indexed(ctx context.Context, change func(*Indexed)) (x Indexed, err error) {
	_, err = ledger.Update(ctx, r.Ledger, indexKey, func(rec *ledger.Record) (bool, error) {
		x = Indexed{}
		if len(rec.Value) > 0 {
			if err := json.Unmarshal(rec.Value, &x); err != nil {
				return false, err
			}
		}
		change(&x)
		var err error
		rec.Value, err = json.Marshal(x)
		return true, err
	})
	if err != nil {
		return x, fmt.Errorf("index of the processor: %w", err)
	}
	return x, nil
}
