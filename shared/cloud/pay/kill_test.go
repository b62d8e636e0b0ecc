package pay_test

import (
	"context"
	"math/big"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mappe/localdev/facilitator"
	"mappe/localdev/facilitator/wallet"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/pay"
)

// TestKilledAtRandom sells calls to 32 buyers while the server and the facilitator are killed (SIGKILL) at
// random and started again, and one settlement in 25 goes wrong besides: every payment is settled once, or
// never and then not answered, and the books of both are equal. make soak does it again and again; PAY_CALLS=10000 is the
// full proof.
func TestKilledAtRandom(t *testing.T) { killAtRandom(t, 300) }

// TestKilledAtRandomWithAChain does the same with a facilitator that takes a nonce once and forgets by whom, moves
// the money and then says no, or says that it did what it did not: the chain is asked.
func TestKilledAtRandomWithAChain(t *testing.T) { killAtRandom(t, 150, "PAY_TEST_CHAIN=yes") }

func killAtRandom(t *testing.T, calls int, environment ...string) {
	const buyers = 32
	if v := os.Getenv("PAY_CALLS"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil {
			t.Fatal(err)
		}
		calls = n
	} else if testing.Short() {
		calls = 150
	}
	fac := newChild(t, "facilitator", environment...)
	server := newChild(t, "server", append(environment, "PAY_TEST_FACILITATOR=http://"+fac.address)...)
	requirements := requirementsOf(t)

	done := make(chan struct{})
	var ended atomic.Int64 // calls
	var killer sync.WaitGroup
	killer.Go(func() {
		for {
			// By what has been done and not by the clock: on a slow machine they live longer, too.
			for goal := ended.Load() + int64(killEvery/3+rand.IntN(killEvery)); ended.Load() < goal; {
				select {
				case <-done:
					return
				case <-time.After(time.Millisecond):
				}
			}
			victim := server
			if rand.IntN(2) == 0 {
				victim = fac
			}
			if err := victim.restart(); err != nil {
				t.Error(err)
				return
			}
		}
	})
	begun := time.Now()
	all := make([]purchase, calls)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range buyers {
		key, err := wallet.New()
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(calls); i = next.Add(1) - 1 {
				p := &all[i]
				p.n, p.manner = int(i), manner(i%int64(manners))
				p.buy("http://"+server.address+"/v1/expand", key, requirements)
				ended.Add(1)
			}
		})
	}
	wg.Wait()
	took := time.Since(begun)
	close(done)
	killer.Wait()
	judge(t, all, server, fac, requirements)
	if kills := server.kills + fac.kills; kills < calls/(3*killEvery) {
		t.Errorf("only %d processes were killed in %d calls", kills, calls)
	}
	tries := 0
	for i := range all {
		tries += all[i].tries
	}
	t.Logf("%d calls of %d buyers in %s: %d requests, server killed %d times, facilitator %d times", calls, buyers,
		took.Round(time.Millisecond), tries, server.kills, fac.kills)
}

// killEvery is how many calls end between two kills, more or less.
const killEvery = 30

func requirementsOf(t *testing.T) pay.Requirements {
	c := killConfig("http://127.0.0.1:1")
	l, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "none.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c.Ledger = l
	g, err := pay.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return g.Requirements()
}

// patience is how long a buyer tries: leases end within seconds.
const patience = 2 * time.Minute

var buyer = &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

// judge holds the purchases and the books of both sides against each other.
func judge(t *testing.T, all []purchase, server, fac *child, q pay.Requirements) {
	server.mu.Lock()
	server.kill()
	server.mu.Unlock()
	mine, err := sqlite.Open(t.Context(), server.file, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer mine.Close()
	c := killConfig("http://" + fac.address)
	c.Ledger = mine
	if len(fac.env) > 0 {
		c.Proof = chainOf("http://" + fac.address)
	}
	g, err := pay.New(c)
	if err != nil {
		t.Fatal(err)
	}
	open := 1
	for until := time.Now().Add(patience); open > 0 && time.Now().Before(until); {
		r, err := g.Reconcile(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if open = r.Open; open > 0 {
			time.Sleep(100 * time.Millisecond)
		}
		if r.Closed > 0 {
			t.Logf("reconciled after the end: %d", r.Closed)
		}
	}
	books := map[string]string{}
	if err := g.Books(t.Context(), func(e pay.Entry) error {
		if e.Open {
			t.Errorf("payment %s is open", e.Nonce)
		}
		books[e.Nonce] = e.Transaction
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	theirs, err := sqlite.Open(t.Context(), fac.file, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer theirs.Close()
	moved := map[string]string{}
	sum := new(big.Int)
	if err := facilitator.Transfers(context.Background(), theirs, q.Network, g.Network().USDC, func(f facilitator.Transfer) error {
		if moved[f.Nonce] != "" {
			t.Errorf("payment %s moved twice", f.Nonce)
		}
		moved[f.Nonce] = f.Transaction
		v, _ := new(big.Int).SetString(f.Value, 10)
		sum.Add(sum, v)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(books) != len(moved) {
		t.Errorf("the server's books hold %d payments, the facilitator's %d", len(books), len(moved))
	}
	for nonce, transaction := range moved {
		if books[nonce] != transaction {
			t.Errorf("payment %s: %s at the facilitator, %q here", nonce, transaction, books[nonce])
		}
	}
	answered, unanswered := 0, 0
	for i := range all {
		p := &all[i]
		settled := 0
		for _, nonce := range p.nonces {
			if transaction := moved[nonce]; transaction != "" {
				if settled++; p.answered && p.receipt.Transaction != transaction {
					t.Errorf("call %d: receipt %s, books %s", p.n, p.receipt.Transaction, transaction)
				}
			}
		}
		switch {
		case p.wrong != "":
			t.Errorf("call %d (manner %d, %d tries): %s", p.n, p.manner, p.tries, p.wrong)
		case p.answered && settled != 1:
			t.Errorf("call %d (manner %d): answered and settled %d times", p.n, p.manner, settled)
		case settled > 1:
			t.Errorf("call %d (manner %d): settled %d times", p.n, p.manner, settled)
		case p.answered:
			answered++
		case settled == 1:
			unanswered++
		}
	}
	if want := new(big.Int).Mul(big.NewInt(int64(len(books))), big.NewInt(20000)); sum.Cmp(want) != 0 {
		t.Errorf("want %s atomic units moved, got %s", want, sum)
	}
	t.Logf("answered and settled once: %d; given up by the buyer, settled once: %d; in both books: %d", answered, unanswered, len(books))
}
