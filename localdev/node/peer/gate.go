package peer

import (
	"context"
	"fmt"
	"sync"

	"github.com/libp2p/go-libp2p/core/control"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/multiformats/go-multiaddr"
)

// gate keeps dials to peers that a gateway has named away from private networks. It is asked for each address that is dialled, after
// names were resolved: a name that looks public may lead to a private address.
type gate struct {
	mu     sync.Mutex
	public map[peer.ID]int // calls that dial the peer at public addresses only
}

func (g *gate) add(id peer.ID, n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.public == nil {
		g.public = map[peer.ID]int{}
	}
	if g.public[id] += n; g.public[id] == 0 {
		delete(g.public, id)
	}
}

// InterceptAddrDial says whether an address may be dialled.
func (g *gate) InterceptAddrDial(id peer.ID, a multiaddr.Multiaddr) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.public[id] == 0 || public(a)
}

// InterceptPeerDial lets every peer be dialled.
func (g *gate) InterceptPeerDial(peer.ID) bool { return true }

// InterceptAccept lets everyone connect.
func (g *gate) InterceptAccept(network.ConnMultiaddrs) bool { return true }

// InterceptSecured lets everyone connect.
func (g *gate) InterceptSecured(network.Direction, peer.ID, network.ConnMultiaddrs) bool { return true }

// InterceptUpgraded lets everyone connect.
func (g *gate) InterceptUpgraded(network.Conn) (bool, control.DisconnectReason) { return true, 0 }

// connectPublic connects to a peer that a gateway has named.
func (h *Host) connectPublic(ctx context.Context, info peer.AddrInfo) error {
	if h.AllowPrivate {
		return h.connect(ctx, info)
	}
	for _, a := range info.Addrs {
		if !public(a) {
			return fmt.Errorf("url: %w: the gateway's address %s is private", ErrForbidden, a)
		}
	}
	h.gate.add(info.ID, 1)
	defer h.gate.add(info.ID, -1)
	return h.connect(ctx, info)
}
