package stack

import (
	"reflect"
	"strings"
	"testing"
)

const tableTemplate = `Resources:
  Bucket: { Type: "AWS::S3::Bucket" }
  Ledger:
    Type: AWS::DynamoDB::Table
    Properties:
      BillingMode: PAY_PER_REQUEST
      AttributeDefinitions:
        - { AttributeName: p, AttributeType: S }
        - { AttributeName: s, AttributeType: B }
      KeySchema:
        - { AttributeName: p, KeyType: HASH }
        - { AttributeName: s, KeyType: RANGE }
      TimeToLiveSpecification: { AttributeName: t, Enabled: true }
`

func TestTablesAndBuckets(t *testing.T) {
	st, err := Parse("t.yaml", []byte(tableTemplate), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := (Table{"local-ledger", Attribute{"p", "S"}, Attribute{"s", "B"}, "t"}); len(st.Tables) != 1 || st.Tables[0] != want {
		t.Errorf("want %+v, got %+v", want, st.Tables)
	}
	if want := []string{"local-bucket"}; !reflect.DeepEqual(st.Buckets, want) {
		t.Errorf("want %v, got %v", want, st.Buckets)
	}
	for _, c := range []struct{ name, from, to, want string }{
		{"paid in advance", "PAY_PER_REQUEST", "PROVISIONED", "only BillingMode PAY_PER_REQUEST"},
		{"an index", "BillingMode:", "GlobalSecondaryIndexes: []\n      BillingMode:", "GlobalSecondaryIndexes is not emulated"},
		{"another type", "AttributeType: B", "AttributeType: M", "AttributeType of S, B or N"},
		{"a key that is not declared", "AttributeName: s, KeyType", "AttributeName: x, KeyType", "AttributeDefinitions"},
		{"one key", "        - { AttributeName: s, KeyType: RANGE }\n", "", "want a HASH and a RANGE key"},
		{"time to live of nothing", "AttributeName: t, Enabled", "Enabled", "want AttributeName and Enabled"},
	} {
		_, err := Parse("t.yaml", []byte(strings.Replace(tableTemplate, c.from, c.to, 1)), Options{})
		if err == nil || !strings.HasPrefix(err.Error(), "t.yaml:") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want an error with the line and %q, got %v", c.name, c.want, err)
		}
	}
}

// TestTheProjectsTable: the ledger's package works on the table that the project's template declares.
func TestTheProjectsTable(t *testing.T) {
	st, err := Load("../../../template.yaml", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := (Table{"local-ledger", Attribute{"p", "S"}, Attribute{"s", "B"}, "t"}); len(st.Tables) != 1 || st.Tables[0] != want {
		t.Errorf("want %+v, got %+v", want, st.Tables)
	}
	if len(st.Buckets) != 3 {
		t.Errorf("want three buckets, got %v", st.Buckets)
	}
}
