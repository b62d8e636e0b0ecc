// Package peer is a node among its peers: libp2p over TCP and QUIC, the network's services of nodes in gRPC over a stream, blobs by
// bitswap. It dials what a caller names and nothing else; there are no bootstrap peers, no relays and no discovery.
package peer

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/libp2p/go-libp2p/core/crypto"
	"github.com/libp2p/go-libp2p/core/host"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/peerstore"
	"github.com/libp2p/go-libp2p/core/protocol"
	"github.com/multiformats/go-multiaddr"
	manet "github.com/multiformats/go-multiaddr/net"

	"mappe/localdev/node/bitswap"
	"mappe/localdev/node/ident"
	"mappe/localdev/node/space"
)

// Version is the network's; peers of another are not spoken with.
const Version = "0.9.2"

var (
	// ErrUnreachable is that of a peer that cannot be dialled.
	ErrUnreachable = errors.New("the peer cannot be reached")
	// ErrIncompatible is that of a peer that does not speak the network's protocol in this version.
	ErrIncompatible = errors.New("the peer speaks another protocol")
	// ErrForbidden is that of an address where this node does not go, or of a push that it does not take.
	ErrForbidden = errors.New("not allowed")
	// ErrNotFound is that of a resource that is neither here nor, for a pull, there.
	ErrNotFound = errors.New("there is no such resource")
)

// dialTimeout is how long connecting may take.
const dialTimeout = 20 * time.Second

// Config says how a node meets its peers.
type Config struct {
	Key     ed25519.PrivateKey
	Listen  []string // multiaddresses
	Tell    []string // multiaddresses that are told in place of those listened at
	Testnet string
	Library *space.Library
	// Known says whether a space is one of this node's: pushes of others are refused unless AllowPush.
	Known     func(ident.Account) bool
	AllowPush bool
	// Gateways are the hosts, with their ports unless 443, that ForceSync may ask over HTTPS for their peer.
	Gateways []string
	// AllowPrivate lets ForceSync go to addresses of private networks, and to gateways over plain HTTP.
	AllowPrivate bool

	resolver network.MultiaddrDNSResolver // nil: the machine's
}

// Host is a node among its peers.
type Host struct {
	Config
	host host.Host
	// identified waits until the other side of a connection has told what it speaks.
	identified func(network.Conn) <-chan struct{}
	exchange   *bitswap.Exchange
	protocol   protocol.ID
	started    time.Time
	pushes     slots
	calls      slots
	held       atomic.Int64 // bytes of blobs that wait to be kept
	keeping    sync.Mutex   // held while blobs of others are read and kept
	gate       gate

	mu    sync.Mutex
	named map[peer.ID]bool // peers that a call of this machine has named

	close []func() error
}

// New listens and answers.
func New(c Config) (*Host, error) {
	h := &Host{Config: c, protocol: protocol.ID("/hypermedia/" + Version), started: time.Now(), named: map[peer.ID]bool{},
		pushes: slots{most: maxPushes, each: 1}, calls: slots{most: maxCalls, each: maxCallsEach}}
	if c.Testnet != "" {
		h.protocol += protocol.ID("-" + c.Testnet)
	}
	key, err := crypto.UnmarshalEd25519PrivateKey(c.Key)
	if err != nil {
		return nil, err
	}
	if err := h.listen(key); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	h.exchange = bitswap.New(h.host, c.Library.Store)
	h.close = append(h.close, func() error { h.exchange.Close(); return nil }, h.serve(h.services()))
	return h, nil
}

// Close ends everything.
func (h *Host) Close() error {
	var err error
	for _, c := range slices.Backward(h.close) {
		err = errors.Join(err, c())
	}
	h.close = nil
	return err
}

// ID is the peer's id.
func (h *Host) ID() peer.ID { return h.host.ID() }

// Protocol is the name of the protocol of nodes.
func (h *Host) Protocol() string { return string(h.protocol) }

// Addrs are the addresses of this node, with its id.
func (h *Host) Addrs() []string {
	var out []string
	for _, a := range h.host.Addrs() {
		out = append(out, a.String()+"/p2p/"+h.ID().String())
	}
	slices.Sort(out)
	return out
}

// target reads the addresses of one peer: multiaddresses with /p2p/, or the id of a known peer alone.
func target(addrs []string) (peer.AddrInfo, error) {
	if len(addrs) == 0 {
		return peer.AddrInfo{}, errors.New("addrs is empty")
	}
	if len(addrs) > 64 {
		return peer.AddrInfo{}, errors.New("addrs: more than 64")
	}
	var info peer.AddrInfo
	for i, text := range addrs {
		if !strings.Contains(text, "/") {
			text = "/p2p/" + text
		}
		one, err := peer.AddrInfoFromString(text)
		if err != nil {
			return info, fmt.Errorf("addrs[%d] %.200q: expected a multiaddress with /p2p/, or the id of a peer: %w", i, text, err)
		}
		if info.ID != "" && info.ID != one.ID {
			return info, fmt.Errorf("addrs[%d]: the addresses are of two peers", i)
		}
		info.ID = one.ID
		info.Addrs = append(info.Addrs, one.Addrs...)
	}
	return info, nil
}

// Connect dials a peer by its addresses and holds it to the network's protocol.
func (h *Host) Connect(ctx context.Context, addrs []string) (peer.ID, error) {
	info, err := target(addrs)
	if err != nil {
		return "", err
	}
	return info.ID, h.connect(ctx, info)
}

func (h *Host) connect(ctx context.Context, info peer.AddrInfo) error {
	if info.ID == h.ID() {
		return fmt.Errorf("%w: it is this node itself", ErrUnreachable)
	}
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	if err := h.host.Connect(ctx, info); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrUnreachable, info.ID, brief(err))
	}
	// Where another caller has connected at the same time, what the peer speaks is not known yet.
	for _, c := range h.host.Network().ConnsToPeer(info.ID) {
		select {
		case <-h.identified(c):
		case <-ctx.Done():
			return fmt.Errorf("%w: %s does not say what it speaks", ErrUnreachable, info.ID)
		}
	}
	protocols, err := h.host.Peerstore().GetProtocols(info.ID)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	if !slices.Contains(protocols, h.protocol) {
		return fmt.Errorf("%w: expected %s, it has %v", ErrIncompatible, h.protocol, spoken(protocols))
	}
	h.host.Peerstore().AddAddrs(info.ID, info.Addrs, peerstore.PermanentAddrTTL)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.named[info.ID] = true
	return nil
}

// brief is the first line of an error of libp2p, which lists every address.
func brief(err error) error {
	text, _, _ := strings.Cut(err.Error(), "\n")
	return errors.New(text)
}

func spoken(all []protocol.ID) []protocol.ID {
	return slices.DeleteFunc(slices.Clone(all), func(p protocol.ID) bool { return !strings.HasPrefix(string(p), "/hypermedia/") })
}

// Info is what is known of a peer.
type Info struct {
	ID        peer.ID
	Addrs     []string
	Connected bool
	Direct    bool // this node has dialled it
	Protocol  string
}

// Connected are the peers to which there is a connection and that speak the network's protocol.
func (h *Host) Connected() []peer.ID {
	var out []peer.ID
	for _, id := range h.host.Network().Peers() {
		if i := h.info(id); i.Protocol == string(h.protocol) {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

// Asked are the connected peers that are asked for resources: those that a call of this machine has named. Who has only connected to
// this node is a stranger.
func (h *Host) Asked() []peer.ID {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.DeleteFunc(h.Connected(), func(id peer.ID) bool { return !h.named[id] })
}

// Peers are those that were met since the start, in the order of their ids.
func (h *Host) Peers() []Info {
	var out []Info
	for _, id := range h.host.Peerstore().PeersWithAddrs() {
		if id != h.ID() {
			out = append(out, h.info(id))
		}
	}
	slices.SortFunc(out, func(a, b Info) int { return strings.Compare(a.ID.String(), b.ID.String()) })
	return out
}

// Peer is what is known of one peer.
func (h *Host) Peer(text string) (Info, error) {
	id, err := peer.Decode(text)
	if err != nil {
		return Info{}, fmt.Errorf("device_id %.100q is no peer's id: %w", text, err)
	}
	if id == h.ID() {
		return Info{ID: id, Addrs: h.Addrs(), Protocol: h.Protocol()}, nil
	}
	i := h.info(id)
	if !i.Connected && len(i.Addrs) == 0 {
		return i, fmt.Errorf("peer %s: %w", id, ErrNotFound)
	}
	return i, nil
}

func (h *Host) info(id peer.ID) Info {
	i := Info{ID: id, Connected: h.host.Network().Connectedness(id) == network.Connected}
	for _, a := range h.host.Peerstore().Addrs(id) {
		i.Addrs = append(i.Addrs, a.String()+"/p2p/"+id.String())
	}
	slices.Sort(i.Addrs)
	for _, c := range h.host.Network().ConnsToPeer(id) {
		i.Direct = i.Direct || c.Stat().Direction == network.DirOutbound
	}
	protocols, err := h.host.Peerstore().GetProtocols(id)
	if p := spoken(protocols); err == nil && len(p) > 0 {
		i.Protocol = string(p[0])
	}
	return i
}

// translated are the addresses that lead to IPv4 addresses, of whatever network, where a translator stands between.
var translated = []netip.Prefix{netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"),
	netip.MustParsePrefix("2002::/16")}

// public says whether an address lies in no private network. A name does as long as nobody has resolved it.
func public(a multiaddr.Multiaddr) bool {
	if ip, err := manet.ToIP(a); err == nil {
		if addr, ok := netip.AddrFromSlice(ip); ok && slices.ContainsFunc(translated,
			func(p netip.Prefix) bool { return p.Contains(addr) }) {
			return false
		}
	}
	return manet.IsPublicAddr(a)
}
