package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"mappe/functions/expander"
	"mappe/functions/expander/paygate"
	"mappe/localdev/facilitator"
	"mappe/localdev/listen"
	"mappe/localdev/state"
	"mappe/shared/cloud/ledger/sqlite"
)

// localPayee is paid for calls on this machine: the second account of every Ethereum development chain,
// whose key is public.
const localPayee = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

// payments is what a paid call needs on this machine: a facilitator that checks signatures and keeps test
// money in a file, and the settings of a gate that uses it.
type payments struct {
	settings    paygate.Settings
	facilitator string // its address
	stop        []func()
}

// startPayments starts the facilitator on a free port of 127.0.0.1. It keeps its books in a directory.
func startPayments(ctx context.Context, stateDir string, log *slog.Logger) (p *payments, err error) {
	p = &payments{}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	dir := filepath.Join(stateDir, ".payments")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return p, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return p, err
	}
	release, err := state.Hold(dir)
	if err != nil {
		return p, fmt.Errorf("%s: %w", stateDir, err)
	}
	p.stop = append(p.stop, release)
	books, err := sqlite.Open(ctx, filepath.Join(dir, "facilitator.db"), sqlite.Options{})
	if err != nil {
		return p, fmt.Errorf("books of the facilitator: %w", err)
	}
	p.stop = append(p.stop, func() { books.Close() })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return p, err
	}
	server := listen.New(facilitator.New(facilitator.Options{Ledger: books, Log: log}), listen.Limits{})
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Error("facilitator", "error", err)
		}
	}()
	p.stop = append(p.stop, func() { server.Close() })
	p.facilitator = "http://" + listener.Addr().String()
	p.settings = paygate.Settings{PayTo: localPayee, Facilitator: p.facilitator, Ledger: "sqlite:" + filepath.Join(dir, "ledger.db"),
		Resource: "/expander/v1/expand"}
	return p, nil
}

// parameters are those of template.yaml for the same.
func (p *payments) parameters(base string) map[string]string {
	return map[string]string{"PublicUrl": base, "PayTo": localPayee, "FacilitatorUrl": p.facilitator}
}

// open opens the gate in this process and tends it.
func (p *payments) open(ctx context.Context, log *slog.Logger) (*paygate.Gate, error) {
	t, err := paygate.Open(ctx, p.settings, log)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	tended := make(chan struct{})
	go func() { defer close(tended); t.Tend(ctx, time.Minute, log) }()
	p.stop = append(p.stop, func() {
		cancel()
		<-tended
		if err := t.Close(); err != nil {
			log.Error("payment gate", "error", err)
		}
	})
	return t, nil
}

// alone serves the expander on an address of its own, where its discovery documents stand at the root of a host.
// It sells over the same ledger.
func (p *payments) alone(ctx context.Context, address string, log *slog.Logger) (base string, err error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return "", fmt.Errorf("--expander: %w", err)
	}
	p.stop = append(p.stop, func() { listener.Close() })
	base = "http://" + listener.Addr().String()
	settings := p.settings
	settings.Resource = base + "/v1/expand"
	t, err := paygate.Open(ctx, settings, log)
	if err != nil {
		return "", err
	}
	p.stop = append(p.stop, func() {
		if err := t.Close(); err != nil {
			log.Error("payment gate", "error", err)
		}
	})
	h, err := expander.New(t.Deps(expander.Deps{PublicURL: base, Log: log})).Handler()
	if err != nil {
		return "", err
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Error("the expander alone", "error", err)
		}
	}()
	p.stop = append(p.stop, func() { server.Close() })
	return base, nil
}

// close ends what was started, last first.
func (p *payments) close() {
	for i := len(p.stop) - 1; i >= 0; i-- {
		p.stop[i]()
	}
}
