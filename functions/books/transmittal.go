package books

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"mappe/functions/books/build"
	"mappe/functions/books/records"
	"mappe/shared/book/spec"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

type transmittalForm struct {
	Status string          `json:"status" doc:"draft, or final: applied at the next build" enum:"draft,final"`
	Data   json.RawMessage `json:"data" doc:"an object: known members are checked (docs/books.md), others are kept as notes to the studio"`

	// What GET gives beside them may be sent back.
	Notes   json.RawMessage `json:"notes,omitempty" doc:"ignored"`
	Updated json.RawMessage `json:"updated_at,omitempty" doc:"ignored"`
	Fields  json.RawMessage `json:"fields,omitempty" doc:"ignored"`
}

type transmittalBody struct {
	Status  string          `json:"status" doc:"draft or final"`
	Data    json.RawMessage `json:"data"`
	Notes   []string        `json:"notes" doc:"members of data that the press does not know: notes to the studio"`
	Updated *string         `json:"updated_at"`
	Fields  []fieldBody     `json:"fields" doc:"what the press knows, in the order of the form"`
}

type fieldBody struct {
	Name    string   `json:"name"`
	Label   string   `json:"label"`
	Doc     string   `json:"doc,omitempty"`
	Form    string   `json:"form" doc:"text, long, number, choice or yes_no"`
	Allowed []string `json:"allowed,omitempty"`
	Default any      `json:"default"`
}

// Check reads the form.
func (f *transmittalForm) Check() error {
	if f.Status != records.TransmittalDraft && f.Status != records.TransmittalFinal {
		if f.Status == "" {
			return fault.Of(fault.Missing, "status", "", "draft or final")
		}
		return fault.BadValue("status", f.Status, "draft or final")
	}
	if len(f.Data) == 0 || bytes.Equal(f.Data, []byte("null")) {
		return fault.Of(fault.Missing, "data", "", "an object")
	}
	if len(f.Data) > spec.MaxData {
		return fault.BadValue("data", fmt.Sprintf("%d bytes", len(f.Data)), fmt.Sprintf("at most %d bytes", spec.MaxData))
	}
	var members map[string]any
	if err := json.Unmarshal(f.Data, &members); err != nil {
		return fault.BadValue("data", string(f.Data), "an object")
	}
	if _, err := spec.Apply(spec.Default(), members); err != nil {
		return fieldFault(err)
	}
	return nil
}

// fieldFault tells each field's error under its name.
func fieldFault(err error) error {
	f := fault.New(fault.Invalid, "%s", err.Error())
	list := []error{err}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		list = many.Unwrap()
	}
	for _, one := range list {
		var e *spec.FieldError
		if errors.As(one, &e) {
			f.Details = append(f.Details, fault.Detail{Parameter: e.Field, Value: fault.Shorten(e.Value), Expected: e.Allowed})
		}
	}
	return f
}

var bTransmittal = endpoint.Body[transmittalForm]("an object with status and data", spec.MaxData+4<<10)

func knownField(name string) bool {
	return slices.ContainsFunc(spec.Fields(), func(f spec.Field) bool { return f.Name == name })
}

// knownMembers are those of a transmittal's data that the press knows.
func knownMembers(data json.RawMessage) (json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return nil, err
	}
	maps.DeleteFunc(members, func(name string, _ json.RawMessage) bool { return !knownField(name) })
	return json.Marshal(members)
}

func transmittalView(t records.Transmittal) (transmittalBody, error) {
	body := transmittalBody{Status: t.Status, Data: t.Data, Notes: []string{}, Fields: []fieldBody{}}
	if !t.Updated.IsZero() {
		at := t.Updated.Format(time.RFC3339)
		body.Updated = &at
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(t.Data, &members); err != nil {
		return body, err
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !knownField(name) {
			body.Notes = append(body.Notes, name)
		}
	}
	defaults := spec.Default().Data()
	for _, f := range spec.Fields() {
		body.Fields = append(body.Fields, fieldBody{f.Name, f.Label, f.Doc, f.Form, f.Allowed, defaults[f.Name]})
	}
	return body, nil
}

func (s *service) transmittal() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/projects/{id}/transmittal", ID: "transmittal", Tag: "Transmittal", Summary: "How the book shall be",
		Params: []endpoint.AnyParam{pProject}, Answer: endpoint.Answer{Body: transmittalBody{}}, Gate: s.gate(ofProject),
		Example: "/api/projects/1/transmittal",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			t, err := s.Records.Transmittal(ctx, visitOf(ctx).project.ID)
			if err != nil {
				return nil, unavailable(err)
			}
			body, err := transmittalView(t)
			return &reply.Document{Body: body}, err
		},
	}
}

func (s *service) transmittalFill() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "PUT", Path: "/api/projects/{id}/transmittal", ID: "transmittal_fill", Tag: "Transmittal",
		Summary: "Say how the book shall be",
		Doc:     "Replaces the whole. A wrong member is 400 and the error names it. A final one is applied at the next build, and the Word template can be fetched.",
		Params:  []endpoint.AnyParam{pProject}, Body: bTransmittal, Answer: endpoint.Answer{Body: transmittalBody{}},
		Gate:        s.gate(ofProject),
		Example:     "/api/projects/1/transmittal",
		ExampleBody: `{"status":"final","data":{"trim":"A5","language":"de","openers":"next_page","note to the studio":"The map goes on page 3."}}`,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			in := bTransmittal.Of(r)
			var compact bytes.Buffer
			if err := json.Compact(&compact, in.Data); err != nil {
				return nil, err
			}
			t, err := s.Records.PutTransmittal(ctx, visitOf(ctx).project.ID, records.Transmittal{Status: in.Status, Data: compact.Bytes()})
			if err != nil {
				return nil, unavailable(err)
			}
			body, err := transmittalView(t)
			return &reply.Document{Body: body}, err
		},
	}
}

const docxType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

func (s *service) wordTemplate() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/projects/{id}/word-template", ID: "word_template", Tag: "Transmittal",
		Summary: "A Word file with the styles that the press knows",
		Doc:     "Its page is the book's, its styles are those the press reads. 409 until the transmittal is final.",
		Params:  []endpoint.AnyParam{pProject},
		Answer: endpoint.Answer{ContentType: docxType,
			Others: []endpoint.Other{{Status: http.StatusConflict, Doc: "The transmittal is not final.", Body: fault.Schema()}}},
		Gate:    s.gate(ofProject),
		Example: "/api/projects/1/word-template",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			p := visitOf(ctx).project
			data, err := s.finalData(ctx, p.ID)
			if err != nil {
				return nil, unavailable(err)
			}
			if data == nil {
				return nil, fault.New(fault.Exists, "the transmittal is not final: the template follows it")
			}
			sp, err := build.Spec(data, records.Book{Title: p.Title})
			if err != nil {
				return nil, err
			}
			if sp.Language == "" {
				sp.Language = spec.Default().Language
			}
			var file bytes.Buffer
			if err := s.Press.Template(&file, sp); err != nil {
				return nil, err
			}
			return &reply.Bytes{ContentType: docxType, Body: file.Bytes(), Filename: build.Slug(p.Title) + "-template.docx"}, nil
		},
	}
}
