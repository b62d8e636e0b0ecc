package national

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgdocs"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// CloudTask is one step of the rebuild state machine (infra/rebuild.asl.json): list writes the KGs of
// a run, kg builds one, publish merges what the run built and moves the pointer.
type CloudTask struct {
	Task   string `json:"task"` // list, kg or publish
	Run    string `json:"run"`
	KGCode string `json:"kg_code,omitempty"`
}

// CloudAnswer is what the state machine hands on.
type CloudAnswer struct {
	Run        string `json:"run"`
	Key        string `json:"key,omitempty"` // list: where the KGs stand
	KGs        int    `json:"kgs,omitempty"`
	KGCode     string `json:"kg_code,omitempty"`
	Outcome    string `json:"outcome,omitempty"`
	Digest     string `json:"digest,omitempty"`
	Generation string `json:"generation,omitempty"`
	Published  bool   `json:"published,omitempty"`
}

// Cloud runs the steps of a rebuild. Artefacts and Runs are separate stores (or prefixes): what a run
// notes about itself is not published.
type Cloud struct {
	Artefacts, Runs store.Store
	Source          *Source

	// reopen, when set, opens the source anew for every run but the first: a function's process outlives
	// a run, and the source may have been replaced since.
	reopen func(context.Context) (*Source, error)
	mu     sync.Mutex
	run    string // that Source was opened for
}

// Do runs one step. The same step again gives the same result, so the state machine may retry.
func (c *Cloud) Do(ctx context.Context, t CloudTask) (CloudAnswer, error) {
	if t.Run == "" || strings.ContainsAny(t.Run, "/\\") {
		return CloudAnswer{}, fmt.Errorf("run %q is not the name of a run", t.Run)
	}
	if err := c.open(ctx, t.Run); err != nil {
		return CloudAnswer{}, err
	}
	switch t.Task {
	case "list":
		return c.list(ctx, t)
	case "kg":
		return c.kg(ctx, t)
	case "publish":
		return c.publish(ctx, t)
	}
	return CloudAnswer{}, fmt.Errorf("task %q is not one of list, kg, publish", t.Task)
}

// open makes sure that the source is that of the run.
func (c *Cloud) open(ctx context.Context, run string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.run != "" && c.run != run && c.reopen != nil {
		s, err := c.reopen(ctx)
		if err != nil {
			return err
		}
		c.Source = s
	}
	c.run = run
	return nil
}

func (c *Cloud) list(ctx context.Context, t CloudTask) (CloudAnswer, error) {
	type item struct {
		KGCode austria.KGCode `json:"kg_code"`
	}
	items := make([]item, len(c.Source.KGs))
	for i, f := range c.Source.KGs {
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

func (c *Cloud) kg(ctx context.Context, t CloudTask) (CloudAnswer, error) {
	code, err := austria.ParseKGCode(t.KGCode)
	if err != nil {
		return CloudAnswer{}, err
	}
	facts, err := c.Source.choose([]austria.KGCode{code})
	if err != nil {
		return CloudAnswer{}, err
	}
	live, err := ReadLive(ctx, c.Artefacts)
	if err != nil {
		return CloudAnswer{}, err
	}
	task, err := c.Source.Task(facts[0], c.Artefacts)
	if err != nil {
		return CloudAnswer{}, err
	}
	if e, ok := live.Manifest.Find(code); ok {
		task.Live = &e
	}
	made, err := BuildKG(ctx, task)
	if err != nil {
		return CloudAnswer{}, err
	}
	a := CloudAnswer{Run: t.Run, KGCode: string(code), Digest: made.Key.String(), Outcome: resultOf(facts[0], made, nil).Outcome.String()}
	if made.Quality.Verdict == kgdocs.Refuse {
		return a, nil // nothing to publish: the live snapshot stays
	}
	note, err := json.Marshal(a)
	if err != nil {
		return CloudAnswer{}, err
	}
	_, err = c.Runs.Put(ctx, t.Run+"/digests/"+string(code)+".json", note, store.PutOptions{Headers: store.Headers{ContentType: "application/json"}})
	return a, err
}

func (c *Cloud) publish(ctx context.Context, t CloudTask) (CloudAnswer, error) {
	var made []Made
	for info, err := range c.Runs.List(ctx, t.Run+"/digests/") {
		if err != nil {
			return CloudAnswer{}, err
		}
		b, err := read(ctx, c.Runs, info.Key)
		if err != nil {
			return CloudAnswer{}, err
		}
		var note CloudAnswer
		if err := json.Unmarshal(b, &note); err != nil {
			return CloudAnswer{}, fmt.Errorf("%s: %w", info.Key, err)
		}
		key, err := keys.Parse(note.Digest)
		digest, ok := key.(keys.Digest)
		if err != nil || !ok {
			return CloudAnswer{}, fmt.Errorf("%s: %q is no digest", info.Key, note.Digest)
		}
		d, err := readDigest(ctx, c.Artefacts, digest)
		if err != nil {
			return CloudAnswer{}, err
		}
		made = append(made, Made{Digest: d, Key: digest, Reused: true})
	}
	generation, published, err := Publish(ctx, Publication{Store: c.Artefacts, Country: c.Source.Country, Digests: made, Observer: Silent{}})
	return CloudAnswer{Run: t.Run, KGs: len(made), Generation: generation, Published: published}, err
}
