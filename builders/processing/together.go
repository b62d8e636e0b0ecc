package processing

import (
	"context"
	"sync"

	"mappe/builders/national"
)

// together publishes what the workers of a process have built: while one publication is under way the KGs that become
// ready wait, and then go into the next one together, in place of swapping the pointer against each other.
type together struct {
	mu      sync.Mutex
	busy    bool
	waiting []*part
}

// part is what one job publishes.
type part struct {
	publication national.Publication
	ctx         context.Context // of the job
	done        chan struct{}
	result      national.Published
	err         error
}

// publish publishes a part, with others or alone.
func (t *together) publish(ctx context.Context, p national.Publication) (national.Published, error) {
	own := &part{publication: p, ctx: ctx, done: make(chan struct{})}
	t.mu.Lock()
	t.waiting = append(t.waiting, own)
	first := !t.busy
	t.busy = true
	t.mu.Unlock()
	if first {
		t.work()
	}
	<-own.done // it is published or has failed, whoever did it: nobody leaves a publication that may come true
	return own.result, own.err
}

// work publishes until nobody waits.
func (t *together) work() {
	for {
		t.mu.Lock()
		parts := t.waiting
		t.waiting = nil
		if t.busy = len(parts) > 0; !t.busy {
			t.mu.Unlock()
			return
		}
		t.mu.Unlock()
		for len(parts) > 0 {
			n := alike(parts)
			publishParts(parts[:n])
			parts = parts[n:]
		}
	}
}

// alike counts the first parts that go into one publication: those of the same date. Parts without a date keep that of
// their snapshots.
func alike(parts []*part) int {
	n := 1
	for n < len(parts) && parts[n].publication.Stichtag == parts[0].publication.Stichtag {
		n++
	}
	return n
}

// publishParts publishes parts together; where that fails, each alone, so that one does not fail the others.
func publishParts(parts []*part) {
	all := parts[0].publication
	for _, p := range parts[1:] {
		all.Digests = append(all.Digests[:len(all.Digests):len(all.Digests)], p.publication.Digests...)
	}
	ctx := parts[0].ctx
	if len(parts) > 1 { // the end of one job does not end the publication of the others
		ctx = context.WithoutCancel(ctx)
	}
	done, err := national.Publish(ctx, all)
	for _, p := range parts {
		p.result, p.err = done, err
		if err != nil && len(parts) > 1 {
			p.result, p.err = national.Publish(p.ctx, p.publication)
		}
		close(p.done)
	}
}
