package peer

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"connectrpc.com/connect"
	"github.com/ipfs/go-cid"
	"github.com/libp2p/go-libp2p/core/peer"

	p2p "mappe/localdev/node/api/p2p/v1alpha"
	"mappe/localdev/node/api/p2p/v1alpha/p2pconnect"
	"mappe/localdev/node/bitswap"
	"mappe/localdev/node/blob"
	"mappe/localdev/node/ident"
	"mappe/localdev/node/space"
	"mappe/localdev/node/store"
)

const (
	// maxPushes is how many pushes are taken in at a time, one of a peer.
	maxPushes = 4
	// maxPushed is the most bytes of a push that is taken in.
	maxPushed = 256 << 20
	// maxHeld is the most bytes of blobs of all pushes and pulls together that wait to be kept.
	maxHeld = 384 << 20
	// pushPatience is how long a push waits for others of its peer to end.
	pushPatience = 5 * time.Second
	// pushTime is how long a push may take.
	pushTime = 10 * time.Minute
	// announced is how many blobs one message announces: it stays below what nodes take, 8 MiB.
	announced = 100_000
)

// Push offers a peer what resources are made of, and what lies below them when asked. progress is called as the peer tells how far it
// is, last with all counted. A peer that refused blobs makes no error: they are counted as failed.
func (h *Host) Push(ctx context.Context, addrs []string, resources []ident.IRI, below bool,
	progress func(*p2p.AnnounceBlobsProgress) error) error {
	if len(resources) == 0 {
		return errors.New("resources is empty")
	}
	var ids []cid.Cid
	seen := map[cid.Cid]bool{}
	for _, r := range resources {
		part := h.Library.Material(r.Account, r.Path, below)
		if len(part) == 0 {
			return fmt.Errorf("%s: %w", r, ErrNotFound)
		}
		for _, id := range part {
			if !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
	}
	if len(ids) > space.MaxMaterial {
		return fmt.Errorf("resources: more than %d blobs; push them in parts", space.MaxMaterial)
	}
	ctx, cancel := context.WithTimeout(ctx, pushTime)
	defer cancel()
	to, err := h.Connect(ctx, addrs)
	if err != nil {
		return err
	}
	client, end := h.client(to)
	defer end()
	syncing := p2pconnect.NewSyncingClient(client, "http://peer", connect.WithGRPC(), connect.WithReadMaxBytes(maxMessage))
	sum := &p2p.AnnounceBlobsProgress{}
	for len(ids) > 0 {
		n := min(announced, len(ids))
		if err := announce(ctx, syncing, ids[:n], sum, progress); err != nil {
			return err
		}
		ids = ids[n:]
	}
	return nil
}

// slots are what is done for peers at a time: most for all together, each for one.
type slots struct {
	most, each int

	mu    sync.Mutex
	taken map[peer.ID]int
	all   int
}

func (s *slots) begin(id peer.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all >= s.most || s.taken[id] >= s.each {
		return false
	}
	if s.taken == nil {
		s.taken = map[peer.ID]int{}
	}
	s.taken[id]++
	s.all++
	return true
}

// wait is begin for one who can wait: a peer whose push was cut asks again before the end of the cut one was heard of.
func (s *slots) wait(ctx context.Context, id peer.ID, most time.Duration) bool {
	for until := time.Now().Add(most); !s.begin(id); {
		if time.Now().After(until) {
			return false
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(20 * time.Millisecond):
		}
	}
	return true
}

func (s *slots) end(id peer.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all--
	if s.taken[id]--; s.taken[id] == 0 {
		delete(s.taken, id)
	}
}

// announce offers one message's blobs and adds what the peer tells to the sum.
func announce(
	ctx context.Context, c p2pconnect.SyncingClient, ids []cid.Cid, sum *p2p.AnnounceBlobsProgress,
	progress func(*p2p.AnnounceBlobsProgress) error,
) error {
	request := &p2p.AnnounceBlobsRequest{Cids: make([]string, len(ids))}
	for i, id := range ids {
		request.Cids[i] = id.String()
	}
	stream, err := c.AnnounceBlobs(ctx, connect.NewRequest(request))
	if err != nil {
		return err
	}
	defer stream.Close()
	before := &p2p.AnnounceBlobsProgress{}
	add(before, sum)
	for stream.Receive() {
		m := stream.Msg()
		if m.BlobsAnnounced == 0 { // a last message without figures, as some nodes send it
			continue
		}
		sum.Reset()
		add(sum, before)
		add(sum, m)
		if err := progress(sum); err != nil {
			return err
		}
	}
	return stream.Err()
}

func add(to, p *p2p.AnnounceBlobsProgress) {
	to.BlobsAnnounced += p.BlobsAnnounced
	to.BlobsKnown += p.BlobsKnown
	to.BlobsWanted += p.BlobsWanted
	to.BlobsProcessed += p.BlobsProcessed
	to.BlobsFailed += p.BlobsFailed
}

// syncing answers what nodes ask of each other.
type syncing struct{ *Host }

// names reads what a push announces.
func names(texts []string) ([]cid.Cid, error) {
	if len(texts) > space.MaxMaterial {
		return nil, fmt.Errorf("cids: %d, at most %d are allowed", len(texts), space.MaxMaterial)
	}
	seen := make(map[cid.Cid]bool, len(texts))
	ids := make([]cid.Cid, len(texts))
	for i, text := range texts {
		c, err := cid.Decode(text)
		if err == nil {
			err = blob.CheckCID(c)
		}
		if err != nil {
			return nil, fmt.Errorf("cids[%d]: %w", i, err)
		}
		if seen[c] {
			return nil, fmt.Errorf("cids[%d]: %s stands twice", i, c)
		}
		seen[c], ids[i] = true, c
	}
	return ids, nil
}

// AnnounceBlobs fetches the announced blobs that are not kept here from the caller, checks and keeps them.
func (h syncing) AnnounceBlobs(
	ctx context.Context, r *connect.Request[p2p.AnnounceBlobsRequest], out *connect.ServerStream[p2p.AnnounceBlobsProgress],
) error {
	ids, err := names(r.Msg.Cids)
	if err != nil {
		return connect.NewError(connect.CodeInvalidArgument, err)
	}
	if !h.pushes.wait(ctx, caller(ctx), pushPatience) {
		return connect.NewError(connect.CodeResourceExhausted, errors.New("other pushes are being taken in: try again"))
	}
	defer h.pushes.end(caller(ctx))
	ctx, cancel := context.WithTimeout(ctx, pushTime)
	defer cancel()
	wanted := h.Library.Store.Missing(ids)
	p := &p2p.AnnounceBlobsProgress{BlobsAnnounced: int32(len(ids)), BlobsKnown: int32(len(ids) - len(wanted)),
		BlobsWanted: int32(len(wanted))}
	if err := out.Send(p); err != nil || len(wanted) == 0 {
		return err
	}
	in := &intake{host: h.Host, progress: p, announced: ids, tell: func() error { return out.Send(p) }}
	if !h.AllowPush {
		in.of = h.Known
	}
	return in.fetch(ctx, caller(ctx), wanted)
}

// intake takes blobs in as they come and keeps them in groups.
type intake struct {
	host     *Host
	progress *p2p.AnnounceBlobsProgress
	tell     func() error
	// of says whose spaces' blobs are kept; nil: everyone's. What belongs to a space is known when all has come.
	of        func(ident.Account) bool
	asked     bool      // this node asked for the blobs
	announced []cid.Cid // all names on offer, kept here or not

	group []store.Item
	size  int
	total int
}

const (
	groupBlobs = 256
	groupBytes = 8 << 20
)

// fetch gets blobs from a peer and keeps what is good. What does not come, or is refused, is counted as failed.
func (in *intake) fetch(ctx context.Context, from peer.ID, ids []cid.Cid) error {
	err := in.host.exchange.Fetch(ctx, from, ids, func(a bitswap.Arrival) error {
		if a.Data == nil {
			in.progress.BlobsFailed++
			return nil
		}
		in.group = append(in.group, store.Item{ID: a.ID, Data: a.Data})
		in.size += len(a.Data)
		held := in.host.held.Add(int64(len(a.Data)))
		if in.total += len(a.Data); in.total > maxPushed {
			return connect.NewError(connect.CodeResourceExhausted, fmt.Errorf("the push has more than %d bytes", maxPushed))
		}
		if held > maxHeld {
			return connect.NewError(connect.CodeResourceExhausted, errors.New("other pushes fill the memory: try again"))
		}
		if in.of == nil && (len(in.group) >= groupBlobs || in.size >= groupBytes) {
			return in.keep()
		}
		return nil
	})
	err = errors.Join(err, in.keep())
	if errors.Is(err, bitswap.ErrSilent) {
		in.progress.BlobsFailed = in.progress.BlobsWanted - in.progress.BlobsProcessed
		return in.tell()
	}
	return err
}

// keep writes what has come, in groups, and tells how far it is.
func (in *intake) keep() error {
	if len(in.group) == 0 {
		return nil
	}
	good, size := in.group, in.size
	defer in.host.held.Add(-int64(size))
	in.group, in.size = nil, 0
	if in.of != nil {
		all := len(good)
		good = belonging(in.of, in.asked, in.host.Library.Store, good, in.announced)
		in.progress.BlobsFailed += int32(all - len(good))
	}
	for len(good) > 0 {
		n, size := 0, 0
		for n < len(good) && n < groupBlobs && size < groupBytes {
			size += len(good[n].Data)
			n++
		}
		if err := in.write(good[:n]); err != nil {
			return err
		}
		good = good[n:]
	}
	return in.tell()
}

// write keeps a group. One is read at a time, whoever brings it: read blobs take many times their bytes.
func (in *intake) write(group []store.Item) error {
	in.host.keeping.Lock()
	_, refused, err := in.host.Library.Store.PutGood(group)
	in.host.keeping.Unlock()
	if err != nil {
		return connect.NewError(connect.CodeInternal, errors.New("the blobs could not be kept"))
	}
	for _, r := range refused {
		if r != nil {
			in.progress.BlobsFailed++
			continue
		}
		in.progress.BlobsProcessed++
		if err := in.tell(); err != nil {
			return err
		}
	}
	return nil
}
