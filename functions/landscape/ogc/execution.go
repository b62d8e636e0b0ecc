package ogc

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"mappe/functions/core/drawn"
	"mappe/functions/core/tasks"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/jsonin"
	"mappe/shared/web/kept"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

// How long an execution waits that is to be answered at once, and how often it looks.
const (
	patience = 40 * time.Second
	look     = 150 * time.Millisecond
)

// execute is the shape of a request.
type execute struct {
	Inputs   map[string]any `json:"inputs"`
	Outputs  map[string]any `json:"outputs,omitempty" doc:"result: {transmissionMode: value}"`
	Response string         `json:"response,omitempty" enum:"raw,document"`
}

// The forms of a result.
const (
	raw      = "raw"
	document = "document"
)

// order is a request as it was read.
type order struct {
	values url.Values
	body   []byte // nil: none
	form   string // raw or document
}

func (s *service) execution() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/ogc/processes/{process_id}/execution", ID: "processes_execute", Tag: tag, Summary: "Run a process",
		Doc: "With the header Prefer: respond-async the answer is 201 with the job; without it the result, or 503 where that takes " +
			"longer than 40 s. " +
			"An area of 1 km² takes some seconds. Each execution is a job of its own, kept for 7 days. An input may be {href, type}: the address " +
			"of a result, of a share, whose area it is then, or of an artefact of this service, and of hosts that the operator allows; at most " +
			"4 MB each, all of an execution within 10 s.",
		Params: []endpoint.AnyParam{processID}, Cache: endpoint.Live,
		Body: endpoint.Unread(plain, "{inputs, outputs, response}: the inputs that the process describes, by value or as {href, type}; "+
			"response is raw (the default) or document.", drawn.MaxBytes, execute{}),
		Example: "/ogc/processes/terrain/execution", ExampleBody: `{"inputs":{"area":{"type":"Point","coordinates":[13.2274,47.3205]}}}`,
		Answer: endpoint.Answer{Body: endpoint.Open{}, Exact: true, Others: []endpoint.Other{
			{Status: http.StatusCreated, Doc: "The job; Location is its address.", Body: statusInfo{}},
			problemAnswer(http.StatusBadRequest, "An input that is not taken."),
			problemAnswer(http.StatusNotFound, "no-such-process"), problemAnswer(http.StatusServiceUnavailable,
				"Too much is asked at the same time, or it takes too long to be waited for.")}},
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			p := s.find(processID.Of(r))
			if p == nil {
				return noProcess(processID.Of(r)), nil
			}
			body, err := io.ReadAll(r.HTTP.Body)
			var large *http.MaxBytesError
			if errors.As(err, &large) {
				return problem{untyped, titleRefused, http.StatusRequestEntityTooLarge,
					endpoint.TooLarge(drawn.MaxBytes).Message}.answer(nil), nil
			}
			if err != nil {
				return nil, err
			}
			o, err := p.read(ctx, body, s.referring(r))
			if err != nil {
				return refused(fault.From(err).Message), nil
			}
			return s.run(ctx, r, p, o)
		},
	}
}

// preferred says whether a client wants a job.
func preferred(r *http.Request) bool {
	for _, h := range r.Header.Values("Prefer") {
		for _, p := range strings.Split(h, ",") {
			if name, _, _ := strings.Cut(strings.TrimSpace(p), ";"); strings.EqualFold(strings.TrimSpace(name), "respond-async") {
				return true
			}
		}
	}
	return false
}

// run begins the job of an order, and answers with it or with its result.
func (s *service) run(ctx context.Context, r *endpoint.Request, p *process, o order) (reply.Answer, error) {
	id := newJob(o.form)
	if f, err := p.begin(ctx, r.HTTP, o, id); err != nil || f != nil {
		return f, err
	}
	async, wait := preferred(r.HTTP), time.Duration(0)
	if !async {
		wait = cmp.Or(s.Patience, patience)
	}
	t, err := s.wait(ctx, id, wait)
	if err != nil {
		return excepted(err, id)
	}
	if !async && !t.State(s.Now()).Active {
		return s.result(ctx, r, id, t)
	}
	if !async {
		return problem{untyped, "The result takes too long to be waited for", http.StatusServiceUnavailable,
			"Ask with the header Prefer: respond-async; " + s.base(r) + "/ogc/jobs/" + id + "/results has this result when it is " +
				"there."}.answer(http.Header{headerRetry: {"5"}}), nil
	}
	body := s.status(r, id, p.id, t)
	return &reply.Document{Body: body, Status: http.StatusCreated, Header: http.Header{"Location": {body.Links[0].Href},
		"Preference-Applied": {"respond-async"},
		"Cache-Control":      {"no-store"}, "Etag": nil}}, nil
}

// wait looks at a job until it is over, or the time is.
func (s *service) wait(ctx context.Context, id string, most time.Duration) (tasks.Asked, error) {
	for until := time.Now().Add(most); ; {
		t, err := s.Desk.Find(ctx, id)
		if err != nil || !t.State(s.Now()).Active || !time.Now().Before(until) {
			return t, err
		}
		select {
		case <-ctx.Done():
			return t, ctx.Err()
		case <-time.After(look):
		}
	}
}

// newJob is the name of a job. It says in which form its result is wanted.
func newJob(form string) string { return form + "-" + strings.ToLower(rand.Text()) }

// begin asks the endpoint of a process for a task of this name; an answer is its refusal.
func (p *process) begin(ctx context.Context, client *http.Request, o order, id string) (reply.Answer, error) {
	h, err := p.handler()
	if err != nil {
		return nil, err
	}
	o.values.Set("task_id", id)
	if !p.background {
		o.values.Set("async", "true")
	}
	r, err := http.NewRequestWithContext(ctx, p.endpoint.Method, p.prefix+p.endpoint.Path+"?"+o.values.Encode(), bytes.NewReader(o.body))
	if err != nil {
		return nil, err
	}
	r.RemoteAddr = client.RemoteAddr
	if o.body != nil {
		r.Header.Set("Content-Type", plain)
	}
	w := kept.New(http.Header{})
	h.ServeHTTP(w, r)
	if w.Status == http.StatusAccepted {
		return nil, nil
	}
	var f struct{ Error string }
	if json.Unmarshal(w.Body.Bytes(), &f) != nil || f.Error == "" {
		return nil, fmt.Errorf("ogc: %s answered %d", p.id, w.Status)
	}
	return problem{untyped, titleRefused, w.Status, f.Error}.answer(w.Header()), nil
}

// read makes an order of a request. What it refuses is a fault; the values themselves the endpoint checks.
func (p *process) read(ctx context.Context, body []byte, refs *references) (o order, err error) {
	var in struct {
		Inputs, Outputs map[string]json.RawMessage
		Response        string
	}
	if body = bytes.TrimSpace(body); len(body) == 0 || body[0] != '{' {
		return o, fault.New(fault.BadBody, "the body is no JSON object: expected {inputs, outputs, response}")
	}
	var members map[string]json.RawMessage
	if err := jsonin.Decode(body, &members); err != nil {
		return o, err
	}
	for name, to := range map[string]any{"inputs": &in.Inputs, "outputs": &in.Outputs, "response": &in.Response} {
		if v := members[name]; v != nil && json.Unmarshal(v, to) != nil {
			return o, fault.BadValue(name, fault.Shorten(string(v)), "an object; response: raw or document")
		}
	}
	if in.Response == "" {
		in.Response = raw
	}
	if in.Response != raw && in.Response != document {
		return o, fault.BadValue("response", fault.Shorten(in.Response), "raw or document")
	}
	o = order{values: url.Values{}, form: in.Response}
	if err := p.outputs(in.Outputs); err != nil {
		return o, err
	}
	for _, name := range slices.Sorted(maps.Keys(in.Inputs)) {
		v, err := p.value(ctx, name, in.Inputs[name], refs)
		if err != nil {
			return o, err
		}
		if err := p.take(&o, name, v); err != nil {
			return o, err
		}
	}
	if p.place != "" && o.body == nil {
		return o, fault.Of(fault.Missing, p.place, "", "GeoJSON, or {bbox: [west, south, east, north]}")
	}
	if p.must != "" && !o.values.Has(p.must) {
		return o, fault.Of(fault.Missing, p.must, "", "[west, south, east, north] in degrees (WGS84)")
	}
	return o, nil
}

// outputs refuses what is no output, or is to be given in another way.
func (p *process) outputs(given map[string]json.RawMessage) error {
	for name, v := range given {
		var want struct {
			TransmissionMode string
			Format           struct{ MediaType string }
		}
		if name != outputID {
			return fault.UnknownName(name, "", []string{outputID})
		}
		if json.Unmarshal(v, &want) != nil || want.TransmissionMode != "" && want.TransmissionMode != "value" {
			return fault.BadValue("transmissionMode", want.TransmissionMode, "value")
		}
		if m := want.Format.MediaType; m != "" && !slices.Contains(p.media, m) {
			return fault.BadValue("mediaType", fault.Shorten(m), "one of "+strings.Join(p.media, ", "))
		}
	}
	return nil
}

// value is an input by value: one that is given by its address is read there, where it has a name that the process knows.
func (p *process) value(ctx context.Context, name string, v json.RawMessage, refs *references) (json.RawMessage, error) {
	var q struct{ Href string }
	if json.Unmarshal(v, &q) != nil || q.Href == "" || !slices.Contains(p.names(), name) {
		return v, nil // take says what of it is wrong
	}
	return refs.get(ctx, name, q.Href)
}

// take takes an input.
func (p *process) take(o *order, name string, v json.RawMessage) error {
	var q struct {
		Value json.RawMessage
		Type  string
		BBox  json.RawMessage
	}
	_ = json.Unmarshal(v, &q) // a value of another kind
	if q.Value != nil && q.Type == "" {
		v = q.Value
	}
	if name == p.place {
		if q.BBox != nil && q.Type == "" {
			area, err := params.BoxArea("bbox", q.BBox)
			o.body = area
			return err
		}
		if o.body = v; len(v) == 0 || v[0] != '{' {
			return fault.BadValue(name, fault.Shorten(string(v)), "GeoJSON, or {bbox: [west, south, east, north]}")
		}
		return nil
	}
	i := slices.IndexFunc(p.inputs, func(in endpoint.Input) bool { return in.Name == name })
	if i < 0 {
		return fault.UnknownName(name, fault.Shorten(string(v)), p.names())
	}
	if q.BBox != nil {
		v = q.BBox
	}
	text, err := textOf(name, v)
	o.values.Set(name, text)
	return err
}

func (p *process) names() (all []string) {
	if p.place != "" {
		all = append(all, p.place)
	}
	for _, in := range p.inputs {
		all = append(all, in.Name)
	}
	return all
}

// textOf is a value as a query writes it: lists with commas between.
func textOf(name string, v json.RawMessage) (string, error) {
	var list []json.RawMessage
	if json.Unmarshal(v, &list) == nil && list != nil {
		parts := make([]string, len(list))
		for i, item := range list {
			text, err := textOf(name, item)
			if err != nil || strings.Contains(text, ",") {
				return "", fault.BadValue(name, fault.Shorten(string(v)), "a list of values without commas")
			}
			parts[i] = text
		}
		return strings.Join(parts, ","), nil
	}
	var text string
	switch {
	case json.Unmarshal(v, &text) == nil && len(v) > 0 && v[0] == '"':
		return text, nil
	case len(v) == 0 || v[0] == '{' || string(v) == "null":
		return "", fault.BadValue(name, fault.Shorten(string(v)), "a value")
	}
	return string(v), nil
}
