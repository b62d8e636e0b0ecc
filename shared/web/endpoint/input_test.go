package endpoint

import (
	"encoding/json"
	"strings"
	"testing"

	"mappe/shared/web/format"
)

// TestInputsAreTheDeclaredParameters: what a program needs to make a request, from the table alone.
func TestInputsAreTheDeclaredParameters(t *testing.T) {
	kg := String("kg", "Code.", Example("99101"))
	radius := Float("radius", "Distance.", Alias("r"), Unit("m"), Between(0, 500), Default("50"))
	layers := EnumList("layers", "Layers.", []string{"parcels", "buildings"}, Required)
	rows := format.NewSchema("thing", "A thing.", format.Drawing[int]{}, format.Fields[int]{
		{Column: format.Column{Name: "n", Type: format.TypeInt}, Get: func(n *int) format.Value { return format.Int(int64(*n)) }}})
	e := Endpoint{Method: "GET", Path: "/things/{kg}", ID: "things", Params: []AnyParam{kg, radius, layers},
		Answer: Answer{Rows: []*format.RowType{rows.RowType}}}
	list, err := e.Inputs()
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]Input{}
	for _, in := range list {
		byName[in.Name] = in
	}
	if in := byName["kg"]; !in.InPath || !in.Required || in.Example != "99101" {
		t.Errorf("a path value: %+v", in)
	}
	if in := byName["radius"]; in.InPath || in.Required || in.Type != "number" || in.Default != "50" ||
		string(in.Schema) != `{"default":50,"maximum":500,"minimum":0,"type":"number"}` ||
		!strings.Contains(in.Doc, "Unit: m.") || len(in.Aliases) != 1 {
		t.Errorf("a number: %+v %s", in, in.Schema)
	}
	if in := byName["layers"]; !in.List || !in.Required || strings.Join(in.Enum, ",") != "parcels,buildings" {
		t.Errorf("a list: %+v", in)
	}
	if in := byName["limit"]; !in.Common || in.Type != "integer" {
		t.Errorf("a common parameter: %+v", in)
	}
	if list[0].Name != "kg" || list[1].Name != "radius" || list[2].Name != "layers" || list[3].Common != true {
		t.Errorf("order: %+v", list)
	}
}

// TestBodySchemasStandAlone: no reference leaves the schema.
func TestBodySchemasStandAlone(t *testing.T) {
	type part struct {
		Name string `json:"name" doc:"its name"`
	}
	type whole struct {
		Parts []part `json:"parts"`
		Limit *int   `json:"limit,omitempty"`
	}
	raw, err := Endpoint{Method: "POST", Path: "/x", ID: "x", Body: Body[whole]("a thing", 100)}.BodySchema()
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Type       string
		Properties map[string]struct {
			Items struct {
				Ref string `json:"$ref"`
			}
		}
		Defs map[string]struct{ Properties map[string]any } `json:"$defs"`
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatal(err)
	}
	name, ok := strings.CutPrefix(s.Properties["parts"].Items.Ref, "#/$defs/")
	if s.Type != "object" || !ok || s.Defs[name].Properties["name"] == nil || strings.Contains(string(raw), "components") {
		t.Errorf("got %s", raw)
	}
	if raw, err := (Endpoint{Method: "GET", Path: "/x", ID: "x"}).BodySchema(); raw != nil || err != nil {
		t.Errorf("no body: got %s, %v", raw, err)
	}
	if raw, err := (Endpoint{Method: "PUT", Path: "/x", ID: "x", Body: Unread("text/csv", "rows", 10, nil)}).BodySchema(); raw != nil ||
		err != nil {
		t.Errorf("a body that is not JSON: got %s, %v", raw, err)
	}
}
