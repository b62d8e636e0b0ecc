package dynamo

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"mappe/shared/cloud/ledger"
)

// Conditions of a write. A record is there when it has a value and has not expired.
const (
	isThere = `attribute_exists(b) AND (attribute_not_exists(e) OR e > :now)`
	isGone  = `attribute_not_exists(b) OR e <= :now`
	isAt    = `v = :was AND ` + isThere
)

// write is one conditional update.
type write struct {
	key    ledger.Key
	was    int64
	mark   []byte
	set    []string // beside version and marks
	remove []string
	where  string
	values item
}

func (l *Ledger) newWrite(key ledger.Key, was int64) *write {
	mark := make([]byte, 16)
	rand.Read(mark)
	w := &write{key: key, was: was, mark: mark, values: item{":one": number(1), ":zero": number(0), ":mark": binary(mark),
		":none": binary([]byte{0})}}
	w.set = []string{"v = if_not_exists(v, :zero) + :one", "w0 = :mark"}
	for n := 1; n < marks; n++ { // the right sides are what the item had before
		w.set = append(w.set, fmt.Sprintf("w%d = if_not_exists(w%d, :none)", n, n-1))
	}
	if was == ledger.Any { // sent twice it must not write over what came between
		var others []string
		for n := range marks {
			others = append(others, fmt.Sprintf("(attribute_not_exists(w%d) OR w%d <> :mark)", n, n))
		}
		w.where = strings.Join(others, " AND ")
		return w
	}
	w.values[":now"] = number(ledger.Nanos(l.now()))
	w.where = isGone
	if was != ledger.Absent {
		w.where = isAt
		w.values[":was"] = number(was)
	}
	return w
}

// Put implements ledger.Ledger.
func (l *Ledger) Put(ctx context.Context, r ledger.Record, was int64) (int64, error) {
	if err := errors.Join(ledger.CheckPut(r, was), ctx.Err()); err != nil {
		return 0, err
	}
	w := l.newWrite(r.Key, was)
	w.set = append(w.set, "b = :value")
	if w.values[":value"] = binary(r.Value); r.Value == nil {
		w.values[":value"] = binary([]byte{})
	}
	if r.Expires.IsZero() {
		w.remove = []string{"e", "t"}
	} else {
		w.set = append(w.set, "e = :expires", "t = :forget")
		w.values[":expires"], w.values[":forget"] = number(ledger.Nanos(r.Expires)), forgetAfter(r.Expires)
	}
	version, err := l.carryOut(ctx, w)
	if err != nil {
		return 0, fmt.Errorf("ledger: put %s: %w", r.Key, err)
	}
	return version, nil
}

// Delete implements ledger.Ledger. The item stays for a week to remember the version.
func (l *Ledger) Delete(ctx context.Context, key ledger.Key, was int64) error {
	if err := errors.Join(ledger.CheckDelete(key, was), ctx.Err()); err != nil {
		return err
	}
	w := l.newWrite(key, was)
	w.remove = []string{"b", "e"}
	w.set = append(w.set, "t = :forget")
	w.values[":forget"] = forgetAfter(l.now())
	if was == ledger.Any {
		w.where = "attribute_exists(b) AND " + w.where
	}
	_, err := l.carryOut(ctx, w)
	if was == ledger.Any && (errors.Is(err, ledger.ErrConflict) || errors.Is(err, errUnknown)) {
		return nil // the condition says that there is no record, or that an earlier request has deleted it
	}
	if err != nil {
		return fmt.Errorf("ledger: delete %s: %w", key, err)
	}
	return nil
}

// carryOut sends the write, again where that is safe, and gives the version it made.
func (l *Ledger) carryOut(ctx context.Context, w *write) (int64, error) {
	expression := "SET " + strings.Join(w.set, ", ")
	if len(w.remove) > 0 {
		expression += " REMOVE " + strings.Join(w.remove, ", ")
	}
	in := &dynamodb.UpdateItemInput{
		TableName: &l.table, Key: keyOf(w.key),
		UpdateExpression: &expression, ConditionExpression: &w.where, ExpressionAttributeValues: w.values,
		ReturnValues:                        types.ReturnValueUpdatedNew,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}
	var made item
	repeated, err := repeat(ctx, func(ctx context.Context) error {
		out, err := l.client.UpdateItem(ctx, in)
		if err == nil {
			made = out.Attributes
		}
		return err
	})
	var failed *types.ConditionalCheckFailedException
	if errors.As(err, &failed) {
		return l.refused(ctx, w, failed.Item, repeated)
	}
	if err != nil {
		return 0, err
	}
	return integer(made, "v")
}

var errUnknown = errors.New("whether the record was written is unknown: the answer was lost, and others have written since")

// refused decides what a failed condition means. repeated: an earlier request may have been carried out.
func (l *Ledger) refused(ctx context.Context, w *write, found item, repeated bool) (int64, error) {
	if !repeated {
		return 0, ledger.ErrConflict
	}
	if found == nil { // there is no record, or the server does not send it along
		var err error
		if found, err = l.item(ctx, w.key); err != nil {
			return 0, fmt.Errorf("whether the record was written is unknown: %w", err)
		}
	}
	if version, ours := writtenBy(found, w.mark); ours {
		return version, nil
	}
	if found == nil {
		return 0, ledger.ErrConflict
	}
	v, err := integer(found, "v")
	if err != nil {
		return 0, err
	}
	if v-marks > max(w.was, 0) { // ours may be one that the item no longer remembers
		return 0, fmt.Errorf("%w (version %s)", errUnknown, strconv.FormatInt(v, 10))
	}
	return 0, ledger.ErrConflict
}
