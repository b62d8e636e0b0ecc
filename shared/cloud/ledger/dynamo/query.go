package dynamo

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"mappe/shared/cloud/ledger"
)

// leastPage is how many items a further page asks for: what the first page lacked was deleted or expired.
const leastPage = 100

// Query implements ledger.Ledger. DynamoDB reads deleted and expired items too, until it forgets them.
func (l *Ledger) Query(ctx context.Context, q ledger.Query) ([]ledger.Record, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if q.Empty() {
		return nil, nil
	}
	in := l.queryInput(q)
	var out []ledger.Record
	for page := 0; ; page++ {
		in.Limit = aws.Int32(int32(q.Limit - len(out) + 1)) // To itself may be among them
		if page > 0 {
			in.Limit = aws.Int32(max(*in.Limit, leastPage))
		}
		var answer *dynamodb.QueryOutput
		_, err := repeat(ctx, func(ctx context.Context) (err error) {
			answer, err = l.client.Query(ctx, in)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("ledger: query %s: %w", q.Partition, err)
		}
		for _, i := range answer.Items {
			r, there, err := record(i, l.now())
			if err != nil {
				return nil, fmt.Errorf("ledger: query %s: %w", q.Partition, err)
			}
			if there && (q.To == "" || r.Key.Sort < q.To) {
				if out = append(out, r); len(out) == q.Limit {
					return out, nil
				}
			}
		}
		if in.ExclusiveStartKey = answer.LastEvaluatedKey; len(in.ExclusiveStartKey) == 0 {
			return out, nil
		}
	}
}

func (l *Ledger) queryInput(q ledger.Query) *dynamodb.QueryInput {
	condition, values := "p = :p", item{":p": text(q.Partition)}
	switch {
	case q.From != "" && q.To != "":
		condition += " AND s BETWEEN :from AND :to" // To included: there is no other way to give both
	case q.From != "":
		condition += " AND s >= :from"
	case q.To != "":
		condition += " AND s < :to"
	}
	if q.From != "" {
		values[":from"] = binary([]byte(q.From))
	}
	if q.To != "" {
		values[":to"] = binary([]byte(q.To))
	}
	return &dynamodb.QueryInput{
		TableName: &l.table, ConsistentRead: aws.Bool(true), ScanIndexForward: aws.Bool(!q.Descending),
		KeyConditionExpression: &condition, ExpressionAttributeValues: values,
	}
}
