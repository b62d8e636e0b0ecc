package landprocess

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"mappe/shared/austria"
	"mappe/shared/cloud/ledger"
)

// The partitions of the ledger.
const (
	partition = "landscape-processor"
	done      = "landscape-kgs"
)

// Ledger are the partitions that steering and working need.
var Ledger = []string{partition, done}

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
	if errors.Is(err, ledger.ErrNotFound) {
		return s, nil
	}
	if err != nil {
		return s, fmt.Errorf("state of the processor: %w", err)
	}
	return s, json.Unmarshal(rec.Value, &s)
}

// Change changes the state: change may run several times, and what it errs with is given. Its changes are kept where it errs with
// nothing, or with keep.
func (r Records) Change(ctx context.Context, change func(*State) error, keep ...error) (State, error) {
	var s State
	var outcome error
	_, err := ledger.Update(ctx, r.Ledger, stateKey, func(rec *ledger.Record) (bool, error) {
		s = State{Mode: Stopped}
		if len(rec.Value) > 0 {
			if err := json.Unmarshal(rec.Value, &s); err != nil {
				return false, err
			}
		}
		if outcome = change(&s); outcome != nil {
			kept := false
			for _, k := range keep {
				kept = kept || errors.Is(outcome, k)
			}
			if !kept {
				return false, nil
			}
		}
		b, err := json.Marshal(&s)
		if err == nil && string(b) == string(rec.Value) {
			return false, nil
		}
		rec.Value = b
		return true, err
	})
	if err != nil {
		return s, fmt.Errorf("state of the processor: %w", err)
	}
	return s, outcome
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
func (r Records) Entries(ctx context.Context) (out []Entry, err error) {
	from := ""
	for {
		list, err := r.Ledger.Query(ctx, ledger.Query{Partition: done, From: from, Limit: ledger.MaxLimit})
		if err != nil {
			return nil, fmt.Errorf("analysed KGs: %w", err)
		}
		for i := range list {
			var e Entry
			if err := json.Unmarshal(list[i].Value, &e); err != nil {
				return nil, err
			}
			out = append(out, e)
			from = list[i].Key.Sort + "\x00"
		}
		if len(list) < ledger.MaxLimit {
			return out, nil
		}
	}
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

// Indexed names the entries, and the register, that the search index was last made of; "" of none.
func (r Records) Indexed(ctx context.Context) (string, error) {
	rec, err := r.Ledger.Get(ctx, indexKey)
	if errors.Is(err, ledger.ErrNotFound) {
		return "", nil
	}
	return string(rec.Value), err
}

// SetIndexed notes what the index was made of.
func (r Records) SetIndexed(ctx context.Context, name string) error {
	_, err := r.Ledger.Put(ctx, ledger.Record{Key: indexKey, Value: []byte(name)}, ledger.Any)
	return err
}
