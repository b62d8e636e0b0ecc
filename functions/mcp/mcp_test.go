package mcp

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mappe/functions/cadastre/query"
	"mappe/functions/core"
	"mappe/functions/core/landprices"
	"mappe/functions/fixture"
	mcptable "mappe/functions/mcp/table"
)

var allTools = []string{"book_pass", "book_state", "books_of_project", "changes_in_area", "compare_versions", "expand_rule_preview",
	"find_address", "heights_at", "kgs_by_landscape", "land_use_at", "landscape_of_kg", "landscape_of_parcels", "lookup_place",
	"manuscript_report",
	"nature_parcels", "objects_in_area", "parcel_at", "parcels_by_landscape", "parcels_in", "price_of", "terrain_of_area",
	"tree_changes_in_area", "trees_in_area", "what_is_here", "work_feed"}

// TestToolsAreMadeOfTheEndpointTable: names, and schemas with the parameters of the endpoints.
func TestToolsAreMadeOfTheEndpointTable(t *testing.T) {
	c := connect(t, over(t, world(t)))
	if got := c.InitializeResult(); got.ServerInfo.Name != "mappe" || got.Instructions == "" || got.Capabilities.Tools == nil ||
		got.Capabilities.Tools.ListChanged {
		t.Errorf("got %+v", got)
	}
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	schemas := map[string]map[string]any{}
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		schemas[tool.Name] = tool.InputSchema.(map[string]any)
		if tool.Title == "" || tool.Description == "" || tool.OutputSchema == nil || tool.Annotations == nil ||
			!tool.Annotations.ReadOnlyHint || *tool.Annotations.DestructiveHint {
			t.Errorf("%+v", tool)
		}
	}
	slices.Sort(names)
	if !slices.Equal(names, allTools) {
		t.Errorf("got %v", names)
	}
	property := func(tool, name string) map[string]any {
		p, _ := schemas[tool]["properties"].(map[string]any)[name].(map[string]any)
		return p
	}
	if p := property("what_is_here", "lon"); p["minimum"] != -180.0 || p["maximum"] != 180.0 || p["type"] != "number" ||
		!strings.Contains(fmt.Sprint(p["description"]), "WGS84") {
		t.Errorf("lon: %v", p)
	}
	if p := property("parcels_in", "limit"); p["maximum"] != 100.0 || p["default"] != 20.0 {
		t.Errorf("limit: %v", p)
	}
	if p := property("compare_versions", "change"); p["type"] != "array" || !strings.Contains(fmt.Sprint(p["items"]), "removed") {
		t.Errorf("change: %v", p)
	}
	if fmt.Sprint(schemas["parcel_at"]["required"]) != "[lon lat]" || fmt.Sprint(schemas["price_of"]["required"]) != "[]" {
		t.Errorf("required: %v, %v", schemas["parcel_at"]["required"], schemas["price_of"]["required"])
	}
	for _, hidden := range []string{"layers", "radius", "callback", "format", "fields", "nocache"} {
		if property("parcel_at", hidden) != nil {
			t.Errorf("parcel_at offers %s", hidden)
		}
	}
	if fmt.Sprint(schemas["expand_rule_preview"]["required"]) != "[rules]" ||
		!strings.Contains(fmt.Sprint(schemas["expand_rule_preview"]["$defs"]), "RFC 5545") {
		t.Errorf("the schema of a body: %v", schemas["expand_rule_preview"])
	}
}

// TestEveryToolAnswers: the data of its endpoint, with sources, date, uncertainty and links, in text too.
func TestEveryToolAnswers(t *testing.T) {
	here, before := connect(t, over(t, world(t))), connect(t, over(t, past(t)))
	for _, tt := range []struct {
		name      string
		client    *mcp.ClientSession
		tool      string
		arguments map[string]any
		holds     []string // in the answer
		doubts    []string
		source    string
		links     []string
	}{
		{"what surrounds a place", here, "what_is_here", with(spot(1.5, 1.5), "area_sqm", 800),
			[]string{`"gemeinde_code":"38801"`, `"osm"`}, []string{"nearest feature", "Confidence of the estimate"}, "OpenStreetMap",
			[]string{"https://land.example/context/api/v1/context?"}},
		{"outside Austria", here, "what_is_here", map[string]any{"lon": 9.0, "lat": 47.0}, []string{"outside Austria"},
			[]string{"osm is missing"}, "Register", nil},
		{"the parcel at a place", here, "parcel_at", spot(1.5, 0.5), []string{`"parcel_id":"88801-2"`, `"geometry"`},
			[]string{"boundary cadastre"}, "cadastre", []string{"https://land.example/p/88801-2"}},
		{"parcels of a KG", here, "parcels_in", map[string]any{"kg": []string{"88801"}, "limit": 3}, []string{`"matching_parcels":17`},
			[]string{"boundary cadastre"}, "cadastre", []string{"https://land.example/p/88801-"}},
		{"codes as numbers", here, "parcels_in", map[string]any{"kg": 88801, "limit": "3"}, []string{`"matching_parcels":17`}, nil,
			"cadastre", nil},
		{"the price of a parcel", here, "price_of", map[string]any{"parcel_id": "88801-1"}, []string{`"buy_eur_per_sqm"`},
			[]string{"no valuation", "The price lies between"}, "Published land prices", []string{"https://land.example/p/88801-1"}},
		{"the price at a place", here, "price_of", with(spot(1.5, 1.5), "area_sqm", 800, "building_count", 1), []string{`"estimate"`},
			[]string{"Confidence of the estimate"}, "prices", nil},
		{"the price in a municipality", here, "price_of", map[string]any{"gemeinde_code": "38801", "area_sqm": 800},
			[]string{`"buy_eur_per_sqm"`}, []string{"Confidence of the estimate"}, "prices", nil},
		{"a place by name", here, "lookup_place", map[string]any{"q": "Westgemeinde"}, []string{`"gemeinde_code":"38801"`},
			[]string{"stands for the whole place"}, "Register", nil},
		{"what changed", before, "compare_versions", map[string]any{"kg": "88801", "from": "2025-10-01"},
			[]string{`"parcel_id":"88801-9"`, `"added":1`}, []string{"snapshots on both sides"}, "cadastre", nil},
		{"when a rule falls", here, "expand_rule_preview",
			map[string]any{"rules": []any{map[string]any{"rrule": "FREQ=DAILY;COUNT=3", "tz": "America/New_York",
				"start": "2026-03-07T02:30:00"}}},
			[]string{`"utc":"2026-03-08T07:30:00Z"`}, []string{"version of the zone data", "nonexistent_local_time at 2026-03-08T02:30:00"},
			"time zone", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, text := use(t, tt.client, tt.tool, tt.arguments)
			answer, err := json.Marshal(r.Answer)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range tt.holds {
				if !strings.Contains(string(answer), want) || !strings.Contains(text, want) {
					t.Errorf("answer or text lacks %s: %.1500s", want, answer)
				}
			}
			for _, want := range tt.doubts {
				if !strings.Contains(strings.Join(r.Uncertainty, "\n"), want) || !strings.Contains(text, want) {
					t.Errorf("nothing says %q: %q", want, r.Uncertainty)
				}
			}
			named := false
			for _, s := range r.Sources {
				named = named || strings.Contains(s.Dataset, tt.source)
				if s.License == "" || !strings.HasPrefix(s.LicenseURL, "https://") || s.Attribution == "" ||
					!strings.Contains(text, s.LicenseURL) {
					t.Errorf("source %+v", s)
				}
			}
			if !named {
				t.Errorf("no source %s: %+v", tt.source, r.Sources)
			}
			if tt.tool == "expand_rule_preview" {
				if r.Date.As_of != nil || !strings.HasPrefix(r.Date.Version, "tzdata 20") {
					t.Errorf("date %+v", r.Date)
				}
			} else if r.Date.As_of == nil || *r.Date.As_of != fixture.Stichtag || r.Date.Version == "" {
				t.Errorf("date %+v", r.Date)
			}
			for _, want := range append(tt.links, "/docs") {
				if !slices.ContainsFunc(r.Links,
					func(l link) bool { return strings.Contains(l.URL, want) && strings.Contains(text, l.URL) }) {
					t.Errorf("no link %s: %v", want, r.Links)
				}
			}
		})
	}
}

// TestAnswersAreTheEndpoints: a tool says what its endpoint says.
func TestAnswersAreTheEndpoints(t *testing.T) {
	s := world(t)
	lib := fixture.Library(t, s)
	c := connect(t, over(t, s))
	for _, tt := range []struct {
		tool, target string
		arguments    map[string]any
		of           func() (http.Handler, error)
	}{
		{"parcels_in", "/api/v1/query?kg=88801&limit=5", map[string]any{"kg": "88801", "limit": 5},
			query.New(core.Deps{Library: lib}).Handler},
		{"price_of", "/api/v1/land_prices/parcel/88801-.6%2F1", map[string]any{"parcel_id": "88801-.6/1"},
			landprices.New(core.Deps{Library: lib}).Handler},
	} {
		h, err := tt.of()
		if err != nil {
			t.Fatal(err)
		}
		var want map[string]json.RawMessage
		if err := json.Unmarshal(fixture.Ask(h, "GET", tt.target, "").Body.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		r, _ := use(t, c, tt.tool, tt.arguments)
		delete(want, "meta")
		for name := range want {
			var a, b any
			if name == "data" {
				if w, g := fmt.Sprint(rowsOf(t, want[name])), fmt.Sprint(rowsOf(t, r.Answer[name])); w != g {
					t.Errorf("%s, rows: want %s, got %s", tt.tool, w, g)
				}
				continue
			}
			if json.Unmarshal(want[name], &a) != nil || json.Unmarshal(r.Answer[name], &b) != nil || fmt.Sprint(a) != fmt.Sprint(b) {
				t.Errorf("%s, %s: want %s, got %s", tt.tool, name, want[name], r.Answer[name])
			}
		}
		if len(want) == 0 || len(want) != len(r.Answer) {
			t.Errorf("%s: members %d, want %d", tt.tool, len(r.Answer), len(want))
		}
	}
}

// TestPagesAreWalked: next_cursor gives every row once.
func TestPagesAreWalked(t *testing.T) {
	c := connect(t, over(t, world(t)))
	seen := map[string]int{}
	cursor := ""
	for range 10 {
		arguments := map[string]any{"kg": "88801", "limit": 5}
		if cursor != "" {
			arguments["cursor"] = cursor
		}
		r, _ := use(t, c, "parcels_in", arguments)
		rows := rowsOf(t, r.Answer["data"])
		if len(rows) > 5 || *r.Total != 17 {
			t.Fatal(len(rows), r.Total)
		}
		for _, row := range rows {
			seen[row["parcel_id"].(string)]++
		}
		if cursor = r.Next_cursor; cursor == "" {
			break
		}
	}
	if len(seen) != 17 {
		t.Errorf("%d of 17 parcels", len(seen))
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("%s %d times", id, n)
		}
	}
}

// TestRefusals: errors of the tool name the argument, the value and what is allowed.
func TestRefusals(t *testing.T) {
	c := connect(t, over(t, world(t)))
	for _, tt := range []struct {
		name, tool string
		arguments  map[string]any
		want       []string
	}{
		{"out of bounds", "what_is_here", map[string]any{"lon": 200, "lat": 47}, []string{"lon", `"200"`, "from -180 to 180"}},
		{"swapped", "what_is_here", map[string]any{"lon": 47.3, "lat": 13.2}, []string{"lon", "swapped"}},
		{"no coordinate", "parcel_at", map[string]any{"lon": 13}, []string{"lat is required"}},
		{"nothing", "parcels_in", nil, []string{"at least one"}},
		{"an unknown argument", "parcels_in", map[string]any{"katastralgemeinde": "1"},
			[]string{"katastralgemeinde", "is unknown", "gemeinde_code"}},
		{"a misspelt one", "parcel_at", map[string]any{"lom": 13, "lat": 47}, []string{"lom", "did you mean lon"}},
		{"an argument of the form", "parcels_in", map[string]any{"kg": "88801", "callback": "x"}, []string{"callback", "is unknown"}},
		{"too many rows", "parcels_in", map[string]any{"kg": "88801", "limit": 101}, []string{"limit", "101", "from 1 to 100"}},
		{"a null for what is required", "parcel_at", map[string]any{"lon": nil, "lat": 47}, []string{"lon is required"}},
		{"a point beyond the pole", "heights_at", map[string]any{"points": [][]float64{{13, 47}, {13, 91}}},
			[]string{"points[1][1]", "from -90 to 90"}},
		{"nulls alone", "parcels_in", map[string]any{"kg": nil, "max_kb": nil}, []string{"at least one"}},
		{"a null beside nothing", "terrain_of_area", map[string]any{"area": nil, "dataset": nil}, []string{"area", "required"}},
		{"no rows", "parcels_in", map[string]any{"kg": "88801", "limit": 0}, []string{"limit", "from 1 to"}},
		{"rows in words", "parcels_in", map[string]any{"kg": "88801", "limit": "many"}, []string{"limit", "many", "from 1 to 100"}},
		{"an object for a number", "what_is_here", map[string]any{"lon": map[string]any{"a": 1}, "lat": 47}, []string{"lon", "a number"}},
		{"a list with commas", "parcels_in", map[string]any{"kg": []string{"1,2"}}, []string{"kg", "without commas"}},
		{"no KG", "parcels_in", map[string]any{"kg": "abc"}, []string{"kg", `"abc"`}},
		{"prices of nothing", "price_of", map[string]any{}, []string{"parcel_id", "lon, lat, area_sqm", "gemeinde_code, area_sqm"}},
		{"prices of two things", "price_of", map[string]any{"parcel_id": "88801-1", "lon": 13, "lat": 47},
			[]string{"lat", "not beside parcel_id"}},
		{"prices without an area", "price_of", map[string]any{"gemeinde_code": "38801"}, []string{"area_sqm is required"}},
		{"a parcel that is not there", "price_of", map[string]any{"parcel_id": "88801-99999"}, []string{"88801-99999"}},
		{"two rules", "expand_rule_preview",
			map[string]any{"rules": []any{map[string]any{"rrule": "FREQ=DAILY", "tz": "UTC", "start": "2026-01-01T00:00:00"},
				map[string]any{}}}, []string{"rule"}},
		{"a wrong rule", "expand_rule_preview",
			map[string]any{"rules": []any{map[string]any{"rrule": "FREQ=DAIL", "tz": "Vienna", "start": "2026-01-01T00:00:00"}}},
			[]string{"tz", "IANA", "DAIL"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tt.tool, Arguments: tt.arguments})
			if err != nil {
				t.Fatal(err)
			}
			text := textIn(got)
			if !got.IsError || got.StructuredContent != nil {
				t.Errorf("want an error of the tool, got %.300s", text)
			}
			for _, want := range tt.want {
				if !strings.Contains(text, want) {
					t.Errorf("%q is not in %s", want, text)
				}
			}
		})
	}
	if _, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "parcel"}); err == nil || !strings.Contains(err.Error(), "parcel") {
		t.Errorf("an unknown tool: %v", err)
	}
}

// TestMessages: what is no message of one request is refused, and nothing is kept between messages.
func TestMessages(t *testing.T) {
	h := over(t, world(t))
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	for _, tt := range []struct {
		name, method, target, body string
		status                     int
		want                       string
	}{
		{"without a session", "POST", "/mcp", list, 200, `"name":"parcel_at"`},
		{"with a slash", "POST", "/mcp/", list, 200, `"name":"parcel_at"`},
		{"a notification", "POST", "/mcp", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, 202, ""},
		{"an older protocol", "POST", "/mcp",
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`, 200, `"protocolVersion":"2025-03-26"`},
		{"several at once", "POST", "/mcp", "[" + list + "," + list + "]", 400, "several messages"},
		{"no JSON", "POST", "/mcp", "hello", 400, "JSON-RPC"},
		{"nothing", "POST", "/mcp", "", 400, "JSON-RPC"},
		{"cut", "POST", "/mcp", list[:20], 400, "JSON-RPC"},
		{"large", "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"lookup_place","arguments":{"q":"` +
			strings.Repeat("x", maxMessage) + `"}}}`, 413, "65536 bytes"},
		{"listening", "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}`, 200, "nothing to listen to"},
		{"deleted", "DELETE", "/mcp", "", 405, "POST"},
		{"what it is", "GET", "/mcp", "", 200, `"name":"compare_versions"`},
		{"the page", "GET", "/mcp/docs", "", 200, "<title>"},
		{"elsewhere", "POST", "/mcp/x", list, 404, "not_found"},
	} {
		w := fixture.Ask(h, tt.method, tt.target, tt.body, "Content-Type", "application/json")
		if w.Code != tt.status || !strings.Contains(w.Body.String(), tt.want) || w.Header().Get("Mcp-Session-Id") != "" {
			t.Errorf("%s: want %d with %q, got %d %.300s", tt.name, tt.status, tt.want, w.Code, w.Body)
		}
	}
	if w := fixture.Ask(h, "GET", "/mcp", "", "Accept", "text/event-stream"); w.Code != 405 || w.Header().Get("Allow") != "POST" {
		t.Errorf("a stream of events: got %d %v", w.Code, w.Header())
	}
	if w := fixture.Ask(h, "POST", "/mcp", list, "Content-Type", "text/plain"); w.Code != 415 {
		t.Errorf("another media type: got %d %s", w.Code, w.Body)
	}
	if w := fixture.Ask(h, "OPTIONS", "/mcp", ""); w.Code != 204 || w.Header().Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("preflight: got %d %v", w.Code, w.Header())
	}
}

// TestStoresThatFail: a tool says that the data cannot be read, at whatever read the store ends, and quotes nothing of it.
func TestStoresThatFail(t *testing.T) {
	p := spot(1.5, 0.5)
	message := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"parcel_at","arguments":{"lon":%v,"lat":%v}}}`,
		p["lon"], p["lat"])
	refused := 0
	for left := range int32(6) {
		failing := &fixture.Failing{Store: world(t)}
		failing.Left.Store(1 << 20)
		h := over(t, failing)
		failing.Left.Store(left)
		w := fixture.Ask(h, "POST", "/mcp", message, "Content-Type", "application/json")
		body := w.Body.String()
		switch {
		case w.Code != 200 || strings.Contains(body, "fire"):
			t.Errorf("after %d reads: got %d %.300s", left, w.Code, body)
		case strings.Contains(body, `"isError":true`) && strings.Contains(body, "cannot be read at the moment"),
			strings.Contains(body, "The answer is not complete"):
			refused++
		case !strings.Contains(body, `88801-2`):
			t.Errorf("after %d reads: neither an answer nor a reason: %.600s", left, body)
		}
	}
	if refused == 0 {
		t.Error("no read failed")
	}
}

// FuzzArguments: whatever a client sends as arguments is an answer or an error of the tool.
func FuzzArguments(f *testing.F) {
	s := &service{Deps: Deps{Families: mcptable.Families(mcptable.Deps{})}}
	list := s.tools()
	for i := range list {
		if err := list[i].compile(); err != nil {
			f.Fatal(err)
		}
	}
	for _, seed := range []string{`{}`, `null`, ``, `[]`, `{"lon":1e400,"lat":47}`, `{"kg":["1",null]}`, `{"parcel_id":"88801-1/2?x=y#z"}`,
		`{"limit":1e9}`, `{"rules":[{}]}`, `{"q":"\u0000"}`, `{"bbox":[1,2,3]}`, `{"parcel_ids":"a,b","rows":"x"}`} {
		for tool := range list {
			f.Add(tool, seed)
		}
	}
	f.Fuzz(func(t *testing.T, tool int, arguments string) {
		if tool < 0 || tool >= len(list) {
			return
		}
		if of := &list[tool]; of.study != nil {
			if _, err := of.readStudy(json.RawMessage(arguments)); err != nil && err.Error() == "" {
				t.Error("a refusal without words")
			}
			return
		}
		a, err := list[tool].read(json.RawMessage(arguments))
		if err != nil {
			if err.Error() == "" {
				t.Error("a refusal without words")
			}
			return
		}
		if _, err := http.NewRequest(a.call.endpoint.Method, a.call.of.prefix+a.target, nil); err != nil ||
			!strings.HasPrefix(a.target, "/") {
			t.Errorf("%q makes the request %q: %v", arguments, a.target, err)
		}
	})
}
