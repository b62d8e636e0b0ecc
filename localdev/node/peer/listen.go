package peer

import (
	"crypto/rand"
	"fmt"

	"github.com/libp2p/go-libp2p/core/crypto"
	"github.com/libp2p/go-libp2p/core/event"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/sec"
	"github.com/libp2p/go-libp2p/core/transport"
	basichost "github.com/libp2p/go-libp2p/p2p/host/basic"
	"github.com/libp2p/go-libp2p/p2p/host/eventbus"
	"github.com/libp2p/go-libp2p/p2p/host/peerstore/pstoremem"
	rcmgr "github.com/libp2p/go-libp2p/p2p/host/resource-manager"
	"github.com/libp2p/go-libp2p/p2p/muxer/yamux"
	"github.com/libp2p/go-libp2p/p2p/net/connmgr"
	"github.com/libp2p/go-libp2p/p2p/net/swarm"
	"github.com/libp2p/go-libp2p/p2p/net/upgrader"
	"github.com/libp2p/go-libp2p/p2p/security/noise"
	libp2ptls "github.com/libp2p/go-libp2p/p2p/security/tls"
	libp2pquic "github.com/libp2p/go-libp2p/p2p/transport/quic"
	"github.com/libp2p/go-libp2p/p2p/transport/quicreuse"
	"github.com/libp2p/go-libp2p/p2p/transport/tcp"
	"github.com/multiformats/go-multiaddr"
	"github.com/quic-go/quic-go"
)

// listen puts a host together. libp2p's own constructor is not used: it brings WebRTC, WebTransport, relays and hole punching.
func (h *Host) listen(key crypto.PrivKey) error {
	id, err := peer.IDFromPrivateKey(key)
	if err != nil {
		return err
	}
	peers, err := pstoremem.NewPeerstore()
	if err != nil {
		return err
	}
	h.close = append(h.close, peers.Close)
	if err := peers.AddPrivKey(id, key); err != nil {
		return err
	}
	if err := peers.AddPubKey(id, key.GetPublic()); err != nil {
		return err
	}
	limits, err := rcmgr.NewResourceManager(rcmgr.NewFixedLimiter(rcmgr.DefaultLimits.AutoScale()), rcmgr.WithMetricsDisabled())
	if err != nil {
		return err
	}
	h.close = append(h.close, limits.Close)
	bus := eventbus.NewBus()
	options := []swarm.Option{swarm.WithResourceManager(limits), swarm.WithConnectionGater(&h.gate)}
	if h.resolver != nil {
		options = append(options, swarm.WithMultiaddrResolver(h.resolver))
	}
	sw, err := swarm.NewSwarm(id, peers, bus, options...)
	if err != nil {
		return err
	}
	h.close = append(h.close, sw.Close)
	transports, err := h.transports(id, key, limits)
	if err != nil {
		return err
	}
	for _, t := range transports {
		if err := sw.AddTransport(t); err != nil {
			return err
		}
	}
	return h.begin(sw, bus)
}

// begin listens at the addresses and starts the host.
func (h *Host) begin(sw *swarm.Swarm, bus event.Bus) error {
	listen, err := addresses(h.Listen)
	if err != nil {
		return err
	}
	tell, err := addresses(h.Tell)
	if err != nil {
		return err
	}
	conns, err := connmgr.NewConnManager(64, 256)
	if err != nil {
		return err
	}
	h.close = append(h.close, conns.Close)
	b, err := basichost.NewHost(sw, &basichost.HostOpts{EventBus: bus, ConnManager: conns, EnablePing: true, UserAgent: "mappe-node",
		AddrsFactory: func(own []multiaddr.Multiaddr) []multiaddr.Multiaddr {
			if len(tell) > 0 {
				return tell
			}
			return own
		}})
	if err != nil {
		return err
	}
	h.host, h.identified = b, b.IDService().IdentifyWait
	h.close = append(h.close, b.Close)
	if err := sw.Listen(listen...); err != nil {
		return err
	}
	b.Start()
	return nil
}

func addresses(texts []string) ([]multiaddr.Multiaddr, error) {
	var out []multiaddr.Multiaddr
	for _, t := range texts {
		a, err := multiaddr.NewMultiaddr(t)
		if err != nil {
			return nil, fmt.Errorf("%q is no multiaddress: %w", t, err)
		}
		out = append(out, a)
	}
	return out, nil
}

// transports are TCP, secured by Noise or TLS, and QUIC.
func (h *Host) transports(id peer.ID, key crypto.PrivKey, limits network.ResourceManager) ([]transport.Transport, error) {
	n, err := noise.New(noise.ID, key, []upgrader.StreamMuxer{{ID: yamux.ID, Muxer: yamux.DefaultTransport}})
	if err != nil {
		return nil, err
	}
	t, err := libp2ptls.New(libp2ptls.ID, key, []upgrader.StreamMuxer{{ID: yamux.ID, Muxer: yamux.DefaultTransport}})
	if err != nil {
		return nil, err
	}
	up, err := upgrader.New([]sec.SecureTransport{n, t}, []upgrader.StreamMuxer{{ID: yamux.ID, Muxer: yamux.DefaultTransport}},
		nil, limits, nil)
	if err != nil {
		return nil, err
	}
	overTCP, err := tcp.NewTCPTransport(up, limits, nil, tcp.DisableReuseport())
	if err != nil {
		return nil, err
	}
	var reset quic.StatelessResetKey
	var token quic.TokenGeneratorKey
	if _, err := rand.Read(reset[:]); err != nil {
		return nil, err
	}
	if _, err := rand.Read(token[:]); err != nil {
		return nil, err
	}
	conns, err := quicreuse.NewConnManager(reset, token)
	if err != nil {
		return nil, err
	}
	h.close = append(h.close, conns.Close)
	overQUIC, err := libp2pquic.NewTransport(key, conns, nil, nil, limits)
	if err != nil {
		return nil, err
	}
	return []transport.Transport{overTCP, overQUIC}, nil
}
