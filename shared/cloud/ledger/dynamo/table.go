package dynamo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"mappe/shared/cloud/pause"
)

// Table is how a table is declared.
type Table struct {
	Partition, Sort Attribute
	TimeToLive      string // the attribute, Unix seconds; "": none
}

// Attribute is one of a table's keys: text (S), binary (B) or a number (N).
type Attribute struct{ Name, Type string }

// layout is the table that the package needs; in AWS the template makes it.
var layout = Table{Attribute{"p", "S"}, Attribute{"s", "B"}, "t"}

// CreateTable makes the table that the package needs on a server of one's own; one that is there is left alone.
func (l *Ledger) CreateTable(ctx context.Context) error {
	_, err := l.Declare(ctx, layout)
	return err
}

// Declare makes the table as it is declared, on a server of one's own, and waits for it; one that is there is left alone,
// which made says. A server without time to live keeps what has expired: nothing depends on it.
func (l *Ledger) Declare(ctx context.Context, t Table) (made bool, err error) {
	_, err = l.client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName: &l.table, BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: &t.Partition.Name, AttributeType: types.ScalarAttributeType(t.Partition.Type)},
			{AttributeName: &t.Sort.Name, AttributeType: types.ScalarAttributeType(t.Sort.Type)},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: &t.Partition.Name, KeyType: types.KeyTypeHash},
			{AttributeName: &t.Sort.Name, KeyType: types.KeyTypeRange},
		},
	})
	var exists *types.ResourceInUseException
	if err != nil && !errors.As(err, &exists) {
		return false, fmt.Errorf("ledger: create table %s: %w", l.table, err)
	}
	made = err == nil
	if err := l.active(ctx); err != nil || !made || t.TimeToLive == "" {
		return made, err
	}
	_, err = l.client.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{TableName: &l.table,
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: &t.TimeToLive, Enabled: aws.Bool(true)}})
	var unknown smithy.APIError
	if errors.As(err, &unknown) && unknown.ErrorCode() == "UnknownOperationException" {
		return made, nil
	}
	if err != nil {
		return made, fmt.Errorf("ledger: time to live of table %s: %w", l.table, err)
	}
	return made, nil
}

// active waits until the table can be used.
func (l *Ledger) active(ctx context.Context) error {
	for {
		out, err := l.client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &l.table})
		if err != nil {
			return fmt.Errorf("ledger: table %s: %w", l.table, err)
		}
		if out.Table.TableStatus == types.TableStatusActive {
			return nil
		}
		if err := pause.For(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
}
