package asl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mappe/infra/oracles"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// rebuilt is a country whose KGs are small: what builds them keeps the contract of national.Cloud (a list, an object a KG under an
// immutable name with a note of the run, a publication of what is noted), and takes no time of the processor.
type rebuilt struct {
	cloud
	artefacts *mem.Store
	mu        sync.Mutex
	built     map[austria.KGCode]int
	died      map[austria.KGCode]bool
	published int // KGs
	healed    bool
}

type errPoisoned struct{}

func (errPoisoned) Error() string { return "the geometry of the KG cannot be mended" }

func (c *rebuilt) task(ctx context.Context, function string, payload json.RawMessage, l *life) (any, error) {
	var t struct {
		Task, Run string
		KG        austria.KGCode `json:"kg_code"`
		Input     struct{ Accept bool }
	}
	if err := json.Unmarshal(payload, &t); err != nil {
		return nil, err
	}
	if !t.Input.Accept || (function == "publish") != (t.Task == "publish") {
		return nil, fmt.Errorf("%s is asked for %s", function, payload)
	}
	runs := shaky{Store: c.bucket, life: l, refuse: 300}
	switch t.Task {
	case "list":
		type item struct {
			KG austria.KGCode `json:"kg_code"`
		}
		var items []item
		for i := range many {
			items = append(items, item{codeOf(i)})
		}
		body, _ := json.Marshal(items)
		_, err := runs.Put(ctx, "runs/"+t.Run+"/kgs.json", body, store.PutOptions{})
		return map[string]any{"run": t.Run, "key": "runs/" + t.Run + "/kgs.json"}, err
	case "kg":
		return c.build(ctx, runs, t.Run, t.KG, l)
	case "publish":
		if _, err := runs.Put(ctx, "runs/"+t.Run+"/publishing", nil, store.PutOptions{}); err != nil {
			return nil, err
		}
		n := 0
		for range c.bucket.List(ctx, "runs/"+t.Run+"/digests/") {
			n++
		}
		c.mu.Lock() // an invocation may run twice at once
		c.published = n
		c.mu.Unlock()
		return map[string]any{"run": t.Run, "kgs": n}, nil
	}
	return nil, fmt.Errorf("task %s", t.Task)
}

func (c *rebuilt) build(ctx context.Context, runs shaky, run string, code austria.KGCode, l *life) (any, error) {
	if f := fateOf(code); !c.healed && (f == never || f == flaky) {
		return nil, errPoisoned{}
	} else if !c.healed && f == killer {
		return nil, &Error{"Runtime.ExitError", "signal: killed"}
	}
	artefacts := shaky{Store: c.artefacts, life: l, refuse: 300}
	key := "digests/" + string(code)
	if _, err := artefacts.Head(ctx, key); errors.Is(err, store.ErrNotFound) {
		select {
		case <-time.After(time.Minute):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		// Two invocations at once build the KG both: the bytes are the same, and one writes them.
		_, err := artefacts.Put(ctx, key, []byte(code), store.PutOptions{IfMatch: store.Absent})
		c.mu.Lock()
		if err == nil {
			c.built[code]++
		}
		c.died[code] = c.died[code] || l.died()
		c.mu.Unlock()
		if err != nil && !errors.Is(err, store.ErrPrecondition) {
			return nil, err
		}
	} else if err != nil {
		return nil, err
	}
	_, err := runs.Put(ctx, "runs/"+run+"/"+key, nil, store.PutOptions{})
	return map[string]any{"kg_code": code}, err
}

// A rebuild with everything that goes wrong builds what is not poisoned, writes each KG once, and publishes that; the list of failed
// children are the poisoned ones. A second run builds those alone, once they are healed, and publishes all.
func TestRebuildOfACountry(t *testing.T) {
	for range oracles.Rounds(t, 1) {
		synctest.Test(t, rebuild)
	}
}

func rebuild(t *testing.T) {
	c := &rebuilt{artefacts: mem.New(), built: map[austria.KGCode]int{}, died: map[austria.KGCode]bool{}}
	c.bucket, c.count, c.faults, c.run = mem.New(), map[string]int{}, true, c.task
	var poisoned []austria.KGCode
	for i := range many {
		if f := fateOf(codeOf(i)); f == never || f == flaky || f == killer {
			poisoned = append(poisoned, codeOf(i))
		}
	}
	c.rebuilds(t, "run-1", poisoned)
	for _, code := range poisoned {
		if c.built[code] != 0 {
			t.Errorf("KG %s is poisoned and was written", code)
		}
	}
	c.healed = true
	c.rebuilds(t, "run-2", nil)
	if len(c.built) != many {
		t.Errorf("after the second run %d KGs are built, want %d", len(c.built), many)
	}
	for code, n := range c.built {
		if n != 1 {
			t.Errorf("KG %s was written %d times, want once", code, n)
		}
	}
	t.Logf("faults %v", c.count)
}

// rebuilds runs the machine, which must fail for exactly the KGs that are given and publish all others.
func (c *rebuilt) rebuilds(t *testing.T, name string, fail []austria.KGCode) {
	t.Helper()
	m := machine(t, "rebuild.asl.json", map[string]string{"BuildFunctionArn": "build", "PublishFunctionArn": "publish", "RunsBucket": "b",
		"BuildConcurrency": "40"})
	x, err := m.Run(t.Context(), c.host(), name, json.RawMessage(`{"accept":true}`))
	if err != nil {
		t.Fatal(err)
	}
	settle()
	var answer struct{ KGs int }
	if err := json.Unmarshal(x.Output, &answer); err != nil || answer.KGs != many-len(fail) || c.published != answer.KGs {
		t.Errorf("%s answers %s, %v, and has published %d; want %d KGs", name, x.Output, err, c.published, many-len(fail))
	}
	if run := x.Maps[0]; run.Failed != len(fail) || run.Succeeded != many-len(fail) {
		t.Errorf("%s: %+v, want %d that fail of %d", name, run, len(fail), many)
	}
	n := written(t, c.bucket, name)
	if !slices.Equal(n["FAILED"], fail) {
		t.Errorf("%s lists %v as failed, want %v", name, n["FAILED"], fail)
	}
	if len(n["SUCCEEDED"]) != many-len(fail) || len(n["PENDING"]) != 0 {
		t.Errorf("%s lists %d that succeeded and %d that were not begun, want %d and none", name, len(n["SUCCEEDED"]), len(n["PENDING"]),
			many-len(fail))
	}
}

// The machines are refused where a value is not given, or more than the package knows is asked for.
func TestTheMachinesNeedTheirValues(t *testing.T) {
	if _, err := Parse([]byte(`{"StartAt":"a","States":{"a":{"Type":"Pass","Result":"${Nothing}","End":true}}}`), nil); err == nil ||
		!strings.Contains(err.Error(), "Nothing") {
		t.Errorf("%v", err)
	}
}
