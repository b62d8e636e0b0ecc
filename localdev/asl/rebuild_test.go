package asl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

// A rebuild with everything that goes wrong builds what is not poisoned, writes each KG once, and publishes that; exactly the poisoned ones
// are in the list of failed children, but for those whose every invocation was lost. A second run builds the rest alone.
func TestRebuildOfACountry(t *testing.T) {
	for range oracles.Rounds(t, 1) {
		synctest.Test(t, rebuild)
	}
}

func rebuild(t *testing.T) {
	c := &rebuilt{artefacts: mem.New(), built: map[austria.KGCode]int{}, died: map[austria.KGCode]bool{}}
	c.bucket, c.count, c.faults, c.run = mem.New(), map[string]int{}, true, c.task
	m := machine(t, "rebuild.asl.json", map[string]string{"BuildFunctionArn": "build", "PublishFunctionArn": "publish", "RunsBucket": "b",
		"BuildConcurrency": "40"})
	poisoned := 0
	for i := range many {
		if f := fateOf(codeOf(i)); f == never || f == flaky || f == killer {
			poisoned++
		}
	}
	x, err := m.Run(t.Context(), c.host(), "run-1", json.RawMessage(`{"accept":true}`))
	if err != nil {
		t.Fatal(err)
	}
	settle()
	var answer struct{ KGs int }
	if err := json.Unmarshal(x.Output, &answer); err != nil || answer.KGs != c.published {
		t.Errorf("the run answers %s, %v", x.Output, err)
	}
	// A function that is not heard of is invoked three times; of the well ones some are lost each time.
	run := x.Maps[0]
	if lost := run.Failed - poisoned; lost < 0 || lost > 8 || run.Succeeded+run.Failed != many || c.published < many-poisoned-lost {
		t.Errorf("%+v, %d published; %d are poisoned", run, c.published, poisoned)
	}
	if n := written(t, c.bucket, "run-1"); n["FAILED"] != run.Failed || n["SUCCEEDED"] != run.Succeeded {
		t.Errorf("the result writer lists %v of %+v", n, run)
	}
	for i := range many {
		code, f := codeOf(i), fateOf(codeOf(i))
		if bad := f == never || f == flaky || f == killer; bad && c.built[code] != 0 || c.built[code] > 1 {
			t.Errorf("KG %s of fate %d was written %d times", code, f, c.built[code])
		}
	}
	first := len(c.built)
	c.healed = true
	if _, err = m.Run(t.Context(), c.host(), "run-2", json.RawMessage(`{"accept":true}`)); err != nil {
		t.Fatal(err)
	}
	settle()
	if missing := many - len(c.built); missing > 8 || len(c.built) <= first || c.published < many-missing-8 {
		t.Errorf("after the second run %d are built, %d published", len(c.built), c.published)
	}
	for code, n := range c.built {
		if n > 1 {
			t.Errorf("KG %s was written %d times", code, n)
		}
	}
	t.Logf("run 1 %+v, faults %v", run, c.count)
}

// The machines are refused where a value is not given, or more than the package knows is asked for.
func TestTheMachinesNeedTheirValues(t *testing.T) {
	if _, err := Parse([]byte(`{"StartAt":"a","States":{"a":{"Type":"Pass","Result":"${Nothing}","End":true}}}`), nil); err == nil ||
		!strings.Contains(err.Error(), "Nothing") {
		t.Errorf("%v", err)
	}
}
