package dynamo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"mappe/shared/cloud/pause"
)

// CreateTable makes the table on a server of one's own and waits for it; one that is there is left alone.
// In AWS the template makes it (with time to live on t, which only forgets: nothing depends on it).
func (l *Ledger) CreateTable(ctx context.Context) error {
	_, err := l.client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName: &l.table, BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("p"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("s"), AttributeType: types.ScalarAttributeTypeB},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("p"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("s"), KeyType: types.KeyTypeRange},
		},
	})
	var exists *types.ResourceInUseException
	if err != nil && !errors.As(err, &exists) {
		return fmt.Errorf("ledger: create table %s: %w", l.table, err)
	}
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
