package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"time"

	"mappe/functions/cadastre/archive"
	"mappe/localdev/disk"
	"mappe/shared/cloud/processing"
	"mappe/shared/cloud/store"
)

// Disk is a directory whose file system the health and the metrics watch.
type Disk struct{ Name, Dir string }

// leastFree is what a disk should have free: a publication of a large KG with its national tiles.
const leastFree = 1 << 30

// healthBody is the health of the server. status is ok; degraded where something needs an operator and answers go on;
// empty or unreadable where nothing can be answered.
type healthBody struct {
	Status     string         `json:"status"`
	Reasons    []string       `json:"reasons,omitempty"`
	Generation string         `json:"generation,omitempty"`
	Stichtag   string         `json:"stichtag,omitempty"`
	AgeDays    *int           `json:"age_days,omitempty"`
	KGCount    int            `json:"kg_count"`
	Disks      []diskHealth   `json:"disks,omitempty"`
	Archive    *archiveHealth `json:"archive,omitempty"`
	Queue      *queueHealth   `json:"queue,omitempty"`
}

type diskHealth struct {
	Of        string `json:"of"`
	FreeBytes uint64 `json:"free_bytes"`
	Writable  bool   `json:"writable"`
}

type archiveHealth struct {
	Reachable bool `json:"reachable"`
}

type queueHealth struct {
	Readable bool `json:"readable"`
	Queued   int  `json:"queued"`
	Running  int  `json:"running"`
}

// health is 200 when a generation is served, 503 with the reason otherwise.
func (c Config) health(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	b, status := c.healthOf(r.Context())
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(b) // the client's own doing when it stops reading
}

func (c Config) healthOf(ctx context.Context) (b healthBody, status int) {
	p, err := pointer(ctx, c.Store)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return healthBody{Status: "empty", Reasons: []string{"nothing is published yet"}}, http.StatusServiceUnavailable
	case err != nil:
		return healthBody{Status: "unreadable", Reasons: []string{"the store gives no answer: the pointer cannot be read"}},
			http.StatusServiceUnavailable
	}
	b = healthBody{Status: "ok", Generation: p.Generation, Stichtag: p.Stichtag, KGCount: p.KGCount}
	if at, err := time.Parse(time.DateOnly, p.Stichtag); err == nil {
		days := int(time.Since(at).Hours() / 24)
		b.AgeDays = &days
	}
	for _, d := range c.Disks {
		b.disk(d)
	}
	c.archiveHealth(ctx, &b)
	c.queueHealth(ctx, &b)
	return b, http.StatusOK
}

// worse says why the server needs an operator.
func (b *healthBody) worse(reason string) {
	b.Status = "degraded"
	b.Reasons = append(b.Reasons, reason)
}

func (b *healthBody) disk(d Disk) {
	h := diskHealth{Of: d.Name, Writable: disk.Writable(d.Dir) == nil}
	space, err := disk.Of(d.Dir)
	h.FreeBytes = space.Free
	b.Disks = append(b.Disks, h)
	switch {
	case !h.Writable:
		b.worse("the directory of the " + d.Name + " cannot be written: a full disk, a read-only file system, or its rights")
	case err == nil && space.Free < leastFree:
		b.worse("the disk of the " + d.Name + " has less than 1 GiB free")
	}
}

func (c Config) archiveHealth(ctx context.Context, b *healthBody) {
	if c.repository == nil {
		return
	}
	b.Archive = &archiveHealth{Reachable: c.repository.reachable(ctx)}
	if !b.Archive.Reachable {
		b.worse("the research repository gives no answer: evicted KGs cannot be brought back")
	}
}

func (c Config) queueHealth(ctx context.Context, b *healthBody) {
	if c.Processing == nil {
		return
	}
	q := &queueHealth{Readable: true}
	for _, kind := range []string{processing.Process, processing.Repair, processing.Archive} {
		queued, running, err := c.Processing.Count(ctx, kind)
		q.Queued, q.Running, q.Readable = q.Queued+queued, q.Running+running, q.Readable && err == nil
	}
	b.Queue = q
	if !q.Readable {
		b.worse("the queue of jobs cannot be read")
	}
}

// lastLook remembers for a minute whether the research repository gave an answer: a health is asked for every few seconds.
type lastLook struct {
	mirror archive.Mirror
	mu     sync.Mutex
	at     time.Time
	found  bool
}

// lookFor bounds a look at the repository.
const lookFor = 2 * time.Second

func (l *lastLook) reachable(ctx context.Context) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now(); now.Sub(l.at) > time.Minute {
		ctx, cancel := context.WithTimeout(ctx, lookFor)
		defer cancel()
		l.found, l.at = l.mirror.Reachable(ctx), now
	}
	return l.found
}
