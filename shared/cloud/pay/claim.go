package pay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"mappe/shared/cloud/ledger"
)

// state is where a payment stands; the package comment draws the ways between them.
type state string

const (
	claimed  state = "claimed"
	settling state = "settling"
	settled  state = "settled"
)

// claim is the record of a payment.
type claim struct {
	State       state     `json:"state"`
	Payment     string    `json:"payment"` // payment.hash
	Request     string    `json:"request"` // fingerprint of the request it pays for
	Lease       time.Time `json:"lease"`   // until then one request works on it
	Version     int       `json:"x402"`
	Amount      string    `json:"amount"`
	ValidBefore int64     `json:"valid_before"`
	ID          string    `json:"id,omitempty"` // payment-identifier
	// Exact is the authorization, kept while its settlement is open so that it can be settled again.
	Exact       *Exact     `json:"exact,omitempty"`
	Begun       time.Time  `json:"begun,omitzero"` // when settlement was asked for first
	Transaction string     `json:"transaction,omitempty"`
	Settled     *time.Time `json:"settled,omitempty"`
	Answer      string     `json:"answer,omitempty"` // SHA-256 of the answer's bytes
	// Refused counts the requests of this payment that the handler refused; until Until it has to wait.
	Refused int       `json:"refused,omitempty"`
	Until   time.Time `json:"until,omitzero"`

	key     ledger.Key
	version int64
	mark    int64 // version of the mark of its open settlement; 0: not known
}

// claims are the records of one asset on one network.
type claims struct {
	l       ledger.Ledger
	network string
	asset   Address
	now     func() time.Time
	bounds  Bounds
}

// shards are the partitions of claims: listed together for the books, small enough one by one.
const shards = "0123456789abcdef"

func (s claims) partition(kind string, shard byte) string {
	return "pay/" + kind + "/" + s.network + "/" + string(s.asset) + "/" + string(shard)
}

// key names the claim of a payment: its payer and nonce, under a shard of the nonce's last digit.
func (s claims) key(p *payment) ledger.Key {
	return ledger.Key{Partition: s.partition("claim", p.nonce[len(p.nonce)-1]), Sort: string(p.payer) + "/" + p.nonce}
}

// answerKey names the kept answer of a claim.
func answerKey(claim ledger.Key) ledger.Key {
	return ledger.Key{Partition: strings.Replace(claim.Partition, "pay/claim/", "pay/answer/", 1), Sort: claim.Sort}
}

// get reads a claim; nil where the ledger has no such claim.
func (s claims) get(ctx context.Context, key ledger.Key) (*claim, error) {
	r, err := s.l.Get(ctx, key)
	if errors.Is(err, ledger.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return readClaim(r)
}

func readClaim(r ledger.Record) (*claim, error) {
	c := &claim{key: r.Key, version: r.Version}
	if err := json.Unmarshal(r.Value, c); err != nil {
		return nil, fmt.Errorf("claim %s: %w", r.Key.Sort, err)
	}
	return c, nil
}

// put writes a claim over the version it was read at; ledger.ErrConflict when it has changed.
func (s claims) put(ctx context.Context, c *claim) error {
	b, err := json.Marshal(c)
	if err != nil {
		return err
	}
	r := ledger.Record{Key: c.key, Value: b, Expires: time.Unix(c.ValidBefore, 0).Add(s.bounds.Keep)}
	if c.State != claimed {
		r.Expires = s.now().Add(s.bounds.Books)
	}
	version, err := s.l.Put(ctx, r, c.version)
	if err != nil {
		return err
	}
	c.version = version
	return nil
}

func (s claims) remove(ctx context.Context, c *claim) error { return s.l.Delete(ctx, c.key, c.version) }

// live says whether another request works on the claim.
func (s claims) live(c *claim) bool { return c.State != settled && s.now().Before(c.Lease) }

// fresh says whether the answer of a settled claim may still be fetched.
func (s claims) fresh(c *claim) bool {
	return s.now().Before(time.Unix(c.ValidBefore, 0).Add(s.bounds.Keep))
}

// payment is the payment of a claim, as far as going on with it needs it.
func (c *claim) payment() (*payment, error) {
	p := &payment{version: c.Version, hash: c.Payment, validBefore: c.ValidBefore, value: c.Amount}
	if c.Exact != nil {
		return p, p.read("kept", c.Exact.Signature, c.Exact.Authorization)
	}
	payer, nonce, ok := strings.Cut(c.key.Sort, "/")
	if !ok || !isHex(payer, 20) || !isHex(nonce, 32) {
		return nil, fmt.Errorf("claim %q: expected payer/nonce", c.key.Sort)
	}
	p.payer, p.nonce = Address(payer), nonce
	return p, nil
}

// identifier is the record of a payment-identifier: what was bought under it, and with which payment.
type identifier struct {
	Request string `json:"request"`
	Shard   string `json:"shard"`
	Sort    string `json:"sort"`

	version int64
}

// idKey names an identifier. It belongs to its payer: nobody can take another's.
func (s claims) idKey(payer Address, id string) ledger.Key {
	return ledger.Key{Partition: s.partition("id", payer[len(payer)-1]), Sort: string(payer) + "/" + id}
}

func (s claims) claimKey(i *identifier) ledger.Key {
	return ledger.Key{Partition: s.partition("claim", i.Shard[0]), Sort: i.Sort}
}

func (s claims) getID(ctx context.Context, key ledger.Key) (*identifier, error) {
	r, err := s.l.Get(ctx, key)
	if errors.Is(err, ledger.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	i := &identifier{version: r.Version}
	if err := json.Unmarshal(r.Value, i); err != nil || len(i.Shard) != 1 {
		return nil, fmt.Errorf("identifier %s cannot be read", key.Sort)
	}
	return i, nil
}

// putID points an identifier at a claim.
func (s claims) putID(ctx context.Context, key ledger.Key, c *claim, was int64) error {
	part := c.key.Partition
	b, err := json.Marshal(identifier{Request: c.Request, Shard: part[len(part)-1:], Sort: c.key.Sort})
	if err != nil {
		return err
	}
	_, err = s.l.Put(ctx, ledger.Record{Key: key, Value: b, Expires: time.Unix(c.ValidBefore, 0).Add(s.bounds.Keep)}, was)
	return err
}
