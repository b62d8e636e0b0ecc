package press

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"mappe/shared/book/finding"
	"mappe/shared/book/layout"
	"mappe/shared/book/spec"
)

// Fault says why a manuscript could not be opened or a book not be built, for the author.
type Fault struct {
	Plain  string // what is wrong and what to do
	Near   string // text of the manuscript beside the fault; "" where there is no such place
	Detail string // for whoever looks after the press; ""
	cause  error
}

// Error is the text as the service gives it: the sentence, a Near line, a line with the technical detail.
func (f *Fault) Error() string {
	s := f.Plain
	if f.Near != "" {
		s += "\nNear: " + f.Near
	}
	if f.Detail != "" {
		s += "\nTechnical detail: " + f.Detail
	}
	return s
}

// Unwrap is what caused it.
func (f *Fault) Unwrap() error { return f.cause }

// Of finds the Fault of an error; any other error becomes one that blames the press.
func Of(err error) *Fault { return explained("working", "", err) }

// explained is the fault of an error of a step: the error's own, one that says what to change, or one that
// blames the press.
func explained(step, near string, err error) *Fault {
	var f *Fault
	var room *layout.NoRoom
	var field *spec.FieldError
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &room):
		return &Fault{
			Plain:  fmt.Sprintf("The book has about %d pages, and so thick a book needs a margin at the spine that leaves its text too little room. Change the transmittal and build again: %v.", room.Pages, room.Field),
			Detail: "no room", cause: err,
		}
	case errors.As(err, &field):
		return &Fault{
			Plain:  fmt.Sprintf("A member of the transmittal cannot be kept to. Change it and build again: %v.", field),
			Detail: "specification", cause: err,
		}
	case errors.Is(err, layout.ErrTooManyPages):
		return &Fault{
			Plain:  fmt.Sprintf("The book would have more than %d pages. Choose a larger page or smaller type in the transmittal, or divide the manuscript into volumes.", layout.MaxPages),
			Detail: "too many pages", cause: err,
		}
	}
	return internal(step, near, err)
}

const maxDetail = 600

// internal is the fault of an error that no author can mend.
func internal(step, near string, err error) *Fault {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return &Fault{
			Plain:  "The build took longer than it may and was stopped. Build it again; if that happens once more, look in the report for very long paragraphs or words and divide them.",
			Near:   near,
			Detail: fmt.Sprintf("while %s: %v", step, err), cause: err,
		}
	}
	return &Fault{
		Plain:  "The press could not finish this book because of a fault of its own. Your manuscript is unchanged. Please send the studio the technical detail below.",
		Near:   near,
		Detail: oneLine(fmt.Sprintf("while %s: %v", step, err)), cause: err,
	}
}

// oneLine keeps a detail within one line of bounded length.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	if r := []rune(s); len(r) > maxDetail {
		return string(r[:maxDetail]) + "…"
	}
	return s
}

// near makes a Near line of a text.
func near(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		return ""
	}
	return "“" + finding.Excerpt(text) + "”"
}
