// Package daemon runs a node: it opens keys and blobs, listens for peers, gRPC and HTTP, and closes everything again.
package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"time"

	"mappe/localdev/node/ident"
	"mappe/localdev/node/keystore"
	"mappe/localdev/node/peer"
	"mappe/localdev/node/rpc"
	"mappe/localdev/node/safefile"
	"mappe/localdev/node/space"
	"mappe/localdev/node/store"
	"mappe/localdev/node/web"
)

// Node is a node that runs.
type Node struct {
	Server *rpc.Server
	// HTTP and GRPC are the addresses that are listened at.
	HTTP, GRPC string

	failed chan error
	close  []func() error
}

// Start runs a node until Close.
func Start(c *Config) (*Node, error) {
	n := &Node{failed: make(chan error, 2)}
	if err := n.start(c); err != nil {
		return nil, errors.Join(err, n.Close())
	}
	return n, nil
}

func (n *Node) start(c *Config) error {
	if c.Account != "" {
		if _, err := ident.ParseAccount(c.Account); err != nil {
			return fmt.Errorf("gateway.account: %w", err)
		}
	}
	if err := safefile.Folder(filepath.Join(c.DataDir, "keys")); err != nil {
		return err
	}
	device, err := keystore.Device(filepath.Join(c.DataDir, "keys"))
	if err != nil {
		return err
	}
	keys, err := keystore.Open(c.KeystoreDir)
	if err != nil {
		return err
	}
	blobs, err := store.Open(filepath.Join(c.DataDir, "db"), time.Now)
	if err != nil {
		return err
	}
	n.close = append(n.close, blobs.Close)
	library := space.New(blobs, time.Now)
	peers, err := peer.New(peer.Config{Key: device, Listen: c.P2PListen, Tell: c.P2PAnnounce, Testnet: c.Testnet, Library: library,
		AllowPush: c.AllowPush, Gateways: c.Gateways, AllowPrivate: c.AllowPrivate,
		Known: func(a ident.Account) bool {
			_, err := keys.Get(a.String())
			return err == nil || blobs.Holds(a)
		}})
	if err != nil {
		return err
	}
	n.close = append(n.close, peers.Close)
	n.Server = &rpc.Server{Keys: keys, Library: library, Peers: peers, Started: time.Now()}
	return n.listen(c)
}

// listen serves gRPC and HTTP.
func (n *Node) listen(c *Config) error {
	services := n.Server.Handler()
	only := &http.Protocols{}
	only.SetUnencryptedHTTP2(true) // no browser speaks it
	var err error
	if n.GRPC, err = n.serve(c.GRPCHost, c.GRPCPort, services, only); err != nil {
		return err
	}
	site := &web.Site{Node: n.Server, Services: services, Gateway: c.Gateway, Hosts: c.HTTPHosts, Account: c.Account}
	both := &http.Protocols{}
	both.SetHTTP1(true)
	both.SetUnencryptedHTTP2(true)
	n.HTTP, err = n.serve(c.HTTPHost, c.HTTPPort, site.Handler(), both)
	return err
}

func (n *Node) serve(host string, port int, h http.Handler, protocols *http.Protocols) (string, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return "", err
	}
	s := &http.Server{Handler: h, Protocols: protocols, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10}
	go func() {
		if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			n.failed <- err
		}
	}()
	n.close = append(n.close, func() error {
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		if s.Shutdown(ctx) != nil { // calls that last, as pushes do
			return s.Close()
		}
		return nil
	})
	return l.Addr().String(), nil
}

// Close ends everything; what was begun is finished, for a few seconds.
func (n *Node) Close() error {
	var err error
	for i := len(n.close) - 1; i >= 0; i-- {
		err = errors.Join(err, n.close[i]())
	}
	n.close = nil
	return err
}

// Run runs a node until the context ends. It logs DaemonStarted when the node answers.
func Run(ctx context.Context, c *Config, log *slog.Logger) error {
	n, err := Start(c)
	if err != nil {
		return err
	}
	log.Info("DaemonStarted", "http", n.HTTP, "grpc", n.GRPC, "peerID", n.Server.Peers.ID().String(), "addrs", n.Server.Peers.Addrs())
	select {
	case <-ctx.Done():
		err = nil
	case err = <-n.failed:
	}
	return errors.Join(err, n.Close())
}
