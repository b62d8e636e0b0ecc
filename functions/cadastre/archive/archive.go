package archive

import (
	"context"
	"sync"
	"time"

	"mappe/artefacts/keys"
	"mappe/functions/core/generation"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

// Mirror is the research repository, as far as an answering function looks at it.
type Mirror interface{ Reachable(context.Context) bool }

// What is asked of the repository.
const (
	reachableFor  = time.Minute // a look at it is good for so long
	reachableTime = 3 * time.Second
)

// looks remembers the last look at the repository.
type looks struct {
	mirror Mirror
	now    func() time.Time

	mu    sync.Mutex
	at    time.Time
	found bool
}

// reachable asks the repository once a minute.
func (l *looks) reachable(ctx context.Context) bool {
	if l.mirror == nil {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if !l.at.IsZero() && now.Sub(l.at) < reachableFor && !now.Before(l.at) {
		return l.found
	}
	ctx, cancel := context.WithTimeout(ctx, reachableTime)
	defer cancel()
	l.found, l.at = l.mirror.Reachable(ctx), now
	return l.found
}

type archiveStatus struct {
	Mirror      mirrorState `json:"mirror"`
	KGs         int         `json:"kgs" doc:"with a snapshot in the repository"`
	Snapshots   int         `json:"snapshots"`
	Bytes       int64       `json:"bytes" doc:"of all files of all snapshots"`
	ManifestURL string      `json:"manifest_url" doc:"the list of archived snapshots; 404 before the first"`
}

type mirrorState struct {
	Configured bool       `json:"configured" doc:"whether a research repository is set up here"`
	Reachable  bool       `json:"reachable" doc:"whether it gave an answer within the last minute"`
	LastSync   *time.Time `json:"last_sync" doc:"when a snapshot was last archived; null before the first"`
}

func (d Deps) archiveStatus() endpoint.Endpoint {
	look := &looks{mirror: d.Mirror, now: d.Now}
	status := func(ctx context.Context) (b archiveStatus, err error) {
		list, at1, err := d.Library.Archived(ctx)
		if err != nil {
			return b, generation.Fault(ctx, err)
		}
		return archiveStatus{
			Mirror: mirrorState{Configured: d.Mirror != nil, Reachable: look.reachable(ctx), LastSync: at(at1)},
			KGs:    list.KGs, Snapshots: list.Snapshots, Bytes: list.Bytes, ManifestURL: "/artefacts/" + keys.ArchiveManifest{}.String(),
		}, nil
	}
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/archive/status", ID: "archive_status", Tag: tag, Summary: "What is in the research repository",
		Doc: `Every processed snapshot is put into a research repository as a record of its own, named <kg>-<date>, with all its forms; the records of
a KG are versions of one concept, whose address leads to the latest. A record never changes. A snapshot whose data did not change under a new date
is not archived again. The status endpoint of a KG says whether its snapshot is archived yet.`,
		Cache: endpoint.Brief, Answer: endpoint.Answer{Body: archiveStatus{}}, Example: "/api/archive/status",
		Depends: func(ctx context.Context, r *endpoint.Request) (string, error) {
			b, err := status(ctx)
			if err != nil {
				return "", err
			}
			r.Memo = b
			return hashed(b)
		},
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			if b, ok := r.Memo.(archiveStatus); ok {
				return &reply.Document{Body: b}, nil
			}
			b, err := status(ctx)
			return &reply.Document{Body: b}, err
		},
	}
}
