package wallet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"time"

	"mappe/shared/cloud/pay"
)

// Client pays for requests that are answered 402.
type Client struct {
	HTTP *http.Client
	Key  *Key
	// Most is what one call may cost, in atomic units; "" refuses to pay at all.
	Most string
	// Networks are those it pays on; nil means every test network.
	Networks []string
	Now      func() time.Time // nil: time.Now
}

// Paid is a payment and its receipt.
type Paid struct {
	Header  string // the value of PAYMENT-SIGNATURE; sending it again fetches the same answer
	Receipt pay.Settlement
}

// maxBody bounds a 402 that is read.
const maxBody = 1 << 20

// Post sends a body, pays when asked to and gives the answer. paid is nil where nothing had to be paid.
func (c *Client) Post(url, contentType string, body []byte, id string) (resp *http.Response, paid *Paid, err error) {
	resp, err = c.send(url, contentType, body, "")
	if err != nil || resp.StatusCode != http.StatusPaymentRequired {
		return resp, nil, err
	}
	io.Copy(io.Discard, io.LimitReader(resp.Body, maxBody)) // so that the connection is used again
	resp.Body.Close()
	var offer pay.Required
	if err := Decode(resp.Header.Get("PAYMENT-REQUIRED"), &offer); err != nil {
		return nil, nil, err
	}
	q, err := c.choose(offer)
	if err != nil {
		return nil, nil, err
	}
	now := time.Now
	if c.Now != nil {
		now = c.Now
	}
	exact, err := c.Key.Sign(q, now())
	if err != nil {
		return nil, nil, err
	}
	paid = &Paid{Header: Header(q, exact, id)}
	if resp, err = c.send(url, contentType, body, paid.Header); err != nil {
		return nil, paid, err
	}
	if v := resp.Header.Get("PAYMENT-RESPONSE"); v != "" {
		err = Decode(v, &paid.Receipt)
	}
	return resp, paid, err
}

func (c *Client) send(url, contentType string, body []byte, payment string) (*http.Response, error) {
	req, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", contentType)
	if payment != "" {
		req.Header.Set("PAYMENT-SIGNATURE", payment)
	}
	client := c.HTTP
	if client == nil {
		client = http.DefaultClient
	}
	return client.Do(req)
}

// choose takes the first offer that this client can and may pay.
func (c *Client) choose(offer pay.Required) (pay.Requirements, error) {
	most, ok := new(big.Int).SetString(c.Most, 10)
	if !ok {
		return pay.Requirements{}, errors.New("payment is required, and this client may pay nothing")
	}
	for _, q := range offer.Accepts {
		amount, ok := new(big.Int).SetString(q.Amount, 10)
		if !ok || q.Scheme != "exact" || !c.pays(q.Network) {
			continue
		}
		if amount.Cmp(most) > 0 {
			return q, fmt.Errorf("the call costs %s atomic units, this client pays at most %s", q.Amount, c.Most)
		}
		return q, nil
	}
	return pay.Requirements{}, errors.New("none of the payments asked for is one this client makes")
}

func (c *Client) pays(network string) bool {
	if c.Networks == nil {
		n, err := pay.ParseNetwork(network)
		return err == nil && n.Test
	}
	for _, n := range c.Networks {
		if n == network {
			return true
		}
	}
	return false
}
