package jobs

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"mappe/shared/cloud/ledger"
)

// State is where a job stands.
type State string

const (
	Queued    State = "queued"
	Running   State = "running"
	Releasing State = "releasing" // failed or cancelled; what was taken for it is being given back
	Done      State = "done"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Final says that nothing follows the state.
func (s State) Final() bool { return s == Done || s == Failed || s == Cancelled }

// Job is a job as it stood when it was read.
type Job struct {
	ID       string  `json:"id"`
	Type     string  `json:"kind"`
	State    State   `json:"state"`
	Client   string  `json:"client,omitempty"` // for whom the job is; the gate counts by it
	Payload  []byte  `json:"payload,omitempty"`
	Stored   string  `json:"stored,omitempty"` // key of the payload in the store, where it is too large for the record
	Attempt  int     `json:"attempt"`          // which one runs or ran last, from 1; 0: none was begun
	Step     string  `json:"step,omitempty"`
	Progress float64 `json:"progress"`         // 0 to 1
	Detail   string  `json:"detail,omitempty"` // of the step, for the user
	Result   []byte  `json:"result,omitempty"`
	Error    string  `json:"error,omitempty"` // for the user

	Created     time.Time `json:"created"`
	Started     time.Time `json:"started,omitzero"` // of the last attempt
	Finished    time.Time `json:"finished,omitzero"`
	CancelAsked time.Time `json:"cancel_asked,omitzero"` // when a cancel was asked for that is carried out
	NotBefore   time.Time `json:"not_before,omitzero"`   // of the next attempt
	Until       time.Time `json:"until,omitzero"`        // when the lease ends without a sign of life
	Owner       string    `json:"owner,omitempty"`       // which lease wrote last; only that one may go on
	Fence       int64     `json:"fence,omitempty"`       // rises with each lease; what is written elsewhere under one names it
}

// An ID is {type}-{hash}-{run}: type and key name the record, run counts the jobs under that key.
const hashLength = 24

var base = base32.HexEncoding.WithPadding(base32.NoPadding)

func hash(jobType, dedupeKey string) string {
	sum := sha256.Sum256([]byte(jobType + "\x00" + dedupeKey))
	if dedupeKey == "" {
		rand.Read(sum[:])
	}
	return strings.ToLower(base.EncodeToString(sum[:15]))
}

// name is an ID taken apart.
type name struct {
	typ, hash string
	run       int64
}

func (n name) String() string { return fmt.Sprintf("%s-%s-%d", n.typ, n.hash, n.run) }

func (n name) key() ledger.Key {
	return ledger.Key{Partition: "job/" + n.typ + "/" + n.hash, Sort: "job"}
}

func parseName(id string) (name, error) {
	bad := fmt.Errorf("%w: %.80q is no job id", ErrNotFound, id)
	rest, run, ok := cutLast(id)
	if !ok {
		return name{}, bad
	}
	jobType, hash, ok := cutLast(rest)
	n, err := strconv.ParseInt(run, 10, 64)
	if !ok || err != nil || n < 1 || len(hash) != hashLength || !typeName.MatchString(jobType) {
		return name{}, bad
	}
	parsed := name{jobType, hash, n}
	if parsed.String() != id {
		return name{}, bad
	}
	if _, err := base.DecodeString(strings.ToUpper(hash)); err != nil || hash != strings.ToLower(hash) {
		return name{}, bad
	}
	return parsed, nil
}

func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, '-')
	if i < 0 {
		return "", "", false
	}
	return s[:i], s[i+1:], true
}

// record makes the ledger's record; finished jobs are forgotten after keep.
func (j Job) record(key ledger.Key, keep time.Duration) (ledger.Record, error) {
	value, err := json.Marshal(j)
	if err != nil {
		return ledger.Record{}, fmt.Errorf("jobs: %s: %w", j.ID, err)
	}
	r := ledger.Record{Key: key, Value: value}
	if j.State.Final() {
		r.Expires = j.Finished.Add(keep)
	}
	return r, nil
}

func readJob(r ledger.Record) (Job, name, error) {
	var j Job
	if err := json.Unmarshal(r.Value, &j); err != nil {
		return Job{}, name{}, fmt.Errorf("jobs: record %s: %w", r.Key, err)
	}
	n, err := parseName(j.ID)
	if err != nil || n.key() != r.Key {
		return Job{}, name{}, fmt.Errorf("jobs: record %s holds job %.80q", r.Key, j.ID)
	}
	return j, n, nil
}

// cut keeps a text for users within maxText.
func cut(s string) string {
	if len(s) <= maxText {
		return strings.ToValidUTF8(s, "�")
	}
	return strings.ToValidUTF8(s[:maxText-len("…")], "") + "…"
}
