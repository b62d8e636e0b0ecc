package recurrence

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// A body of the wrong form is refused by rule, member, value and what is allowed, in words of JSON.
func TestDecodeRefuses(t *testing.T) {
	const good = `"rrule":"FREQ=DAILY","tz":"UTC","start":"2027-01-01T00:00:00"`
	for _, c := range []struct {
		body         string
		rule         int // -1: the request itself
		field, value string
		allowed      string
	}{
		{`[]`, -1, "body", "[]", "rules and limit"},
		{`"x"`, -1, "body", `"x"`, "rules and limit"},
		{`{`, -1, "body", "", "it ends early, at byte 1"},
		{`{"rules":[}`, -1, "body", "}", "the fault is at byte 10"},
		{`{"rules":[]} {}`, -1, "body", "{", "an object of rules and limit, in JSON; the fault is at byte 13"},
		{`{"rules":[`, -1, "body", "", "an object of rules and limit, in JSON; it ends early, at byte 10"},
		{`{"rules":[{"id":"a`, -1, "body", "", "it ends early, at byte 18"},
		{`{"rules":tru}`, -1, "body", "}", "the fault is at byte 12"},
		{`{"rules":NaN}`, -1, "body", "NaN", "the fault is at byte 9"},
		{`{"rules":[],}`, -1, "body", "}", "the fault is at byte 12"},
		{`rules`, -1, "body", "rules", "the fault is at byte 0"},
		{` `, -1, "body", "", "it is empty"},
		{`{"rules":{}}`, -1, "rules", "{}", "an array"},
		{`{"rules":["x"]}`, 0, "rules", `"x"`, "an object"},
		{`{"limit":"5","rules":[]}`, -1, "limit", `"5"`, "whole number"},
		{`{"limit":1,"limit":2,"rules":[]}`, -1, "limit", "2", "once"},
		{`{"Rules":[]}`, -1, "Rules", "[]", "rules and limit"},
		{`{"rules":[{` + good + `},{"id":"b","count":"3",` + good + `}]}`, 1, "count", `"3"`, "whole number, 1 to 500"},
		{`{"rules":[{"count":1.5,` + good + `}]}`, 0, "count", "1.5", "whole number"},
		{`{"rules":[{"count":99999999999999999999,` + good + `}]}`, 0, "count", "99999999999999999999", "1 to 500"},
		{`{"rules":[{"tz":5}]}`, 0, "tz", "5", "a text"},
		{`{"rules":[{"exdates":"2027-01-01",` + good + `}]}`, 0, "exdates", `"2027-01-01"`, "an array of texts"},
		{`{"rules":[{"exdates":[1],` + good + `}]}`, 0, "exdates", "[1]", "an array of texts"},
		{`{"rules":[{"tz":"Europe/Vienna",` + good + `}]}`, 0, "tz", `"UTC"`, "once"},
		{`{"rules":[{"TZ":"UTC",` + good + `}]}`, 0, "TZ", `"UTC"`, "tz, start"},
		{` { "rules" : [ { "count" : 12 , "t\u007a" : 5 } ] } `, 0, "tz", "5", "a text"},
		{`{"rules":[{"exdates":["}",null,"]"]}]}`, 0, "exdates", `["}",null,"]"]`, "an array of texts"},
		{`{"rules":[{"timezone":"UTC",` + good + `}]}`, 0, "timezone", `"UTC"`, "tz, start"},
	} {
		_, err := Decode([]byte(c.body))
		var list Faults
		if !errors.As(err, &list) || len(list) != 1 {
			t.Errorf("%s: %v", c.body, err)
			continue
		}
		f := list[0]
		rule := -1
		if f.Rule != nil {
			rule = *f.Rule
		}
		if rule != c.rule || f.Field != c.field || f.Value != c.value || !strings.Contains(f.Allowed, c.allowed) {
			t.Errorf("%s: rule %d, field %q, value %q, allowed %q", c.body, rule, f.Field, f.Value, f.Allowed)
		}
		for _, inner := range []string{"recurrence.", "json:", "Go "} {
			if strings.Contains(f.Message, inner) {
				t.Errorf("%s: the message speaks of the program: %s", c.body, f.Message)
			}
		}
	}
}

func TestDecodeNamesTheRule(t *testing.T) {
	_, err := Decode([]byte(`{"rules":[{"count":"x","id":"payroll"}]}`))
	var list Faults
	if !errors.As(err, &list) || list[0].ID != "payroll" {
		t.Fatalf("%+v", err)
	}
}

// A null member is one that is not there, and faults are bounded.
func TestDecodeNullAndMany(t *testing.T) {
	if r, err := Decode([]byte(`{"rules":[{"id":null,"count":null,"tz":"UTC"}],"limit":null}`)); err != nil || len(r.Rules) != 1 {
		t.Errorf("%+v %v", r, err)
	}
	_, err := Decode([]byte(`{"rules":[` + strings.Repeat(`0,`, 20_000) + `0]}`))
	var list Faults
	if !errors.As(err, &list) || len(list) != maxFaults {
		t.Errorf("%d faults", len(list))
	}
}

// What the check passes, the reader reads, and the check itself never fails.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{`{"rules":[{"id":"\\"","exdates":["a"],"count":-1}],"limit":2}`, `{}`, ` null `, `[1,{"a":[]}]`,
		`{"rules":[[],"]",1e9]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		err := checkBody(body)
		var r Request
		if read := json.Unmarshal(body, &r); (err == nil) && read != nil {
			t.Fatalf("%q passes and cannot be read: %v", body, read)
		}
		if list, ok := errors.AsType[Faults](err); ok && (len(list) == 0 || len(list) > maxFaults) {
			t.Fatalf("%q: %d faults", body, len(list))
		}
	})
}
