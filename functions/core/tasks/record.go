package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"mappe/functions/core/shares"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
)

// remembered is how long the ids of a task are known: its wait, its work and its week lie within.
const remembered = Keep + 24*time.Hour

// alias is an id that a client gave.
type alias struct {
	Job string `json:"job"`
	Key string `json:"key"` // of its question
}

// claim is a name that the result of a question is to have.
type claim struct {
	Key string `json:"key"`           // of the question
	Job string `json:"job,omitempty"` // that answers it; "": it is about to be made
}

// claimed is how long a name is kept for a question that has no job yet.
const claimed = time.Minute

// asker is who asked for a job.
type asker struct {
	Aborted time.Time `json:"aborted,omitzero"`
	// Left says that others wanted the job when it was aborted: what becomes of it concerns this one no more.
	Left bool `json:"left,omitempty"`
}

func numberKey(key string) ledger.Key {
	return ledger.Key{Partition: "task/key/" + key, Sort: "number"}
}

func aliasKey(id string) ledger.Key { return ledger.Key{Partition: "task/id/" + id, Sort: "id"} }

func claimKey(name string) ledger.Key {
	return ledger.Key{Partition: "task/name/" + name, Sort: "name"}
}

func askerKey(job, id string) ledger.Key {
	return ledger.Key{Partition: "task/of/" + job, Sort: id}
}

// known reads an id that a client gave.
func (d *Desk) known(ctx context.Context, id string) (a alias, err error) {
	if _, err := parseID(id); err != nil {
		return a, fmt.Errorf("%w: %.80q", ErrNotFound, id)
	}
	r, err := d.Place.Ledger.Get(ctx, aliasKey(id))
	if errors.Is(err, ledger.ErrNotFound) {
		return a, fmt.Errorf("%w: %s", ErrNotFound, id)
	}
	if err != nil {
		return a, fmt.Errorf("tasks: %w", err)
	}
	return a, json.Unmarshal(r.Value, &a)
}

// claim reserves a name for the result of a question: shares.ErrTaken where another result has it, or is to have it.
func (d *Desk) claim(ctx context.Context, name string, c claim) error {
	_, err := ledger.Update(ctx, d.Place.Ledger, claimKey(name), func(r *ledger.Record) (bool, error) {
		var there claim
		if len(r.Value) > 0 && (r.Expires.IsZero() || d.now().Before(r.Expires)) {
			if err := json.Unmarshal(r.Value, &there); err != nil {
				return false, err
			}
		}
		switch held, err := d.held(ctx, name, there, c.Key); {
		case err != nil:
			return false, err
		case held:
			return false, fmt.Errorf("%w: %s", shares.ErrTaken, name)
		case there.Key == c.Key && c.Job == "": // asked again
			return false, nil
		}
		r.Expires = d.now().Add(claimed)
		if c.Job != "" {
			r.Expires = d.now().Add(remembered)
		}
		var err error
		r.Value, err = json.Marshal(c)
		return true, err
	})
	if err != nil {
		return fmt.Errorf("tasks: %w", err)
	}
	return nil
}

// held says whether a name is kept from a question: by the result of another that has it, or by another that is worked on.
func (d *Desk) held(ctx context.Context, name string, there claim, key string) (bool, error) {
	if there.Key == key {
		return false, nil
	}
	switch _, err := d.Shares().Find(ctx, name); {
	case err == nil:
		return true, nil
	case !errors.Is(err, shares.ErrNotFound):
		return false, err
	case there.Job == "":
		return there.Key != "", nil
	}
	j, err := d.Queue.Get(ctx, there.Job)
	if errors.Is(err, jobs.ErrNotFound) {
		return false, nil
	}
	return err == nil && !j.State.Final() && j.CancelAsked.IsZero(), err // of one that is done the result is gone
}

func (d *Desk) putAsker(ctx context.Context, job, id string, a asker) error {
	value, err := json.Marshal(a)
	if err != nil {
		return err
	}
	if _, err = d.Place.Ledger.Put(ctx, ledger.Record{Key: askerKey(job, id), Value: value, Expires: d.now().Add(remembered)},
		ledger.Any); err != nil {
		return fmt.Errorf("tasks: %w", err)
	}
	return nil
}

// askerOf reads who asked; nobody is who has not aborted.
func (d *Desk) askerOf(ctx context.Context, job, id string) (a asker, err error) {
	r, err := d.Place.Ledger.Get(ctx, askerKey(job, id))
	if errors.Is(err, ledger.ErrNotFound) {
		return a, nil
	}
	if err != nil {
		return a, fmt.Errorf("tasks: %w", err)
	}
	return a, json.Unmarshal(r.Value, &a)
}

// wanted says whether somebody who asked for a job has not aborted it.
func (d *Desk) wanted(ctx context.Context, job string) (bool, error) {
	q := ledger.Query{Partition: "task/of/" + job, Limit: ledger.MaxLimit}
	for {
		records, err := d.Place.Ledger.Query(ctx, q)
		if err != nil {
			return false, fmt.Errorf("tasks: %w", err)
		}
		for _, r := range records {
			var a asker
			if err := json.Unmarshal(r.Value, &a); err != nil {
				return false, fmt.Errorf("tasks: record %s: %w", r.Key, err)
			}
			if a.Aborted.IsZero() {
				return true, nil
			}
		}
		if len(records) < q.Limit {
			return false, nil
		}
		q.From = records[len(records)-1].Key.Sort + "\x00"
	}
}

// ShareName is the name that a share is kept under, where another is given by a task's id that a client made. Other names
// come back as they are.
func (d *Desk) ShareName(ctx context.Context, name string) (string, error) {
	id, auto := strings.CutPrefix(name, shares.Auto)
	if !auto || own(id) {
		return name, nil
	}
	a, err := d.known(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return name, nil
	}
	return shares.Auto + a.Job, err
}
