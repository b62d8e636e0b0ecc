package stack

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Table is an AWS::DynamoDB::Table.
type Table struct {
	Name            string // on this machine
	Partition, Sort Attribute
	TimeToLive      string // the attribute; "": none
}

// Attribute is a key of a table: text (S), binary (B) or a number (N).
type Attribute struct{ Name, Type string }

// table reads a table that is charged by the request and has two keys. Indexes, and capacity that is paid in advance, would
// change how a request is answered.
func (s *scope) table(st *Stack, name, resource *yaml.Node) error {
	p := child(resource, "Properties")
	if err := s.onlyKeys(p, name.Value, "BillingMode", "DeletionProtectionEnabled", "AttributeDefinitions", "KeySchema",
		"TimeToLiveSpecification", "PointInTimeRecoverySpecification", "SSESpecification"); err != nil {
		return err
	}
	if mode := child(p, "BillingMode"); mode == nil || mode.Value != "PAY_PER_REQUEST" {
		return s.errorf(name, "%s: only BillingMode PAY_PER_REQUEST is emulated", name.Value)
	}
	t := Table{Name: "local-" + strings.ToLower(name.Value)}
	types := map[string]string{}
	for _, a := range items(child(p, "AttributeDefinitions")) {
		of, kind := child(a, "AttributeName"), child(a, "AttributeType")
		if of == nil || kind == nil || !slices.Contains([]string{"S", "B", "N"}, kind.Value) {
			return s.errorf(a, "%s: want an AttributeName and an AttributeType of S, B or N", name.Value)
		}
		types[of.Value] = kind.Value
	}
	for _, key := range items(child(p, "KeySchema")) {
		of, kind := child(key, "AttributeName"), child(key, "KeyType")
		if of == nil || kind == nil || types[of.Value] == "" {
			return s.errorf(key, "%s: want a KeyType and an AttributeName that AttributeDefinitions has", name.Value)
		}
		switch kind.Value {
		case "HASH":
			t.Partition = Attribute{of.Value, types[of.Value]}
		case "RANGE":
			t.Sort = Attribute{of.Value, types[of.Value]}
		}
	}
	if t.Partition.Name == "" || t.Sort.Name == "" || len(types) != 2 {
		return s.errorf(name, "%s: want a HASH and a RANGE key and no other attributes", name.Value)
	}
	if ttl := child(p, "TimeToLiveSpecification"); ttl != nil {
		of, enabled := child(ttl, "AttributeName"), child(ttl, "Enabled")
		if of == nil || enabled == nil {
			return s.errorf(ttl, "%s: TimeToLiveSpecification: want AttributeName and Enabled", name.Value)
		}
		if enabled.Value == "true" {
			t.TimeToLive = of.Value
		}
	}
	st.Tables = append(st.Tables, t)
	return nil
}
