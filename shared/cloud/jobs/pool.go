package jobs

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// Pool runs jobs of the queue's types in goroutines of this process.
type Pool struct {
	Queue   *Queue
	Workers int           // 2
	Poll    time.Duration // how often to look for jobs that other processes enqueued or lost; 1 second

	stop   context.CancelFunc // no further jobs
	cancel context.CancelFunc // and none of those under way
	ended  sync.WaitGroup
}

// Start begins to work; ctx ends everything at once.
func (p *Pool) Start(ctx context.Context) {
	if p.Workers <= 0 {
		p.Workers = 2
	}
	if p.Poll <= 0 {
		p.Poll = time.Second
	}
	var working, taking context.Context
	working, p.cancel = context.WithCancel(ctx)
	taking, p.stop = context.WithCancel(working)
	types := p.Queue.handled()
	if len(types) == 0 {
		return
	}
	p.ended.Go(func() { p.sweep(taking) })
	for i := range p.Workers {
		own := slices.Concat(types[i%len(types):], types[:i%len(types)]) // no type is everybody's last
		p.ended.Go(func() { p.work(taking, working, own) })
	}
}

// Stop takes no further jobs and waits for those under way until ctx ends; then they are stopped and go
// back into the queue. It returns when nothing runs any more.
func (p *Pool) Stop(ctx context.Context) {
	if p.stop == nil {
		return // it was never started
	}
	p.stop()
	done := make(chan struct{})
	go func() {
		p.ended.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
	p.cancel()
	<-done
}

// sweepEvery is how often a pool sweeps.
const sweepEvery = 10 * time.Minute

// sweep removes what is over, now and then.
func (p *Pool) sweep(taking context.Context) {
	t := time.NewTicker(sweepEvery)
	defer t.Stop()
	for {
		if _, err := p.Queue.Sweep(taking); err != nil && taking.Err() == nil {
			p.Queue.log.Error("stored payloads were not swept", "error", err)
		}
		select {
		case <-taking.Done():
			return
		case <-t.C:
		}
	}
}

// work is one worker: it takes jobs as long as there are any, and looks again after a while.
func (p *Pool) work(taking, working context.Context, types []string) {
	for taking.Err() == nil {
		if p.one(working, types) {
			p.Queue.wakeUp() // there may be more for others
			continue
		}
		t := time.NewTimer(p.Poll)
		select {
		case <-taking.Done():
		case <-p.Queue.awake:
		case <-t.C:
		}
		t.Stop()
	}
}

// one does a job of the first type that has one.
func (p *Pool) one(working context.Context, types []string) bool {
	for _, jobType := range types {
		l, err := p.Queue.claim(working, jobType) // not cut short by Stop: that would leave a lease behind
		if err != nil && working.Err() == nil {
			p.Queue.log.Error("open jobs could not be read", "type", jobType, "error", err)
		}
		if l == nil {
			continue
		}
		id := l.state().ID
		if err := p.Queue.carryOut(working, l); err != nil && !errors.Is(err, ErrAgain) {
			p.Queue.log.Error("a job was not carried out", "job", id, "error", err)
		}
		return true
	}
	return false
}

// handled are the types that have a handler here, in order of name.
func (q *Queue) handled() []string {
	var types []string
	for name, k := range q.types {
		if k.Run != nil {
			types = append(types, name)
		}
	}
	slices.Sort(types)
	return types
}
