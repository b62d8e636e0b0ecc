package endpoint

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"mappe/shared/web/reply"
)

type (
	inner struct {
		Count int     `json:"count"`
		Note  *string `json:"note,omitempty"`
		deeper
	}
	deeper struct {
		Area float64 `json:"area"`
		Name string  `json:"name"`
	}
	beside struct {
		Side int `json:"side"`
	}
	outer[T any] struct {
		inner
		*beside
		Name  int      `json:"name"` // hides that of deeper
		Any   T        `json:"any"`
		List  []string `json:"list"`
		Maybe []string `json:"maybe" nullable:"true"`
		Given given1   `json:"given"`
	}
	given1 struct {
		Open
		Known int `json:"known"`
	}
)

// A schema has the members that encoding/json writes, under a name that OpenAPI allows.
func TestSchemasOfEmbeddedStructs(t *testing.T) {
	s := Service{Title: "t", Endpoints: []Endpoint{{Method: "GET", Path: "/x", ID: "x", Answer: Answer{Body: outer[map[string]any]{}},
		Serve: nothing}}}
	b, err := s.OpenAPI("/")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]struct {
			Responses map[string]any
		}
		Components struct {
			Schemas map[string]struct {
				Properties           map[string]struct{ Type any }
				Required             []string
				AdditionalProperties any
			}
		}
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	got, ok := doc.Components.Schemas["OuterMapStringInterface"]
	if !ok {
		t.Fatalf("no schema OuterMapStringInterface in %s", b)
	}
	for name, typ := range map[string]string{"count": "integer", "note": "string", "area": "number", "name": "integer", "side": "integer",
		"list": "array"} {
		if got.Properties[name].Type != typ {
			t.Errorf("%s has the type %v, want %s", name, got.Properties[name].Type, typ)
		}
	}
	if _, both := got.Properties["maybe"].Type.([]any); !both {
		t.Errorf("maybe cannot be null: %v", got.Properties["maybe"])
	}
	for name, want := range map[string]bool{"count": true, "area": true, "name": true, "note": false, "side": false} {
		if slices.Contains(got.Required, name) != want {
			t.Errorf("%s is required: %v, want %v", name, !want, want)
		}
	}
	if _, open := doc.Components.Schemas["Given1"].AdditionalProperties.(map[string]any); !open {
		t.Error("an object with members of the client's is not open")
	}
	for _, status := range []string{"200", "304", "400", "404", "429", "503", "default"} {
		if doc.Paths["/x"]["get"].Responses[status] == nil {
			t.Errorf("status %s is not declared", status)
		}
	}
}

func nothing(context.Context, *Request) (reply.Answer, error) {
	return &reply.Bytes{Status: http.StatusNoContent}, nil
}
