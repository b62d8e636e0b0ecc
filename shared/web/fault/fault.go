// Package fault is the one error type that crosses the border to a client: a code, the parameter it
// speaks of, the value that was given, what is allowed. One table maps codes to HTTP statuses. It owns
// the JSON form of an error and the "nearest known name" hint; it writes no headers (shared/web/reply does).
//
// A handler returns a *Fault for everything the client can mend. Any other error becomes a 500 whose
// text is only logged.
package fault

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Code names a kind of failure; it is part of the published error form and never changes its meaning.
type Code string

// The codes.
const (
	Missing          Code = "missing_parameter"   // a required selector is absent
	Unknown          Code = "unknown_parameter"   // no parameter or body member has this name
	Duplicate        Code = "duplicate_parameter" // given twice, or together with its alias
	Invalid          Code = "invalid_value"       // not readable, not one of the allowed values
	OutOfRange       Code = "out_of_range"        // readable, but outside the bounds
	Conflict         Code = "conflicting_parameters"
	BadBody          Code = "invalid_body" // the body as a whole cannot be read
	BadCursor        Code = "invalid_cursor"
	Malformed        Code = "malformed_request" // broken percent-encoding, not UTF-8
	NotFound         Code = "not_found"         // the path names nothing
	NoData           Code = "no_data"           // sibling contract: the KG has none
	MethodNotAllowed Code = "method_not_allowed"
	Exists           Code = "conflict" // the same key with other content
	TooLarge         Code = "too_large"
	LongURL          Code = "url_too_long"
	UnsupportedType  Code = "unsupported_media_type"
	RateLimited      Code = "rate_limited"
	// UnsatisfiableRange: the part of a file that was asked for begins behind its end.
	UnsatisfiableRange Code = "unsatisfiable_range"
	Unauthorized       Code = "unauthorized"
	PaymentRequired    Code = "payment_required"
	Forbidden          Code = "forbidden" // who asks is known and may not
	Internal           Code = "internal"
	Unavailable        Code = "unavailable"
)

// AllCodes lists every code in the order above.
func AllCodes() []Code {
	return []Code{Missing, Unknown, Duplicate, Invalid, OutOfRange, Conflict, BadBody, BadCursor, Malformed, NotFound,
		NoData, MethodNotAllowed, Exists, TooLarge, LongURL, UnsupportedType, UnsatisfiableRange, RateLimited, Unauthorized,
		PaymentRequired, Forbidden, Internal, Unavailable}
}

// Status is the HTTP status of a code: 400 for every fault of input, never 422.
func (c Code) Status() int {
	switch c {
	case Missing, Unknown, Duplicate, Invalid, OutOfRange, Conflict, BadBody, BadCursor, Malformed:
		return 400
	case Unauthorized:
		return 401
	case PaymentRequired:
		return 402
	case Forbidden:
		return 403
	case NotFound, NoData:
		return 404
	case MethodNotAllowed:
		return 405
	case Exists:
		return 409
	case TooLarge:
		return 413
	case LongURL:
		return 414
	case UnsupportedType:
		return 415
	case UnsatisfiableRange:
		return 416
	case RateLimited:
		return 429
	case Unavailable:
		return 503
	}
	return 500
}

// Detail speaks of one parameter or body member ("points[3].lon").
type Detail struct {
	Parameter string `json:"parameter"`
	Value     string `json:"value"`    // as given, at most maxValue characters
	Expected  string `json:"expected"` // what is allowed
}

// Fault is the error a client sees.
type Fault struct {
	Code       Code
	Message    string
	Details    []Detail
	Allow      []string      // MethodNotAllowed: the methods that work
	RetryAfter time.Duration // RateLimited, Unavailable; rounded up to whole seconds
	Errors     any           // stands for Details where a service has a form of its own for them
	Split      any           // TooLarge: smaller requests that together give the same answer
	Size       int64         // UnsatisfiableRange: the length of the file in bytes
	// Members are further members of the body that a service's specification gives a failure (a balance
	// beside a 402); none has the name of another member.
	Members map[string]any
	cause   error
}

// maxValue bounds how much of a foreign value is repeated to the client.
const maxValue = 64

func (f *Fault) Error() string {
	if f.cause != nil {
		return f.Message + ": " + f.cause.Error()
	}
	return f.Message
}

// Unwrap is the inner error, which is logged and never sent.
func (f *Fault) Unwrap() error { return f.cause }

// Status is the HTTP status.
func (f *Fault) Status() int { return f.Code.Status() }

// Because attaches the inner error for the log.
func (f *Fault) Because(err error) *Fault { f.cause = err; return f }

// Of is a fault about one parameter.
func Of(code Code, parameter, value, expected string) *Fault {
	parameter, value = Shorten(parameter), Shorten(value)
	var msg string
	given := fmt.Sprintf(" (value %q)", value)
	if value == "" {
		given = "" // an empty text tells nobody anything
	}
	switch code {
	case Missing:
		msg = fmt.Sprintf("parameter %s is required: expected %s", parameter, expected)
	case Unknown:
		msg = fmt.Sprintf("parameter %s is unknown%s: expected %s", parameter, given, expected)
	case Duplicate:
		msg = fmt.Sprintf("parameter %s is given more than once%s: expected %s", parameter, given, expected)
	case OutOfRange:
		msg = fmt.Sprintf("parameter %s is out of range (value %q): expected %s", parameter, value, expected)
	default:
		msg = fmt.Sprintf("parameter %s has the value %q: expected %s", parameter, value, expected)
	}
	return &Fault{Code: code, Message: msg, Details: []Detail{{parameter, value, expected}}}
}

// BadValue says a value cannot be read.
func BadValue(parameter, value, expected string) *Fault {
	return Of(Invalid, parameter, value, expected)
}

// UnknownName says no parameter has this name, what names there are and which is nearest.
func UnknownName(name, value string, known []string) *Fault {
	expected := "no parameters"
	if len(known) > 0 {
		expected = "one of " + strings.Join(known, ", ")
	}
	return Of(Unknown, name, value, expected+DidYouMean(name, known))
}

// New is a fault without a parameter.
func New(code Code, format string, args ...any) *Fault {
	return &Fault{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Missed is a 404: what was looked for (for example "parcel") and its name.
func Missed(what, name string) *Fault {
	return New(NotFound, "there is no %s %s", what, Shorten(name))
}

// Retry is a fault the client may answer by trying again after a while.
func Retry(code Code, after time.Duration, format string, args ...any) *Fault {
	f := New(code, format, args...)
	f.RetryAfter = after
	return f
}

// From finds the fault in an error; any other error becomes an Internal fault that quotes nothing.
func From(err error) *Fault {
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	return (&Fault{Code: Internal, Message: "the service failed to answer this request; the request_id helps to find out why"}).Because(err)
}

// Shorten makes a foreign value safe to repeat: valid UTF-8, at most 64 characters.
func Shorten(s string) string {
	if len(s) > 4*maxValue+4 {
		s = s[:4*maxValue+4]
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	if utf8.RuneCountInString(s) <= maxValue {
		return s
	}
	r := []rune(s)
	return string(r[:maxValue]) + "…"
}
