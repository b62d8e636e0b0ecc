package expander

import (
	"errors"
	"fmt"

	"mappe/shared/recurrence"
	"mappe/shared/web/fault"
)

// refusalShape is the form of every error.
type refusalShape struct {
	Error     string             `json:"error" doc:"the first fault in words"`
	Status    int                `json:"status"`
	Code      string             `json:"code"`
	Errors    []recurrence.Fault `json:"errors,omitempty" doc:"every fault found, at most 100"`
	RequestID string             `json:"request_id,omitempty"`
}

// refusalOf is the fault that an error of the engine becomes: 400, every fault listed.
func refusalOf(err error) *fault.Fault {
	var list recurrence.Faults
	if !errors.As(err, &list) || len(list) == 0 {
		return fault.From(err)
	}
	f := fault.New(fault.Invalid, "%s", list[0].Message)
	if r := list[0].Rule; r != nil {
		f.Message = fmt.Sprintf("rule %d: %s", *r, f.Message)
	}
	if n := len(list) - 1; n > 0 {
		f.Message += fmt.Sprintf(" (and %d more in errors)", n)
	}
	f.Errors = list
	return f
}

// ownForm gives the faults of the plumbing the same form: a field, a value, what is allowed.
func ownForm(f *fault.Fault) *fault.Fault {
	if f.Errors != nil || f.Status() >= 500 {
		return f
	}
	own := *f
	list := recurrence.Faults{}
	for _, d := range f.Details {
		list = append(list, recurrence.Fault{Field: d.Parameter, Value: d.Value, Allowed: d.Expected, Message: f.Message})
	}
	if len(list) == 0 {
		list = append(list, recurrence.Fault{Field: fieldOf(f.Code), Message: f.Message})
	}
	own.Errors, own.Details = list, nil
	return &own
}

// fieldOf is what a fault without a parameter speaks of.
func fieldOf(c fault.Code) string {
	switch c {
	case fault.MethodNotAllowed:
		return "method"
	case fault.NotFound:
		return "path"
	case fault.RateLimited:
		return "rate"
	}
	return "body"
}
