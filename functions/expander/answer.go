package expander

import (
	"bytes"
	"slices"
	"sync"

	"mappe/shared/recurrence"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// body is what preview and expand are asked. Everything that is wrong in it is answered at once.
var body = endpoint.ParsedBody(bodyDoc, recurrence.MaxBody, recurrence.Request{}, func(data []byte) (recurrence.Request, error) {
	return Read(data, recurrence.Full)
}).OnlyJSON()

const bodyDoc = "an object with rules, and limit where it is wanted"

// Read reads a body. Its size is bounded unless the limits admit more rules than a request of the service
// has. The error is a *fault.Fault.
func Read(data []byte, l recurrence.Limits) (recurrence.Request, error) {
	decode := recurrence.Decode
	if l.Rules > recurrence.Full.Rules {
		decode = recurrence.DecodeUnbounded
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return recurrence.Request{}, ownForm(fault.New(fault.BadBody, "the body is empty: expected %s", bodyDoc))
	}
	r, err := decode(data)
	if err != nil {
		err = refusalOf(err)
	}
	return r, err
}

// The sizes answers have about, so that their bytes are written once.
const (
	occurrenceBytes = 112
	anomalyBytes    = 300
)

// Answer is the body of a response: the same bytes for the same request and limits, wherever it runs. The
// error is a *fault.Fault.
func Answer(r recurrence.Request, l recurrence.Limits) ([]byte, error) {
	return appendAnswer(nil, r, l)
}

func appendAnswer(dst []byte, r recurrence.Request, l recurrence.Limits) ([]byte, error) {
	response, err := recurrence.Expand(r, l)
	if err != nil {
		return dst, refusalOf(err)
	}
	size := 1024 + response.TotalOccurrences*occurrenceBytes
	for i := range response.Results {
		size += 512 + len(response.Results[i].Anomalies)*anomalyBytes
	}
	return append(response.AppendJSON(slices.Grow(dst, size)), '\n'), nil
}

// buffers keeps the memory of answers for the next: clearing a megabyte costs as much as filling it.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// mostKept bounds a kept buffer; the largest answer has about 5 MB, when every occurrence is an anomaly.
const mostKept = 8 << 20

func answer(r recurrence.Request, l recurrence.Limits) (reply.Answer, error) {
	buffer := buffers.Get().(*[]byte)
	b, err := appendAnswer((*buffer)[:0], r, l)
	if cap(b) <= mostKept {
		*buffer = b
	}
	if err != nil {
		buffers.Put(buffer)
		return nil, err
	}
	return &reply.Bytes{ContentType: "application/json", Body: b, Done: func() { buffers.Put(buffer) }}, nil
}
