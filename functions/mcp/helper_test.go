package mcp

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mappe/artefacts/kgfile"
	"mappe/functions/fixture"
	mcptable "mappe/functions/mcp/table"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/web/endpoint"
)

// world is the made-up world with everything that tools ask for.
func world(t testing.TB) store.Store {
	t.Helper()
	s := mem.New()
	if err := fixture.PublishAround(s); err != nil {
		t.Fatal(err)
	}
	return s
}

// past is the world with KG 88801 a year earlier, when parcel 9 was not yet there.
func past(t testing.TB) store.Store {
	t.Helper()
	s, earlier := mem.New(), *fixture.Snapshots()[1]
	earlier.Build.Stichtag, earlier.Parcels, earlier.Buildings, earlier.Footprints = "2025-10-01", nil, nil, nil
	for _, p := range fixture.Snapshots()[1].Parcels {
		if p.GNR != "9" {
			p.BuildingCount, p.FootprintCount, p.BuildingAreaSqm, p.FAR = 0, 0, 0, 0
			earlier.Parcels = append(earlier.Parcels, p)
		}
	}
	earlier.KG.ParcelCount, earlier.KG.BuildingCount, earlier.KG.FootprintCount = len(earlier.Parcels), 0, 0
	kgfile.Quantise(&earlier)
	earlier.Folios = kgfile.Folios(earlier.Parcels)
	if err := fixture.PublishPast(s, fixture.Snapshots(), []*kgfile.Snapshot{&earlier}, "88803"); err != nil {
		t.Fatal(err)
	}
	return s
}

// over is the endpoint over a store, at /mcp.
func over(t testing.TB, s store.Store) http.Handler {
	t.Helper()
	lib := fixture.Library(t, s)
	h := fixture.Handler(t, New(Deps{Library: lib, Families: mcptable.Families(mcptable.Deps{Library: lib}),
		PublicURL: "https://land.example"}))
	return endpoint.Mount("/mcp", h)
}

// connect is the SDK's client at the endpoint.
func connect(t testing.TB, h http.Handler) *mcp.ClientSession {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(),
		&mcp.StreamableClientTransport{Endpoint: server.URL + "/mcp"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// result is the structured content that a client reads.
type result struct {
	Answer      map[string]json.RawMessage
	Total       *int
	Next_cursor string
	Sources     []source
	Date        struct {
		As_of   *string
		Version string
	}
	Uncertainty []string
	Links       []link
}

// use asks a tool that answers.
func use(t testing.TB, c *mcp.ClientSession, tool string, arguments map[string]any) (result, string) {
	t.Helper()
	got, err := c.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	text := textIn(got)
	if got.IsError {
		t.Fatalf("%s %v: %s", tool, arguments, text)
	}
	raw, err := json.Marshal(got.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	var r result
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatalf("%s: %v %s", tool, err, raw)
	}
	return r, text
}

func textIn(got *mcp.CallToolResult) string {
	var all []string
	for _, c := range got.Content {
		if x, ok := c.(*mcp.TextContent); ok {
			all = append(all, x.Text)
		}
	}
	return strings.Join(all, "\n")
}

// spot writes a point of the world as arguments.
func spot(x, y float64) map[string]any {
	p := fixture.At(x, y)
	return map[string]any{"lon": p.Lon(), "lat": p.Lat()}
}

func with(m map[string]any, more ...any) map[string]any {
	for i := 0; i < len(more); i += 2 {
		m[more[i].(string)] = more[i+1]
	}
	return m
}

// rowsOf are the rows of a list or of a table, without members that are null: a table has a value in every column.
func rowsOf(t testing.TB, data json.RawMessage) []map[string]any {
	t.Helper()
	var rows []map[string]any
	var list struct {
		Columns []string
		Rows    [][]any
	}
	if json.Unmarshal(data, &rows) != nil {
		if err := json.Unmarshal(data, &list); err != nil || len(list.Columns) == 0 {
			t.Fatalf("neither rows nor a table: %.300s", data)
		}
		for _, values := range list.Rows {
			if len(values) != len(list.Columns) {
				t.Fatalf("%d values in %d columns: %.300s", len(values), len(list.Columns), data)
			}
			row := map[string]any{}
			for i, v := range values {
				row[list.Columns[i]] = v
			}
			rows = append(rows, row)
		}
	}
	for _, row := range rows {
		for name, v := range row {
			if v == nil {
				delete(row, name)
			}
		}
	}
	return rows
}
