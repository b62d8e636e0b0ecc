// Package paygate opens the payment gate of the expander from settings: the ledger of claims, the event log,
// who is paid, on which network and through which facilitator. It decides nothing about payments
// (shared/cloud/pay does) and is closed as a whole when nobody is to be paid; half a configuration is an
// error and never an open gate. The Lambda main and the local cloud call it.
package paygate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"mappe/functions/expander"
	"mappe/shared/cloud/ledger/ledgerurl"
	"mappe/shared/cloud/pay"
	"mappe/shared/web/endpoint"
)

// Settings of a payment gate. No PayTo means no payments: the paid route is closed.
type Settings struct {
	PayTo       string // who is paid
	Network     string // CAIP-2; "" is Base Sepolia
	Facilitator string // base URL
	Credential  string // secret (Secrets Manager) with the facilitator's token, where it asks for one
	// RPC is a node of the network: it proves settlements whose outcome the facilitator does not tell any
	// more. Without one such a payment stays open, neither answered nor charged again.
	RPC     string
	Mainnet bool   // networks whose money is real
	Ledger  string // address, see ledgerurl
	// Resource is the address of /v1/expand that buyers use; a path where the host is that of the request.
	Resource string
	// EachRequest writes the event log with every request of the paid route: for functions, which are
	// frozen between requests. Else it is written within a second.
	EachRequest bool
}

// FromEnvironment reads MAPPE_PAY_TO, _NETWORK, _FACILITATOR, _CREDENTIAL, _RPC and _MAINNET (yes), MAPPE_LEDGER
// and MAPPE_PUBLIC_URL, the address of the service. The credential is the ARN of a secret; its value is read
// while the program runs.
func FromEnvironment(getenv func(string) string) (Settings, error) {
	s := Settings{
		PayTo: getenv("MAPPE_PAY_TO"), Network: getenv("MAPPE_PAY_NETWORK"), Facilitator: getenv("MAPPE_PAY_FACILITATOR"),
		Credential: getenv("MAPPE_PAY_CREDENTIAL"), RPC: getenv("MAPPE_PAY_RPC"), Ledger: getenv("MAPPE_LEDGER"),
		EachRequest: getenv("AWS_LAMBDA_FUNCTION_NAME") != "",
	}
	switch v := getenv("MAPPE_PAY_MAINNET"); v {
	case "yes":
		s.Mainnet = true
	case "", "no":
	default:
		return s, fmt.Errorf("MAPPE_PAY_MAINNET is %q: expected yes or no", v)
	}
	if public := getenv("MAPPE_PUBLIC_URL"); public != "" {
		s.Resource = public + "/v1/expand"
	} else if s.PayTo != "" {
		return s, errors.New("MAPPE_PUBLIC_URL is missing: buyers are told the address they pay for, and a function does not know it")
	}
	return s, nil
}

// Gate is an open gate with its ledger and event log.
type Gate struct {
	*pay.Gate
	events *pay.Events
	ledger ledgerurl.Ledger
	each   bool
}

// Open opens the gate, or gives nil where nobody is to be paid.
func Open(ctx context.Context, s Settings, log *slog.Logger) (*Gate, error) {
	if s.PayTo == "" {
		if s.Facilitator != "" || s.Credential != "" {
			return nil, errors.New("a facilitator is set but not whom to pay")
		}
		log.Warn("nobody is to be paid: the paid route is closed")
		return nil, nil
	}
	l, err := ledgerurl.Open(ctx, s.Ledger)
	if err != nil {
		return nil, err
	}
	t := &Gate{events: pay.NewEvents(l, "expander", nil, log), ledger: l, each: s.EachRequest}
	var proof pay.Proof
	if s.RPC != "" {
		if u, err := url.Parse(s.RPC); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			return nil, errors.Join(errors.New("MAPPE_PAY_RPC is not an http or https address"), l.Close())
		}
		proof = pay.Chain{URL: s.RPC, Client: &http.Client{Timeout: 10 * time.Second}}
	}
	var client *http.Client
	if s.Credential != "" {
		if client, err = facilitatorClient(s.Credential); err != nil {
			return nil, errors.Join(fmt.Errorf("MAPPE_PAY_CREDENTIAL: %w", err), l.Close())
		}
	}
	t.Gate, err = pay.New(pay.Config{
		Proof: proof,
		PayTo: s.PayTo, Price: expander.PriceAtomic, Network: s.Network, AllowMainnet: s.Mainnet,
		Facilitator: s.Facilitator, Client: client,
		Resource: pay.Resource{URL: s.Resource, Description: expander.Sold, MimeType: "application/json",
			ServiceName: "Recurrence expander", Tags: []string{"calendar", "rrule", "cron", "timezone"}},
		Origin: endpoint.Origin,
		Bazaar: expander.Bazaar(), Ledger: l, Recorder: t.events, Log: log,
	})
	if err == nil && t.USD() != expander.Price {
		err = fmt.Errorf("the gate asks %s USD, the service says %s", t.USD(), expander.Price)
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return t, nil
}

// Deps gives the service what it needs of the gate; t may be nil.
func (t *Gate) Deps(d expander.Deps) expander.Deps {
	if t != nil {
		d.Gate, d.Events = t, t.days
	}
	return d
}

func (t *Gate) days(ctx context.Context) ([]pay.Day, error) { return t.events.Read(ctx, "") }

// Wrap is the gate; see Settings.EachRequest.
func (t *Gate) Wrap(next http.Handler) http.Handler {
	gate := t.Gate.Wrap(next)
	if !t.each {
		return gate
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer t.flush(r.Context())
		gate.ServeHTTP(w, r)
	})
}

// flush writes the counts. What the ledger does not take then is tried again, and logged, by the events.
func (t *Gate) flush(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushMost)
	defer cancel()
	_ = t.events.Flush(ctx)
}

// flushMost is how long the counts may keep a request, or the end of the process, waiting.
const flushMost = 2 * time.Second

// Close writes what was counted and closes the ledger.
func (t *Gate) Close() error {
	if t == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), flushMost)
	defer cancel()
	return errors.Join(t.events.Close(ctx), t.ledger.Close())
}

// Tend finishes settlements whose outcome was unknown, every so often, until the context ends.
func (t *Gate) Tend(ctx context.Context, every time.Duration, log *slog.Logger) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := t.Once(ctx, log); err != nil && ctx.Err() == nil {
			log.Error("reconcile", "error", err)
		}
	}
}

// Once finishes what can be finished now; a closed gate has nothing to finish.
func (t *Gate) Once(ctx context.Context, log *slog.Logger) error {
	if t == nil {
		return nil
	}
	done, err := t.Reconcile(ctx)
	if done.Closed+done.Dropped > 0 {
		log.Info("reconcile", "closed", done.Closed, "dropped", done.Dropped, "open", done.Open)
	}
	return err
}
