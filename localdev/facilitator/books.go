package facilitator

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"time"

	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/pay"
)

// Transfer is a line of the books.
type Transfer struct {
	From        pay.Address `json:"from"`
	Nonce       string      `json:"nonce"`
	To          pay.Address `json:"to"`
	Value       string      `json:"value"`
	Payment     string      `json:"payment"` // EIP-712 digest of the authorization
	Transaction string      `json:"transaction"`
	At          time.Time   `json:"at"`
}

func partition(network string, asset pay.Address) string {
	return "facilitator/" + network + "/" + string(asset)
}

func (t transfer) key() ledger.Key {
	return ledger.Key{Partition: partition(t.network.ID, t.asset), Sort: string(t.from) + "/" + t.nonce}
}

func readTransfer(r ledger.Record) (t Transfer, err error) {
	if err = json.Unmarshal(r.Value, &t); err != nil {
		err = fmt.Errorf("transfer %s: %w", r.Key.Sort, err)
	}
	return t, err
}

// writeLimit is how long the record of a transfer may take.
const writeLimit = 30 * time.Second

// write records a transfer. The caller holds the lock. A caller that goes away does not end it: the ledger might
// write the record after it was given up, and what is in memory would not know of it.
func (f *Facilitator) write(ctx context.Context, t transfer) (transaction, reason string, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeLimit)
	defer cancel()
	line := Transfer{t.from, t.nonce, t.to, t.value.String(), t.payment, transactionOf(t), f.o.Now().UTC()}
	b, err := json.Marshal(line)
	if err != nil {
		return "", "", err
	}
	if _, err := f.o.Ledger.Put(ctx, ledger.Record{Key: t.key(), Value: b}, ledger.Absent); err != nil {
		// It may have been written all the same: what is in memory is read again.
		delete(f.loaded, t.network.ID+"/"+string(t.asset))
		return "", "", err
	}
	f.add(t.network.ID, t.asset, line, t.value)
	return line.Transaction, "", nil
}

// load reads the transfers of an asset once. The caller holds the lock.
func (f *Facilitator) load(ctx context.Context, network string, asset pay.Address) error {
	name := network + "/" + string(asset)
	if _, ok := f.loaded[name]; ok {
		return nil
	}
	for key := range f.balances {
		if strings.HasPrefix(key, name+"/") {
			delete(f.balances, key)
		}
	}
	err := Transfers(ctx, f.o.Ledger, network, asset, func(t Transfer) error {
		value, ok := new(big.Int).SetString(t.Value, 10)
		if !ok {
			return fmt.Errorf("transfer %s/%s has the value %q", t.From, t.Nonce, t.Value)
		}
		f.add(network, asset, t, value)
		return nil
	})
	if err == nil {
		f.loaded[name] = struct{}{}
	}
	return err
}

func (f *Facilitator) add(network string, asset pay.Address, t Transfer, value *big.Int) {
	f.moved[t.Transaction] = t
	for account, sign := range map[pay.Address]int64{t.From: -1, t.To: 1} {
		key := network + "/" + string(asset) + "/" + string(account)
		if f.balances[key] == nil {
			f.balances[key] = new(big.Int)
		}
		f.balances[key].Add(f.balances[key], new(big.Int).Mul(value, big.NewInt(sign)))
	}
}

func (f *Facilitator) balance(network string, asset, account pay.Address) *big.Int {
	b := big.NewInt(StartBalance)
	if moved := f.balances[network+"/"+string(asset)+"/"+string(account)]; moved != nil {
		b.Add(b, moved)
	}
	return b
}

// Transfers lists the books of an asset, ordered by payer and nonce.
func Transfers(ctx context.Context, l ledger.Ledger, network string, asset pay.Address, visit func(Transfer) error) error {
	const page = 1000
	q := ledger.Query{Partition: partition(network, asset), Limit: page}
	for {
		records, err := l.Query(ctx, q)
		if err != nil {
			return err
		}
		for _, r := range records {
			t, err := readTransfer(r)
			if err == nil {
				err = visit(t)
			}
			if err != nil {
				return err
			}
		}
		if len(records) < page {
			return nil
		}
		q.From = records[len(records)-1].Key.Sort + "\x00"
	}
}
