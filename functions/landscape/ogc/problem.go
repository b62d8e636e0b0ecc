package ogc

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"mappe/functions/core/tasks"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// problem is an exception (RFC 7807).
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail,omitempty"`
}

const problemType = "application/problem+json"

// The types of exceptions that the standard names. Others have no type of their own.
const (
	exceptions   = "http://www.opengis.net/def/exceptions/ogcapi-processes-1/1.0/"
	noSuchThing  = exceptions + "no-such-process"
	noSuchJob    = exceptions + "no-such-job"
	notReady     = exceptions + "result-not-ready"
	untyped      = "about:blank"
	headerRetry  = "Retry-After"
	titleRefused = "The execution is refused"
)

// answer is an exception as an answer.
func (p problem) answer(header http.Header) *reply.Bytes {
	body, err := json.Marshal(p)
	if err != nil { // texts and a number
		body = []byte("{}")
	}
	h := http.Header{"Cache-Control": {"no-store"}, "Etag": nil}
	if after := header.Get(headerRetry); after != "" {
		h[headerRetry] = []string{after}
	}
	return &reply.Bytes{ContentType: problemType, Status: p.Status, Body: append(body, '\n'), Header: h}
}

func noProcess(id string) reply.Answer {
	return problem{noSuchThing, "There is no such process", http.StatusNotFound,
		"No process is named " + fault.Shorten(id) + "."}.answer(nil)
}

func noJob(id string) reply.Answer {
	return problem{noSuchJob, "There is no such job", http.StatusNotFound,
		"No job is named " + fault.Shorten(id) + ", or it is forgotten."}.answer(nil)
}

// refused is what is told of an input that is not taken.
func refused(text string) reply.Answer {
	return problem{untyped, titleRefused, http.StatusBadRequest, text}.answer(nil)
}

// excepted is a fault as an exception: of tasks that are not known as the standard has it.
func excepted(err error, id string) (reply.Answer, error) {
	if errors.Is(err, tasks.ErrNotFound) {
		return noJob(id), nil
	}
	f := fault.From(tasks.FaultOf(err, id))
	return problem{untyped, http.StatusText(f.Status()), f.Status(), f.Message}.answer(http.Header{headerRetry: {strconv.Itoa(5)}}), nil
}
