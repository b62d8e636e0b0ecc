package ogc

import (
	"context"
	"encoding/json"

	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/ogcapi"
	"mappe/shared/web/reply"
)

const schemaType = "application/schema+json"

// queryablesDoc is a JSON Schema of the columns.
type queryablesDoc struct {
	Schema     string  `json:"$schema"`
	ID         string  `json:"$id"`
	Type       string  `json:"type"`
	Title      string  `json:"title"`
	Properties columns `json:"properties"`
}

// columns are an object of columns in their order, in which clients show them.
type columns []queryable

// MarshalJSON writes the object.
func (list columns) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, q := range list {
		if i > 0 {
			b = append(b, ',')
		}
		name, err := json.Marshal(q.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(q)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), nil
}

// queryable is a column.
type queryable struct {
	name   string
	Title  string   `json:"title,omitempty"`
	Type   string   `json:"type,omitempty"`
	Format string   `json:"format,omitempty"`
	Enum   []string `json:"enum,omitempty"`
	Unit   string   `json:"x-ogc-unit,omitempty"`
	Role   string   `json:"x-ogc-role,omitempty"`
}

// queryablesShape is the shape of queryablesDoc, for the description of the service.
type queryablesShape struct {
	schemaHead
	Properties map[string]queryable `json:"properties" doc:"by the name of the column"`
}

// schemaHead is what a JSON Schema begins with. Its $id is not described: to validators of OpenAPI the name is the id of the description.
type schemaHead struct {
	Schema string `json:"$schema" doc:"the draft of JSON Schema"`
	Type   string `json:"type" doc:"object"`
	Title  string `json:"title" doc:"of the collection"`
}

func (s *service) queryables(c *collection) endpoint.Endpoint {
	return s.schemaOf(c, schemaDescribed{"queryables", "What filters on " + c.title + " may name",
		"The columns as a JSON Schema. Each is a parameter of items, and may stand in filter.", queryablesShape{}},
		func(id string) any {
			list := append(columnsOf(c.rowType, false), queryable{name: "geometry", Format: "geometry-any", Role: "primary-geometry"})
			return queryablesDoc{Schema: draft, ID: id, Type: "object", Title: c.title, Properties: list}
		})
}

// featureSchema is a JSON Schema of a GeoJSON feature: GDAL and others take the types of columns from it, which
// the first features do not always show.
type featureSchema struct {
	Schema     string       `json:"$schema"`
	ID         string       `json:"$id"`
	Type       string       `json:"type"`
	Title      string       `json:"title"`
	Properties featureShape `json:"properties"`
	Required   []string     `json:"required"`
}

type featureShape struct {
	Type       constantText `json:"type"`
	ID         queryable    `json:"id"`
	Geometry   queryable    `json:"geometry"`
	Properties columnShape  `json:"properties"`
}

type constantText struct {
	Const string `json:"const"`
	Type  string `json:"type"`
}

type columnShape struct {
	Type       string  `json:"type"`
	Properties columns `json:"properties"`
}

// featureSchemaShape is the shape of featureSchema, for the description of the service.
type featureSchemaShape struct {
	schemaHead
	Properties struct {
		Type       constantText `json:"type"`
		ID         queryable    `json:"id"`
		Geometry   queryable    `json:"geometry"`
		Properties struct {
			Type       string               `json:"type"`
			Properties map[string]queryable `json:"properties" doc:"by the name of the column"`
		} `json:"properties" doc:"the columns of a feature"`
	} `json:"properties" doc:"the members of a GeoJSON feature"`
	Required []string `json:"required" doc:"members that every feature has"`
}

func (s *service) schema(c *collection) endpoint.Endpoint {
	return s.schemaOf(c, schemaDescribed{"schema", "What a feature of " + c.title + " holds",
		"A feature of the collection as a JSON Schema, with the types, units and descriptions of its columns.", featureSchemaShape{}},
		func(id string) any {
			return featureSchema{
				Schema: draft, ID: id, Type: "object", Title: c.title, Required: []string{"type", "id", "geometry", "properties"},
				Properties: featureShape{
					Type: constantText{"Feature", "string"}, ID: queryable{Type: "string", Role: "id"},
					Geometry:   queryable{Format: geometryFormat(c.rowType.Shape), Role: "primary-geometry"},
					Properties: columnShape{"object", columnsOf(c.rowType, true)},
				},
			}
		})
}

// geometryFormat is the name of a shape in OGC API Features part 5.
func geometryFormat(s format.Shape) string {
	if s == format.ShapePoint {
		return "geometry-point"
	}
	return "geometry-polygon-or-multipolygon"
}

const draft = "https://json-schema.org/draft/2020-12/schema"

// schemaDescribed is what the description of the service says of a JSON Schema.
type schemaDescribed struct {
	name, summary, doc string
	shape              any
}

// schemaOf is an endpoint that gives a JSON Schema; make is given its id.
func (s *service) schemaOf(c *collection, d schemaDescribed, make func(id string) any) endpoint.Endpoint {
	path := "/ogc/collections/" + c.id + "/" + d.name
	return endpoint.Endpoint{
		Method: "GET", Path: path, ID: "ogc_" + c.id + "_" + d.name, Tag: tag, Summary: d.summary, Doc: d.doc,
		Params: []endpoint.AnyParam{ogcapi.F}, Example: path, Answer: endpoint.Answer{Body: d.shape, ContentType: schemaType,
			Exact: true},
		Serve: func(_ context.Context, r *endpoint.Request) (reply.Answer, error) {
			text, err := json.Marshal(make(s.Base(r) + path))
			return &reply.Bytes{ContentType: schemaType, Body: text}, err
		},
	}
}

// columnsOf are the columns of a kind; nested are those that hold lists and objects too.
func columnsOf(k *format.RowType, nested bool) columns {
	var out columns
	for i := range k.Columns {
		column := &k.Columns[i]
		if column.Type == format.TypeJSON && !nested {
			continue
		}
		q := queryable{name: column.Name, Title: column.Doc, Type: jsonType(column.Type), Enum: column.Enum, Unit: column.Unit}
		if i == 0 {
			q.Role = "id"
		}
		out = append(out, q)
	}
	return out
}

// jsonType is the type of a column in JSON Schema; "" of one that holds lists or objects.
func jsonType(t format.Type) string {
	switch t {
	case format.TypeString:
		return "string"
	case format.TypeInt:
		return "integer"
	case format.TypeBool:
		return "boolean"
	case format.TypeJSON:
		return ""
	}
	return "number"
}
