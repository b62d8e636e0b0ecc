package jobs_test

import (
	"fmt"
	"testing"
	"time"

	"mappe/infra/oracles/dynalite"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/dynamo"
)

// TestOverDynamoDB: the same machine on the functions' ledger.
func TestOverDynamoDB(t *testing.T) {
	l, err := dynamo.Open("jobs", dynamo.Options{Endpoint: dynalite.Start(t)})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := harness{ledger: l, Queue: newQueue(t, l, jobs.Options{Types: map[string]jobs.Definition{"build": {Run: succeed}}})}
	var ids []string
	for i := range 40 {
		ids = append(ids, r.enqueue(t, fmt.Sprint(i)).ID)
	}
	p := &jobs.Pool{Queue: r.Queue, Workers: 8, Poll: 20 * time.Millisecond}
	p.Start(t.Context())
	r.finished(t, ids)
	p.Stop(t.Context())
	for _, id := range ids {
		if got := r.expect(t, id, jobs.Done); got.Attempt != 1 {
			t.Errorf("%s: want one attempt, got %d", id, got.Attempt)
		}
	}
	if n := r.open(t); n != 0 {
		t.Errorf("want no entry left, got %d", n)
	}
}
