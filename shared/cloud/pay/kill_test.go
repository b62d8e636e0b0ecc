package pay_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mappe/localdev/facilitator"
	"mappe/localdev/facilitator/wallet"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/pay"
)

// child is a process that is killed and started again on the same address and file.
type child struct {
	role, address, file string
	env                 []string
	mu                  sync.Mutex
	cmd                 *exec.Cmd
	kills               int
}

func (c *child) start() error {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "PAY_TEST_ROLE="+c.role, "PAY_TEST_ADDRESS="+c.address, "PAY_TEST_LEDGER="+c.file)
	cmd.Env = append(cmd.Env, c.env...)
	cmd.Stderr = os.Stderr
	c.cmd = cmd
	return cmd.Start()
}

func (c *child) kill() {
	c.cmd.Process.Kill() // SIGKILL
	c.cmd.Wait()         // its failure is the point
}

// restart kills, starts and waits until the process answers: on a busy machine it would else never live.
func (c *child) restart() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kill()
	c.kills++
	if err := c.start(); err != nil {
		return err
	}
	for until := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		conn, err := net.Dial("tcp", c.address)
		if err == nil {
			return conn.Close()
		}
		if time.Now().After(until) {
			return fmt.Errorf("%s does not answer: %w", c.role, err)
		}
	}
}

func newChild(t *testing.T, role string, env ...string) *child {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &child{role: role, address: l.Addr().String(), file: filepath.Join(t.TempDir(), role+".db"), env: env}
	l.Close()
	if err := c.start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.kill)
	return c
}

// purchase is one call of a buyer and what came of it.
type purchase struct {
	n        int
	manner   manner
	nonces   []string // of every payment made for it
	receipt  pay.Settlement
	answered bool
	tries    int
	wrong    string
}

// manner is how a buyer pays.
type manner int

const (
	version2   manner = iota
	version1          // the same payment until it is answered
	named             // a fresh payment with each try, of one payment-identifier
	doubled           // the same payment twice at once
	forgetting        // one try only
	manners
)

// TestKilledAtRandom sells calls to 32 buyers while the server and the facilitator are killed (SIGKILL) at
// random and started again, and one settlement in 25 goes wrong besides: every payment is settled once, or
// never and then not answered, and the books of both are equal. PAY_CALLS=10000 is the full proof.
func TestKilledAtRandom(t *testing.T) {
	calls, buyers := 600, 32
	if v := os.Getenv("PAY_CALLS"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil {
			t.Fatal(err)
		}
		calls = n
	} else if testing.Short() {
		calls = 150
	}
	fac := newChild(t, "facilitator")
	server := newChild(t, "server", "PAY_TEST_FACILITATOR=http://"+fac.address)
	requirements := requirementsOf(t)

	done := make(chan struct{})
	var killer sync.WaitGroup
	killer.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Duration(100+rand.IntN(400)) * time.Millisecond):
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
			}
		})
	}
	wg.Wait()
	took := time.Since(begun)
	close(done)
	killer.Wait()
	judge(t, all, server, fac, requirements)
	tries := 0
	for i := range all {
		tries += all[i].tries
	}
	t.Logf("%d calls of %d buyers in %s: %d requests, server killed %d times, facilitator %d times", calls, buyers, took.Round(time.Millisecond), tries, server.kills, fac.kills)
}

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

func (p *purchase) buy(url string, key *wallet.Key, q pay.Requirements) {
	var payment pay.Exact
	for until := time.Now().Add(patience); !p.answered && p.wrong == "" && time.Now().Before(until); {
		if p.nonces == nil || p.manner == named {
			var err error
			if payment, err = key.Sign(q, time.Now()); err != nil {
				p.wrong = err.Error()
				return
			}
			p.nonces = append(p.nonces, payment.Authorization.Nonce)
		}
		header, value := "PAYMENT-SIGNATURE", ""
		switch p.manner {
		case version1:
			header, value = "X-PAYMENT", wallet.HeaderV1("base-sepolia", payment)
		case named:
			value = wallet.Header(q, payment, fmt.Sprintf("purchase-%09d", p.n))
		default:
			value = wallet.Header(q, payment, "")
		}
		p.try(url, header, value)
		if p.manner == forgetting {
			return
		}
		if !p.answered {
			time.Sleep(time.Duration(20+rand.IntN(100)) * time.Millisecond)
		}
	}
	if !p.answered && p.wrong == "" {
		p.wrong = "no answer in " + patience.String()
	}
}

// try sends the payment, twice at once where the manner says so.
func (p *purchase) try(url, header, value string) {
	if p.manner != doubled {
		p.send(url, header, value).into(p)
		return
	}
	outcomes := make(chan outcome, 2)
	for range 2 {
		go func() { outcomes <- p.send(url, header, value) }()
	}
	for range 2 {
		o := <-outcomes
		o.into(p)
	}
}

type outcome struct {
	status  int // 0: the connection broke
	body    string
	receipt pay.Settlement
	err     error
}

var buyer = &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

func (p *purchase) send(url, header, value string) (o outcome) {
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(request(p.n)))
	if err != nil {
		return outcome{err: err}
	}
	req.Header.Set(header, value)
	resp, err := buyer.Do(req)
	if err != nil {
		return outcome{} // killed
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return outcome{}
	}
	o = outcome{status: resp.StatusCode, body: string(bytes.TrimSpace(b))}
	if o.status == http.StatusOK {
		name := map[string]string{"PAYMENT-SIGNATURE": "PAYMENT-RESPONSE", "X-PAYMENT": "X-PAYMENT-RESPONSE"}[header]
		o.err = wallet.Decode(resp.Header.Get(name), &o.receipt)
	}
	return o
}

func (o outcome) into(p *purchase) {
	p.tries++
	switch {
	case o.err != nil:
		p.wrong = o.err.Error()
	case o.status == http.StatusOK && o.body != want(p.n):
		p.wrong = "answer " + o.body
	case o.status == http.StatusOK && p.answered && o.receipt != p.receipt:
		p.wrong = fmt.Sprintf("two receipts: %v and %v", p.receipt, o.receipt)
	case o.status == http.StatusOK:
		p.answered, p.receipt = true, o.receipt
	case strings.Contains(o.body, `"sum":`):
		p.wrong = "an answer without its payment: " + o.body
	case o.status == 0, o.status == 409 && strings.Contains(o.body, "payment_in_progress"), o.status >= 502 && o.status <= 504:
	default:
		p.wrong = fmt.Sprintf("status %d: %s", o.status, o.body)
	}
}

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
