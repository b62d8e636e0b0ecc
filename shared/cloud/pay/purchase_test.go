package pay_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"mappe/localdev/facilitator/wallet"
	"mappe/shared/cloud/pay"
)

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
