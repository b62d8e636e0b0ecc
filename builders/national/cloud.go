package national

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/artefacts/rowschema"
	"mappe/builders/kgbuild"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// CloudTask is one step of the rebuild state machine (infra/rebuild.asl.json): list writes the KGs of
// a run, kg builds one, publish merges what the run built and moves the pointer. warm stands apart: it
// builds and publishes the cold KGs that requests have asked for, and so does prune, which deletes what
// belongs to generations that nobody can read any more.
type CloudTask struct {
	Task   string     `json:"task"` // list, kg, publish, warm or prune
	Run    string     `json:"run"`
	KGCode string     `json:"kg_code,omitempty"`
	Input  CloudInput `json:"input"`
}

// CloudInput is the input of an execution of the state machine.
type CloudInput struct {
	// Accept publishes KGs that are worse than the live ones, and drops those that the registers have no more.
	Accept bool `json:"accept"`
	// AcceptGaps publishes KGs of which the source lacks parts.
	AcceptGaps bool `json:"accept_gaps"`
}

// CloudAnswer is what the state machine hands on.
type CloudAnswer struct {
	Run        string      `json:"run,omitempty"`
	Key        string      `json:"key,omitempty"` // list: where the KGs stand
	KGs        int         `json:"kgs,omitempty"`
	KGCode     string      `json:"kg_code,omitempty"`
	Outcome    string      `json:"outcome,omitempty"`
	Why        string      `json:"why,omitempty"`      // of a refusal
	Warnings   []string    `json:"warnings,omitempty"` // what of the earlier snapshots could not be read
	Digest     string      `json:"digest,omitempty"`
	Generation string      `json:"generation,omitempty"`
	Published  bool        `json:"published,omitempty"`
	Abolished  []Abolished `json:"abolished,omitempty"`
	Warm       *WarmReport `json:"warm,omitempty"`
	Pruned     *Pruned     `json:"pruned,omitempty"`
}

// Cloud runs the steps of a rebuild. Artefacts and Runs are separate stores (or prefixes): what a run
// notes about itself is not published.
type Cloud struct {
	Artefacts, Runs store.Store
	Source          *Source

	// reopen, when set, opens the source anew for every run but the first: a function's process outlives
	// a run, and the source may have been replaced since.
	reopen func(context.Context) (*Source, error)
	// restore brings evicted snapshots back; nil where there is no research repository.
	restore func(context.Context, manifest.Entry) error

	mu   sync.Mutex
	run  string // that Source was opened for
	held Live   // as last read: one reading serves all KGs that a process builds
}

// Do runs one step. The same step again gives the same result, so the state machine may retry.
func (c *Cloud) Do(ctx context.Context, t CloudTask) (CloudAnswer, error) {
	switch t.Task {
	case "warm":
		return c.warm(ctx)
	case "prune":
		done, err := Prune(ctx, c.Artefacts, PruneOptions{})
		return CloudAnswer{Pruned: &done}, err
	}
	if t.Run == "" || strings.ContainsAny(t.Run, "/\\") {
		return CloudAnswer{}, fmt.Errorf("run %q is not the name of a run", t.Run)
	}
	source, err := c.open(ctx, t.Run)
	if err != nil {
		return CloudAnswer{}, err
	}
	switch t.Task {
	case "list":
		return c.list(ctx, t, source)
	case "kg":
		return c.kg(ctx, t, source)
	case "publish":
		return c.publish(ctx, t, source)
	}
	return CloudAnswer{}, fmt.Errorf("task %q is not one of list, kg, publish, warm, prune", t.Task)
}

// live is the generation that is served; its manifest is read once as long as the pointer stands.
func (c *Cloud) live(ctx context.Context) (Live, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l, err := readLive(ctx, c.Artefacts, c.held)
	if err == nil {
		c.held = l
	}
	return l, err
}

// open is the source of the run.
func (c *Cloud) open(ctx context.Context, run string) (*Source, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.run != "" && c.run != run && c.reopen != nil {
		s, err := c.reopen(ctx)
		if err != nil {
			return nil, err
		}
		c.Source = s
	}
	c.run = run
	return c.Source, nil
}

func (c *Cloud) list(ctx context.Context, t CloudTask, source *Source) (CloudAnswer, error) {
	type item struct {
		KGCode austria.KGCode `json:"kg_code"`
	}
	kgs := source.buildable()
	items := make([]item, len(kgs))
	for i, f := range kgs {
		items[i].KGCode = f.Code
	}
	body, err := json.Marshal(items)
	if err != nil {
		return CloudAnswer{}, err
	}
	key := t.Run + "/kgs.json"
	if _, err := c.Runs.Put(ctx, key, body, store.PutOptions{Headers: store.Headers{ContentType: "application/json"}}); err != nil {
		return CloudAnswer{}, err
	}
	return CloudAnswer{Run: t.Run, Key: "runs/" + key, KGs: len(items)}, nil
}

func (c *Cloud) kg(ctx context.Context, t CloudTask, source *Source) (CloudAnswer, error) {
	code, err := austria.ParseKGCode(t.KGCode)
	if err != nil {
		return CloudAnswer{}, err
	}
	facts, err := source.Facts(code)
	if err != nil {
		return CloudAnswer{}, err
	}
	live, err := c.live(ctx)
	if err != nil {
		return CloudAnswer{}, err
	}
	task, err := source.Task(facts, c.Artefacts)
	if err != nil {
		return CloudAnswer{}, err
	}
	task.Accept, task.AcceptGaps, task.Restore = t.Input.Accept, t.Input.AcceptGaps, c.restore
	if e, ok := live.Manifest.Find(code); ok {
		task.Live = &e
	}
	earlier, err := kgbuild.Import(ctx, c.Artefacts, source.epochs, &facts)
	if err != nil {
		return CloudAnswer{}, err
	}
	for _, n := range earlier.Notes {
		if err := c.note(ctx, t.Run, n); err != nil {
			return CloudAnswer{}, err
		}
	}
	made, err := kgbuild.Build(ctx, task)
	if err != nil {
		return CloudAnswer{}, err
	}
	r := kgbuild.ResultOf(facts, made, nil)
	a := CloudAnswer{Run: t.Run, KGCode: string(code), Digest: made.Key.String(), Outcome: r.Outcome.String(),
		Warnings: earlier.Problems[:min(len(earlier.Problems), shownProblems)]}
	if made.Quality.Verdict == rowschema.Refuse {
		a.Why = r.Err.Error()
		return a, nil // nothing to publish: the live snapshot stays
	}
	return a, c.note(ctx, t.Run, made.Key)
}

// note says that a run has made what the key names. The note's name says all, so that publishing lists the notes and
// reads none.
func (c *Cloud) note(ctx context.Context, run string, of keys.Key) error {
	_, err := c.Runs.Put(ctx, run+"/"+of.String(), nil, store.PutOptions{Headers: store.Headers{ContentType: "application/json"}})
	return err
}

// notes are what a run noted: digests, one a KG, in rising order of the code, and earlier snapshots.
func (c *Cloud) notes(ctx context.Context, run string) (out []keys.Digest, earlier []keys.Epoch, err error) {
	var newest time.Time
	prefix := run + "/"
	for info, err := range c.Runs.List(ctx, prefix+"digests/") {
		if err != nil {
			return nil, nil, err
		}
		key, err := keys.Parse(strings.TrimPrefix(info.Key, prefix))
		if epoch, ok := key.(keys.Epoch); ok {
			earlier = append(earlier, epoch)
			continue
		}
		digest, ok := key.(keys.Digest)
		if err != nil || !ok {
			return nil, nil, fmt.Errorf("%s: it names no digest", info.Key)
		}
		// A source that was replaced in the middle of a run gives a KG two digests: the later one counts.
		switch n := len(out); {
		case n == 0 || out[n-1].Code != digest.Code:
			out, newest = append(out, digest), info.Modified
		case !info.Modified.Before(newest):
			out[n-1], newest = digest, info.Modified
		}
	}
	return out, earlier, nil
}

func (c *Cloud) publish(ctx context.Context, t CloudTask, source *Source) (CloudAnswer, error) {
	made, earlier, err := c.notes(ctx, t.Run)
	if err != nil {
		return CloudAnswer{}, err
	}
	done, err := Publish(ctx, Publication{Store: c.Artefacts, Country: source.Country, Keys: made, Earlier: earlier,
		Stichtag: source.Settings.Stichtag, Accept: t.Input.Accept,
		Restore: source.Restore(c.Artefacts, c.restore)})
	return CloudAnswer{Run: t.Run, KGs: len(made), Generation: done.Generation, Published: done.Changed,
		Abolished: done.Abolished[:min(len(done.Abolished), shownAbolished)]}, err
}

// shownAbolished bounds the answer: a state machine hands on at most 256 KB.
const shownAbolished = 200
