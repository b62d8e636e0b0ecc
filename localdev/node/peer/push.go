package peer

import (
	"context"
	"errors"
	"fmt"
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
	// maxPushes is how many pushes are taken in at a time.
	maxPushes = 4
	// maxPushed is the most bytes of a push that is taken in.
	maxPushed = 256 << 20
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

// announce offers one message's blobs and adds what the peer tells to the sum.
func announce(
	ctx context.Context, c p2pconnect.SyncingClient, ids []cid.Cid, sum *p2p.AnnounceBlobsProgress, progress func(*p2p.AnnounceBlobsProgress) error,
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
	select {
	case h.pushes <- struct{}{}:
		defer func() { <-h.pushes }()
	default:
		return connect.NewError(connect.CodeResourceExhausted, errors.New("other pushes are being taken in: try again"))
	}
	ctx, cancel := context.WithTimeout(ctx, pushTime)
	defer cancel()
	wanted := h.Library.Store.Missing(ids)
	p := &p2p.AnnounceBlobsProgress{BlobsAnnounced: int32(len(ids)), BlobsKnown: int32(len(ids) - len(wanted)),
		BlobsWanted: int32(len(wanted))}
	if err := out.Send(p); err != nil || len(wanted) == 0 {
		return err
	}
	in := &intake{host: h.Host, progress: p, tell: func() error { return out.Send(p) }}
	return in.fetch(ctx, caller(ctx), wanted)
}

// intake takes blobs in as they come and keeps them in groups.
type intake struct {
	host     *Host
	progress *p2p.AnnounceBlobsProgress
	tell     func() error
	asked    bool // this node asked for the blobs: they are kept whatever their space

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
		if in.total += len(a.Data); in.total > maxPushed {
			return connect.NewError(connect.CodeResourceExhausted, fmt.Errorf("the push has more than %d bytes", maxPushed))
		}
		if in.open() && (len(in.group) >= groupBlobs || in.size >= groupBytes) {
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

// open says whether blobs are kept whatever their space is.
func (in *intake) open() bool { return in.asked || in.host.AllowPush }

// keep writes the group and tells how far it is.
func (in *intake) keep() error {
	if len(in.group) == 0 {
		return nil
	}
	good := in.group
	if !in.open() {
		good = in.host.ours(in.group)
		in.progress.BlobsFailed += int32(len(in.group) - len(good))
	}
	_, refused, err := in.host.Library.Store.PutGood(good)
	if err != nil {
		return connect.NewError(connect.CodeInternal, errors.New("the blobs could not be kept"))
	}
	in.group, in.size = nil, 0
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
	return in.tell()
}

// ours are the blobs that belong to this node's spaces: their refs and what these name, their capabilities, profiles and comments.
// Files come with them.
func (h *Host) ours(items []store.Item) []store.Item {
	blobs := map[cid.Cid]*blob.Blob{}
	for _, i := range items {
		if b, err := blob.Decode(i.Data); err == nil && i.ID.Prefix().Codec == cid.DagCBOR {
			blobs[i.ID] = b
		}
	}
	keep := map[cid.Cid]bool{}
	var queue []cid.Cid
	for id, b := range blobs {
		if owner := ownerOf(b); owner != "" && h.Known(owner) {
			keep[id] = true
			if b.Ref != nil {
				queue = append(append(queue, b.Ref.Heads...), b.Ref.Genesis)
			}
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		if b := blobs[queue[0]]; b != nil && b.Change != nil && !keep[queue[0]] {
			keep[queue[0]] = true
			queue = append(queue, b.Change.Deps...)
		}
	}
	var out []store.Item
	for _, i := range items {
		if keep[i.ID] || len(keep) > 0 && i.ID.Prefix().Codec != cid.DagCBOR {
			out = append(out, i)
		}
	}
	return out
}

// ownerOf is the account whose space a blob belongs to; changes belong to the refs that name them.
func ownerOf(b *blob.Blob) ident.Account {
	switch {
	case b.Ref != nil:
		return b.Ref.Space
	case b.Comment != nil:
		return b.Comment.Space
	case b.Profile != nil:
		return b.Profile.Account
	case b.Capability != nil, b.Contact != nil:
		return b.Signer
	}
	return ""
}
