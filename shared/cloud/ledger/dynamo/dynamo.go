// Package dynamo keeps a ledger in one DynamoDB table: for functions, of which many run at once.
//
// The table has a partition key p (text), a sort key s (binary: compared as bytes, and a bound of a query
// may be any) and time to live on t. An item:
//
//	p       S  Key.Partition
//	s       B  Key.Sort
//	b       B  the value; missing when the record was deleted
//	v       N  version: writes and deletes of the key
//	e       N  when it expires, Unix nanoseconds; missing: never
//	t       N  when DynamoDB may forget the item, Unix seconds; missing: never
//	w0..w3  B  marks of the last four writes, newest first
//
// A request whose answer was lost is sent again. When it had been carried out, its condition fails the
// second time; its mark in the item then says that this was our own write and at which version.
// Reads are consistent reads.
package dynamo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"mappe/shared/cloud/awsenv"
	"mappe/shared/cloud/ledger"
)

// Options of Open. What is empty is taken from the environment (package awsenv; AWS_ENDPOINT_URL_DYNAMODB).
type Options struct {
	Region   string
	Endpoint string           // another server than AWS's; on this machine it needs no credentials
	Now      func() time.Time // the clock that Expires is held against; time.Now
}

// Ledger is a ledger.Ledger over one table.
type Ledger struct {
	client *dynamodb.Client
	table  string
	now    func() time.Time
}

var _ ledger.Ledger = (*Ledger)(nil)

var tableName = regexp.MustCompile(`^[A-Za-z0-9_.-]{3,255}$`)

// Open makes a client; it does not ask the server whether the table is there.
func Open(table string, o Options) (*Ledger, error) {
	if !tableName.MatchString(table) {
		return nil, fmt.Errorf("ledger: table %q: want 3 to 255 letters, digits, dots, dashes and underscores", table)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	c, err := configure(o)
	if err != nil {
		return nil, fmt.Errorf("ledger: DynamoDB: %w", err)
	}
	return &Ledger{client: dynamodb.New(c), table: table, now: o.Now}, nil
}

func configure(o Options) (dynamodb.Options, error) {
	// The package repeats requests itself: it has to know which of them may have been carried out.
	c := dynamodb.Options{Region: o.Region, Retryer: aws.NopRetryer{}}
	endpoint := o.Endpoint
	if endpoint == "" {
		endpoint = os.Getenv("AWS_ENDPOINT_URL_DYNAMODB")
	}
	here := false
	if endpoint != "" {
		u, err := url.Parse(endpoint)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return c, fmt.Errorf("endpoint %q: want http://host:port or https://host", endpoint)
		}
		here = awsenv.Here(u)
		c.BaseEndpoint = &endpoint
	}
	var err error
	if c.Region == "" {
		if c.Region, err = awsenv.Region(); err != nil && !here {
			return c, err
		}
	}
	c.Credentials, err = awsenv.Keys()
	if here {
		c.Region = cmp.Or(c.Region, "us-east-1")
		if err != nil {
			c.Credentials, err = awsenv.LocalKeys(), nil
		}
	}
	return c, err
}

// Get implements ledger.Ledger.
func (l *Ledger) Get(ctx context.Context, key ledger.Key) (ledger.Record, error) {
	if err := errors.Join(key.Check(), ctx.Err()); err != nil {
		return ledger.Record{}, err
	}
	i, err := l.item(ctx, key)
	if err != nil {
		return ledger.Record{}, fmt.Errorf("ledger: get %s: %w", key, err)
	}
	r, there, err := record(i, l.now())
	switch {
	case err != nil:
		return ledger.Record{}, fmt.Errorf("ledger: get %s: %w", key, err)
	case !there:
		return ledger.Record{}, fmt.Errorf("ledger: %s: %w", key, ledger.ErrNotFound)
	}
	return r, nil
}

// item reads what the table has under the key, deleted and expired or not.
func (l *Ledger) item(ctx context.Context, key ledger.Key) (item, error) {
	in := &dynamodb.GetItemInput{TableName: &l.table, Key: keyOf(key), ConsistentRead: aws.Bool(true)}
	var found item
	_, err := repeat(ctx, func(ctx context.Context) error {
		out, err := l.client.GetItem(ctx, in)
		if err == nil {
			found = out.Item
		}
		return err
	})
	return found, err
}
