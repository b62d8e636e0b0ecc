package tasks

import (
	"cmp"
	"context"
	"crypto/hmac"
	cryptorand "crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"mappe/functions/core/shares"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
)

// Outcomes that callers tell apart.
var (
	// ErrNotFound: there is no such task, or it is forgotten.
	ErrNotFound = errors.New("no such task")
	// ErrOther: the id is of another question.
	ErrOther = errors.New("the task is of another question")
)

// Desk takes questions and says what has become of them.
type Desk struct {
	Queue   *jobs.Queue // Orders, or Works.NewQueue in the process that does the work
	Place   Place
	Version string           // of the software: another one answers anew
	Now     func() time.Time // nil: time.Now
	Whole   int64            // bytes from which a result is large; 0: shares.Whole

	mu     sync.Mutex
	secret []byte // once it is read
}

// Orders is the queue for a process that only asks; notify tells a worker elsewhere.
func Orders(p Place, notify func(context.Context, jobs.Job) error, log *slog.Logger) (*jobs.Queue, error) {
	return jobs.New(p.Ledger, jobs.Options{Types: definitions(), Notify: notify, Store: p.Files, Log: log})
}

// Shares are the results.
func (d *Desk) Shares() *shares.Shares {
	return &shares.Shares{Ledger: d.Place.Ledger, Files: d.Place.Files, Now: d.Now, Whole: d.Whole}
}

func (d *Desk) now() time.Time {
	if d.Now == nil {
		return time.Now()
	}
	return d.Now()
}

// Order is a question.
type Order struct {
	JobType    string // of its job; "": the constant JobType
	Name       string // of its Task
	Question   []byte // JSON
	State      string // of the data
	Generation string // that is read, where it is still there
	ID         string // that the client gave; "": none
	Listed     bool   // the share of its result
	Share      string // further name of that share; "": none
	Client     string // for the bounds of one client
}

// payload is what a job carries.
type payload struct {
	Name       string          `json:"name"`
	Question   json.RawMessage `json:"question"`
	Generation string          `json:"generation"`
	Version    string          `json:"version"`
	Listed     bool            `json:"listed,omitempty"`
	Share      string          `json:"share,omitempty"`
}

// Ask gives the task of a question: the one that there is, or a new one. ErrOther, and what jobs.Queue.Submit gives.
func (d *Desk) Ask(ctx context.Context, o Order) (Asked, error) {
	key, err := d.key(ctx, o)
	if err != nil {
		return Asked{}, err
	}
	// Under an id of the client the same question is the same task, whatever became of data and software meanwhile.
	question, err := d.hash(ctx, o.parts())
	if err != nil {
		return Asked{}, err
	}
	if o.ID != "" {
		if there, err := d.known(ctx, o.ID); !errors.Is(err, ErrNotFound) {
			return d.again(ctx, o.ID, question, there, err)
		}
	}
	j, id, err := d.attach(ctx, key, o)
	if err != nil {
		return Asked{}, err
	}
	if o.ID == "" {
		return Asked{ID: id, job: j}, nil
	}
	value, err := json.Marshal(alias{Job: j.ID, Key: question})
	if err != nil {
		return Asked{}, err
	}
	_, err = d.Place.Ledger.Put(ctx, ledger.Record{Key: aliasKey(id), Value: value, Expires: d.now().Add(remembered)}, ledger.Absent)
	if errors.Is(err, ledger.ErrConflict) { // asked with the same id at the same time
		there, err := d.known(ctx, id)
		return d.again(ctx, id, question, there, err)
	}
	return Asked{ID: id, job: j}, err
}

// attach notes who asks beside the job of a question. One that the last who asked aborts meanwhile is left for another.
func (d *Desk) attach(ctx context.Context, key string, o Order) (j jobs.Job, id string, err error) {
	for range maxTries {
		if j, err = d.job(ctx, key, o); err != nil {
			return j, "", err
		}
		id = cmp.Or(o.ID, j.ID)
		if err = d.putAsker(ctx, j.ID, id, asker{}); err != nil {
			return j, "", err
		}
		if j, err = d.Queue.Get(ctx, j.ID); err != nil || j.CancelAsked.IsZero() || j.State == jobs.Done {
			return j, id, err
		}
	}
	return j, "", errors.New("tasks: the same question is asked and aborted too often at the same time")
}

// again is a question under an id that is known.
func (d *Desk) again(ctx context.Context, id, key string, there alias, err error) (Asked, error) {
	switch {
	case err != nil:
		return Asked{}, err
	case there.Key != key:
		return Asked{}, fmt.Errorf("%w: %s", ErrOther, id)
	}
	return d.Find(ctx, id)
}

// parts are what a question is.
func (o *Order) parts() []string {
	return []string{o.Name, string(o.Question), strconv.FormatBool(o.Listed)}
}

// key is the hash of a question and of what its answer is made from.
func (d *Desk) key(ctx context.Context, o Order) (string, error) {
	return d.hash(ctx, append(o.parts(), o.State, d.Version))
}

// hash names parts so that only who has the ledger's secret can.
func (d *Desk) hash(ctx context.Context, parts []string) (string, error) {
	secret, err := d.hashSecret(ctx)
	if err != nil {
		return "", err
	}
	h := hmac.New(sha256.New, secret)
	for _, part := range parts {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(part)))
		h.Write(n[:])
		h.Write([]byte(part))
	}
	return hex.EncodeToString(h.Sum(nil)[:20]), nil
}

// hashSecret is the secret of the ledger, which the first who needs it makes.
func (d *Desk) hashSecret(ctx context.Context) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.secret != nil {
		return d.secret, nil
	}
	at := ledger.Key{Partition: "task/secret", Sort: "secret"}
	r, err := d.Place.Ledger.Get(ctx, at)
	if errors.Is(err, ledger.ErrNotFound) {
		_, err = d.Place.Ledger.Put(ctx, ledger.Record{Key: at, Value: []byte(cryptorand.Text())}, ledger.Absent)
		if err == nil || errors.Is(err, ledger.ErrConflict) {
			r, err = d.Place.Ledger.Get(ctx, at)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("tasks: %w", err)
	}
	d.secret = r.Value
	return d.secret, nil
}

// maxTries bounds how often another asks the same at the same time.
const maxTries = 8

// job is the one that stands for a question: open and not to be cancelled, or done with a result that is still there.
func (d *Desk) job(ctx context.Context, key string, o Order) (jobs.Job, error) {
	body, err := json.Marshal(payload{o.Name, o.Question, o.Generation, d.Version, o.Listed, o.Share})
	if err != nil {
		return jobs.Job{}, err
	}
	for range maxTries {
		n, version, err := d.number(ctx, key)
		if err != nil {
			return jobs.Job{}, err
		}
		j, _, err := d.Queue.Submit(ctx, jobs.Order{Type: cmp.Or(o.JobType, JobType), Key: key + "/" + strconv.FormatInt(n, 10),
			Client: o.Client, Payload: body})
		if j.ID == "" {
			return j, err
		} // a worker that was not told looks, or is woken
		stands, err := d.stands(ctx, j)
		if err != nil || stands {
			return j, err
		}
		r := ledger.Record{Key: numberKey(key), Value: strconv.AppendInt(nil, n+1, 10), Expires: d.now().Add(2 * remembered)}
		if _, err := d.Place.Ledger.Put(ctx, r, version); err != nil && !errors.Is(err, ledger.ErrConflict) {
			return j, fmt.Errorf("tasks: %w", err)
		}
	}
	return jobs.Job{}, errors.New("tasks: the same question is asked and ended too often at the same time")
}

// stands says whether a job answers the question.
func (d *Desk) stands(ctx context.Context, j jobs.Job) (bool, error) {
	switch j.State {
	case jobs.Queued, jobs.Running:
		return j.CancelAsked.IsZero(), nil
	case jobs.Done:
		h, err := d.Shares().Follow(ctx, shares.Auto+j.ID)
		if errors.Is(err, shares.ErrNotFound) {
			return false, nil
		}
		return err == nil && (h.Expires.IsZero() || d.now().Add(time.Hour).Before(h.Expires)), err
	}
	return false, nil
}

// number is which tasks of a question were ended without a result.
func (d *Desk) number(ctx context.Context, key string) (n, version int64, err error) {
	r, err := d.Place.Ledger.Get(ctx, numberKey(key))
	if errors.Is(err, ledger.ErrNotFound) {
		return 0, ledger.Absent, nil
	}
	if err != nil {
		return 0, 0, fmt.Errorf("tasks: %w", err)
	}
	n, err = strconv.ParseInt(string(r.Value), 10, 64)
	return n, r.Version, err
}

// Find is a task by its id. ErrNotFound.
func (d *Desk) Find(ctx context.Context, id string) (Asked, error) {
	job := id
	if !own(id) {
		a, err := d.known(ctx, id)
		if err != nil {
			return Asked{}, err
		}
		job = a.Job
	}
	j, err := d.Queue.Get(ctx, job)
	if errors.Is(err, jobs.ErrNotFound) || err == nil && j.Type != JobType && j.Type != OneStop {
		return Asked{}, fmt.Errorf("%w: %s", ErrNotFound, id)
	}
	if err != nil {
		return Asked{}, err
	}
	a, err := d.askerOf(ctx, job, id)
	return Asked{ID: id, job: j, asker: a}, err
}

// Abort ends a task for who asked for it under this id. The work is cancelled when nobody else wants it; what has ended
// stays. It may be repeated.
func (d *Desk) Abort(ctx context.Context, id string) (Asked, error) {
	t, err := d.Find(ctx, id)
	if err != nil || t.job.State.Final() || t.job.State == jobs.Releasing {
		return t, err
	}
	if t.asker.Aborted.IsZero() {
		t.asker.Aborted = d.now().UTC()
		if err := d.putAsker(ctx, t.job.ID, id, t.asker); err != nil {
			return t, err
		}
	}
	// It is noted first, then asked whether others want it: two who abort at once would each find the other else.
	if t.asker.Left {
		return t, nil
	}
	wanted, err := d.wanted(ctx, t.job.ID)
	if err != nil {
		return t, err
	}
	if wanted {
		t.asker.Left = true
		return t, d.putAsker(ctx, t.job.ID, id, t.asker)
	}
	j, err := d.Queue.Cancel(ctx, t.job.ID)
	if j.ID != "" {
		t.job = j
		return t, nil
	}
	return t, err
}
