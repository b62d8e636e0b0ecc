package pay

import (
	"strings"
	"testing"
)

// Brackets nest as deep as they are open at once, of either kind; those in texts do not count.
func TestDepth(t *testing.T) {
	for raw, want := range map[string]int{
		``: 0, `1`: 0, `"[{"`: 0, `"\"[["`: 0, `"\\"`: 0, `[]`: 1, `{"a":[1]}`: 2, `[[],[[]]]`: 3, `["]",["["]]`: 2, `["\\",["\"]"]]`: 2,
		`{"a":{},"b":{}}`: 2,
	} {
		if got := depth([]byte(raw)); got != want {
			t.Errorf("%s: want %d, got %d", raw, want, got)
		}
	}
}

// A node's answer may nest as deep as the bound says and no deeper; it is a result or an error, never nothing.
func TestReadRPC(t *testing.T) {
	nested := func(n int) string { // with the object around it n deep
		return `{"result":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + `}`
	}
	for _, c := range []struct{ raw, fault string }{
		{nested(2), ""},
		{nested(maxDepth), ""},
		{nested(maxDepth + 1), "nested deeper than"},
		{`{"result":"0x1"}`, ""},
		{`{"result":null}`, "no answer"},
		{`{}`, "no answer"},
		{`{"error":{"code":-32000,"message":"busy"}}`, "refuses: -32000 busy"},
		{`{"result":"0x1","error":{"code":3,"message":"reverted"}}`, "refuses: 3 reverted"},
		{`{"result":`, "no JSON-RPC"},
	} {
		var into any
		err := readRPC("eth_call", []byte(c.raw), &into)
		if c.fault == "" && (err != nil || into == nil) || c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)) {
			t.Errorf("%.60s: want %q, got %v, %v", c.raw, c.fault, err, into)
		}
	}
	var text string
	if err := readRPC("eth_call", []byte(`{"result":7}`), &text); err == nil || !strings.Contains(err.Error(), "another form") {
		t.Errorf("a number for a text: got %v", err)
	}
}
