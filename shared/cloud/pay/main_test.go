package pay_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"syscall"
	"testing"
	"time"

	"mappe/localdev/facilitator"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/pay"
	"mappe/shared/web/endpoint"
)

// TestMain runs this program as one of the processes that TestKilledAtRandom starts and kills, when the
// environment says so.
func TestMain(m *testing.M) {
	role := os.Getenv("PAY_TEST_ROLE")
	if role == "" {
		os.Exit(m.Run())
	}
	if err := process(role); err != nil {
		fmt.Fprintln(os.Stderr, role, err)
		os.Exit(1)
	}
}

// process is a server on PAY_TEST_ADDRESS over the ledger file PAY_TEST_LEDGER.
func process(role string) error {
	l, err := sqlite.Open(context.Background(), os.Getenv("PAY_TEST_LEDGER"), sqlite.Options{})
	if err != nil {
		return err
	}
	var h http.Handler
	if role == "facilitator" {
		h = facilitator.New(facilitator.Options{Ledger: l, Fault: mischief, Forgetful: os.Getenv("PAY_TEST_CHAIN") != ""})
	} else {
		c := killConfig(os.Getenv("PAY_TEST_FACILITATOR"))
		if os.Getenv("PAY_TEST_CHAIN") != "" {
			c.Proof = chainOf(os.Getenv("PAY_TEST_FACILITATOR"))
		}
		c.Ledger = l
		g, err := pay.New(c)
		if err != nil {
			return err
		}
		h = g.Wrap(http.HandlerFunc(shop))
	}
	for try := 0; ; try++ { // the port of a process that was killed may take a moment
		listener, err := net.Listen("tcp", os.Getenv("PAY_TEST_ADDRESS"))
		if errors.Is(err, syscall.EADDRINUSE) && try < 100 {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		if err != nil {
			return err
		}
		return http.Serve(listener, h)
	}
}

// mischief lets one settlement in 25 go wrong, in one of all ways.
func mischief(path string) facilitator.Fault {
	if path != "/settle" || rand.IntN(25) != 0 {
		return facilitator.Fault{}
	}
	kinds := facilitator.AllFaults()
	if os.Getenv("PAY_TEST_CHAIN") != "" {
		kinds = append(kinds, facilitator.MadeUp)
	}
	return facilitator.Fault{Kind: kinds[rand.IntN(len(kinds))]}
}

// chainOf is the chain stand-in of a facilitator.
func chainOf(address string) pay.Chain { return pay.Chain{URL: address + "/rpc/" + pay.DefaultNetwork} }

// killConfig has times that suit processes which live for a second.
func killConfig(facilitatorURL string) pay.Config {
	return pay.Config{
		PayTo: payee, Price: "20000", Facilitator: facilitatorURL, MaxTimeoutSeconds: 3600, Resource: pay.Resource{URL: "/v1/expand"},
		Origin: endpoint.Origin,
		Bounds: pay.Bounds{Verify: time.Second, Settle: time.Second, Pause: 20 * time.Millisecond, Lease: 1200 * time.Millisecond,
			Chain: 300 * time.Millisecond, Wait: time.Second},
	}
}
