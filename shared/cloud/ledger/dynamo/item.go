package dynamo

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"mappe/shared/cloud/ledger"
)

type item = map[string]types.AttributeValue

// marks is how many writes an item remembers. A lost answer stays unknown only when more writes than
// these came between the request and its repetition.
const marks = 4

func text(s string) types.AttributeValue   { return &types.AttributeValueMemberS{Value: s} }
func binary(b []byte) types.AttributeValue { return &types.AttributeValueMemberB{Value: b} }
func number(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

func keyOf(k ledger.Key) item { return item{"p": text(k.Partition), "s": binary([]byte(k.Sort))} }

// record reads an item; there is false for a record that is deleted, expired or was never there.
func record(i item, now time.Time) (r ledger.Record, there bool, err error) {
	value, ok := i["b"].(*types.AttributeValueMemberB)
	if !ok {
		return ledger.Record{}, false, nil
	}
	p, isText := i["p"].(*types.AttributeValueMemberS)
	s, isBinary := i["s"].(*types.AttributeValueMemberB)
	if !isText || !isBinary {
		return ledger.Record{}, false, fmt.Errorf("an item of the table has no keys p (text) and s (binary)")
	}
	r = ledger.Record{Key: ledger.Key{Partition: p.Value, Sort: string(s.Value)}, Value: value.Value}
	if r.Version, err = integer(i, "v"); err != nil {
		return ledger.Record{}, false, err
	}
	if i["e"] != nil {
		e, err := integer(i, "e")
		if err != nil {
			return ledger.Record{}, false, err
		}
		r.Expires = ledger.Time(e)
	}
	return r, r.Expires.IsZero() || r.Expires.After(now), nil
}

func integer(i item, name string) (int64, error) {
	n, ok := i[name].(*types.AttributeValueMemberN)
	if !ok {
		return 0, fmt.Errorf("attribute %s of an item is no number", name)
	}
	v, err := strconv.ParseInt(n.Value, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("attribute %s of an item: %w", name, err)
	}
	return v, nil
}

// writtenBy looks for the mark among the item's last writes and gives the version that write made.
func writtenBy(i item, mark []byte) (version int64, ours bool) {
	for n := range marks {
		if w, ok := i["w"+strconv.Itoa(n)].(*types.AttributeValueMemberB); ok && bytes.Equal(w.Value, mark) {
			v, err := integer(i, "v")
			return v - int64(n), err == nil
		}
	}
	return 0, false
}

// forgetAfter is the time to live of a record that is gone at the given time.
func forgetAfter(gone time.Time) types.AttributeValue {
	return number(gone.Add(ledger.Remember).Unix() + 1)
}
