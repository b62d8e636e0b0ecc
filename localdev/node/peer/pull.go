package peer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"connectrpc.com/connect"
	"github.com/ipfs/go-cid"
	"github.com/libp2p/go-libp2p/core/peer"
	manet "github.com/multiformats/go-multiaddr/net"

	p2p "mappe/localdev/node/api/p2p/v1alpha"
	"mappe/localdev/node/api/p2p/v1alpha/p2pconnect"
	"mappe/localdev/node/blob"
	"mappe/localdev/node/ident"
	"mappe/localdev/node/space"
)

const (
	// maxListed is how many names of blobs one answer lists: it stays below what nodes take, 8 MiB.
	maxListed = 150_000
	// configTime and configSize bound what a gateway tells of itself.
	configTime = 10 * time.Second
	// listTime is how long a peer may take to list what a resource is made of.
	listTime   = time.Minute
	configSize = 64 << 10
)

// ReconcileBlobs lists all blobs of the resources, whatever the caller has: it finds out what it lacks.
func (h syncing) ReconcileBlobs(
	_ context.Context, r *connect.Request[p2p.ReconcileBlobsRequest],
) (*connect.Response[p2p.ReconcileBlobsResponse], error) {
	if len(r.Msg.Filters) == 0 || len(r.Msg.Filters) > 100 {
		return nil, connect.NewError(connect.CodeInvalidArgument, errors.New("filters: expected 1 to 100 resources"))
	}
	all := &p2p.SetReconciliationRange{Mode: p2p.SetReconciliationRange_LIST, BoundTimestamp: math.MaxInt64}
	seen := map[cid.Cid]bool{}
	for i, f := range r.Msg.Filters {
		iri, err := ident.ParseIRI(f.Resource)
		if err != nil {
			return nil, connect.NewError(connect.CodeInvalidArgument, fmt.Errorf("filters[%d]: %w", i, err))
		}
		for _, id := range h.Library.Material(iri.Account, iri.Path, f.Recursive) {
			if !seen[id] && len(all.Values) < maxListed {
				seen[id] = true
				all.Values = append(all.Values, id.Bytes())
			}
		}
	}
	return connect.NewResponse(&p2p.ReconcileBlobsResponse{Ranges: []*p2p.SetReconciliationRange{all}}), nil
}

// known tells of other peers: none. Who uses this node is nobody's business.
type known struct{ *Host }

func (known) ListPeers(context.Context, *connect.Request[p2p.ListPeersRequest]) (*connect.Response[p2p.ListPeersResponse], error) {
	return connect.NewResponse(&p2p.ListPeersResponse{}), nil
}

// Pull fetches what a resource is made of from a connected peer, and what lies below it when asked. What the peer lists and does not
// belong to the resource's account is not kept. It gives how many blobs were new.
func (h *Host) Pull(ctx context.Context, from peer.ID, iri ident.IRI, below bool) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, pushTime)
	defer cancel()
	client, end := h.client(from)
	defer end()
	c := p2pconnect.NewSyncingClient(client, "http://peer", connect.WithGRPC(), connect.WithReadMaxBytes(maxMessage))
	iri.Version, iri.Latest, iri.Block = nil, false, ""
	listing, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	answer, err := c.ReconcileBlobs(listing, connect.NewRequest(&p2p.ReconcileBlobsRequest{
		Filters: []*p2p.Filter{{Resource: iri.String(), Recursive: below}},
		Ranges:  []*p2p.SetReconciliationRange{{Mode: p2p.SetReconciliationRange_LIST, BoundTimestamp: math.MaxInt64}},
	}))
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	ids := listed(answer.Msg.Ranges)
	missing := h.Library.Store.Missing(ids)
	if len(missing) == 0 {
		return 0, nil
	}
	p := &p2p.AnnounceBlobsProgress{BlobsWanted: int32(len(missing))}
	in := &intake{host: h, progress: p, announced: ids, asked: true, tell: func() error { return nil },
		of: func(a ident.Account) bool { return a == iri.Account }}
	if err := in.fetch(ctx, from, missing); err != nil {
		return int(p.BlobsProcessed), fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	return int(p.BlobsProcessed), nil
}

// listed are the names of an answer, each once.
func listed(ranges []*p2p.SetReconciliationRange) []cid.Cid {
	var ids []cid.Cid
	seen := map[cid.Cid]bool{}
	for _, r := range ranges {
		for _, v := range r.Values {
			if id, err := cid.Cast(v); err == nil && blob.CheckCID(id) == nil && !seen[id] && len(ids) < space.MaxMaterial {
				seen[id] = true
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// Sync fetches a resource by its address: hm://... from every connected peer that a call has named, https://HOST/hm/ACCOUNT/PATH from
// the peer of a gateway that this node was told of. ErrNotFound when nobody had it; the peers' errors when none of them could be asked,
// whatever is kept here.
func (h *Host) Sync(ctx context.Context, address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return fmt.Errorf("url: %w", err)
	}
	var iri ident.IRI
	var from []peer.ID
	switch u.Scheme {
	case "hm":
		iri, err = ident.ParseIRI(address)
		from = h.Asked()
	case "http", "https":
		rest, ok := strings.CutPrefix(u.Path, "/hm/")
		if !ok {
			return fmt.Errorf("url %.200q: expected https://HOST/hm/ACCOUNT/PATH", address)
		}
		if iri, err = ident.ParseIRI("hm://" + rest); err == nil {
			from, err = h.gateway(ctx, u)
		}
	default:
		return fmt.Errorf("url %.200q: expected hm://ACCOUNT/PATH or https://HOST/hm/ACCOUNT/PATH", address)
	}
	if err != nil {
		return err
	}
	if len(from) == 0 {
		return fmt.Errorf("%w: there is no connection to a peer; call Connect first", ErrUnreachable)
	}
	var failed error
	asked := false
	for _, id := range from {
		_, err := h.Pull(ctx, id, iri, false)
		failed, asked = errors.Join(failed, err), asked || err == nil
	}
	if !asked {
		return failed
	}
	if _, err := h.Library.Document(iri.Account, iri.Path); err == nil {
		return nil
	}
	return errors.Join(fmt.Errorf("%s: %w", iri, ErrNotFound), failed)
}

// SyncAll fetches what is new in spaces from every connected peer that a call has named. A peer that cannot be reached for one space is
// not asked for the others. The errors are those of all peers.
func (h *Host) SyncAll(ctx context.Context, spaces []ident.Account) error {
	var failed error
	for _, id := range h.Asked() {
		for _, account := range spaces {
			_, err := h.Pull(ctx, id, ident.IRI{Account: account}, true)
			if failed = errors.Join(failed, err); errors.Is(err, ErrUnreachable) {
				break
			}
		}
	}
	return failed
}

// gateway connects to the peer of a gateway.
func (h *Host) gateway(ctx context.Context, u *url.URL) ([]peer.ID, error) {
	if !slices.ContainsFunc(h.Gateways, func(g string) bool { return strings.EqualFold(g, u.Host) }) {
		return nil, fmt.Errorf("url: %w: %.200q is no gateway that this node was told of (flag syncing.gateways)", ErrForbidden, u.Host)
	}
	if u.Scheme != "https" && !h.AllowPrivate {
		return nil, fmt.Errorf("url: %w: gateways are asked over https", ErrForbidden)
	}
	info, err := h.config(ctx, u.Scheme+"://"+u.Host+"/hm/api/config")
	if err != nil {
		return nil, err
	}
	return []peer.ID{info.ID}, h.connectPublic(ctx, info)
}

// config reads what a gateway tells of itself. Addresses are checked where they are dialled, after names were resolved.
func (h *Host) config(ctx context.Context, address string) (peer.AddrInfo, error) {
	dialer := &net.Dialer{Timeout: configTime, Control: func(_, address string, _ syscall.RawConn) error {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return err
		}
		a, err := manet.FromIP(net.ParseIP(host))
		if err == nil && !h.AllowPrivate && !public(a) {
			err = fmt.Errorf("%w: %s is a private address", ErrForbidden, host)
		}
		return err
	}}
	client := &http.Client{Timeout: configTime, Transport: &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return peer.AddrInfo{}, err
	}
	answer, err := client.Do(request)
	if err != nil {
		return peer.AddrInfo{}, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	defer answer.Body.Close()
	var config struct {
		PeerID string   `json:"peerId"`
		Addrs  []string `json:"addrs"`
	}
	if answer.StatusCode != http.StatusOK {
		return peer.AddrInfo{}, fmt.Errorf("%w: %s answers %s", ErrUnreachable, address, answer.Status)
	}
	if err := json.NewDecoder(io.LimitReader(answer.Body, configSize)).Decode(&config); err != nil {
		return peer.AddrInfo{}, fmt.Errorf("%w: %s is no configuration of a node", ErrUnreachable, address)
	}
	info, err := target(config.Addrs)
	if err != nil {
		return info, fmt.Errorf("%w: %s: %w", ErrUnreachable, address, err)
	}
	return info, nil
}
