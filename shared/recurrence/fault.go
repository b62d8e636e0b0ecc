package recurrence

import "strings"

// Fault is one reason to refuse a request.
type Fault struct {
	Rule    *int   `json:"rule,omitempty" doc:"index of the rule; absent where the request itself is meant"`
	ID      string `json:"id,omitempty" doc:"the rule's id"`
	Field   string `json:"field" doc:"the member at fault"`
	Value   string `json:"value,omitempty" doc:"what was given, at most 100 bytes of it"`
	Allowed string `json:"allowed" doc:"what is allowed"`
	Message string `json:"message"`
}

// Faults is the error of a request that is refused: every fault found, at most maxFaults.
type Faults []Fault

const maxFaults = 100

func (f Faults) Error() string {
	var b strings.Builder
	for i, fault := range f {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(fault.Message)
	}
	return b.String()
}

func refuse(field, value, allowed string) Faults { return Faults{newFault(field, value, allowed)} }

func newFault(field, value, allowed string) Fault {
	value = strings.ToValidUTF8(value[:min(len(value), 100)], "")
	f := Fault{Field: field, Value: value, Allowed: allowed, Message: "expected " + allowed}
	subject := field
	if value != "" {
		subject = strings.TrimSpace(field + ` "` + value + `"`)
	}
	if subject != "" {
		f.Message = subject + ": " + f.Message
	}
	return f
}

// ruleFaults gathers the faults of one rule.
type ruleFaults struct {
	index int
	id    string
	list  Faults
}

func (r *ruleFaults) add(field, value, allowed string) {
	f := newFault(field, value, allowed)
	index := r.index
	f.Rule, f.ID = &index, r.id
	r.list = append(r.list, f)
}
