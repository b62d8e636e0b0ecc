package e2e

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mappe/infra/oracles"
)

// question is what a person would ask, the call that a model makes of it, and what the true answer holds.
type question struct {
	text, tool, arguments string
	want                  []string
	refused               bool
}

// questions are asked of the demo country. The answers were looked up in its sources and in the answers of other endpoints.
var questions = []question{
	{"Where is Am Anger 2 in Lorfach?", "find_address", `{"q":"Am Anger 2, Lorfach"}`,
		[]string{"Am Anger 2, 5790 Lorfach", "13.2856892,47.3249545", `"exact"`}, false},
	{"And the one in Ullnau?", "find_address", `{"q":"Am Anger 2, 5791 Ullnau"}`, []string{`"lon":13.2216513`, `"nearest_kg":"09901"`},
		false},
	{"Where is Am Angr 2 in Lorfach?", "find_address", `{"q":"Am Angr 2, Lorfach"}`, []string{"Matches: 0.", "Am Anger 2 Lorfach"}, false},
	{"Which KG is Ullnau?", "lookup_place", `{"q":"Ullnau","type":"kg"}`, []string{`"kg_code":"09901"`}, false},
	{"Which KG is Ulnau?", "lookup_place", `{"q":"Ulnau"}`, []string{"near to it are the spellings: Ullnau"}, false},
	{"Where is the Oxngraben?", "lookup_place", `{"q":"Oxngraben"}`, []string{"geographical names (type=toponym): Oxngraben"}, false},
	{"Which place has the postal code 5790?", "lookup_place", `{"q":"5790","type":"plz"}`, []string{`"name":"Lorfach"`}, false},
	{"Which parcel lies at 13.2203, 47.3205?", "parcel_at", `{"lon":13.2203,"lat":47.3205}`,
		[]string{`"parcel_id":"09901-.45"`, `"area_sqm":435.77`, `"building_count":1`}, false},
	{"Does it lie in a Natura 2000 site?", "parcel_at", `{"lon":13.2203,"lat":47.3205}`, []string{`"in_natura2000":false`}, false},
	{"How many parcels of KG 99101 are larger than a hectare?", "parcels_in", `{"kg":"99101","min_area":10000,"limit":1}`,
		[]string{"Matches: 15."}, false},
	{"How many parcels lie in Natura 2000 sites for habitats?", "parcels_in", `{"has_natura2000":true,"natura2000_type":"B","limit":1}`,
		[]string{"Matches: 9."}, false},
	{"Which parcels does KG 99206 have?", "parcels_in", `{"kg":"99206"}`, []string{"The answer is not complete", "99206"}, false},
	{"What is parcel 99101-140 worth?", "price_of", `{"parcel_id":"99101-140"}`,
		[]string{`"class":"bauland_built"`, "Confidence of the estimate", "The price lies between"}, false},
	{"What are 800 m² at Am Anger 2 worth?", "price_of", `{"lon":13.2856892,"lat":47.3249545,"area_sqm":800}`,
		[]string{`"class_basis":"cell"`, "not of the site", `"alternatives"`}, false},
	{"What are 800 m² somewhere in Lorfach worth?", "price_of", `{"gemeinde_code":"59902","area_sqm":800}`,
		[]string{`"class_basis":"assumed"`, "no finding"}, false},
	{"How far is the railway station from 13.2742, 47.3208?", "what_is_here", `{"lon":13.2742,"lat":47.3208,"include":["osm"]}`,
		[]string{`"dist_train_station_m":709.9`, "Lorfach Bahnhof"}, false},
	{"In which municipality is that?", "what_is_here", `{"lon":13.2742,"lat":47.3208}`, []string{`"gemeinde_code":"59902"`}, false},
	{"What is the land there used for?", "land_use_at", `{"lon":13.2742,"lat":47.3208}`,
		[]string{"arable land", ":100", "parcels_touching"}, false},
	{"What lies around Vaduz?", "what_is_here", `{"lon":9.52,"lat":47.14}`, []string{"outside Austria"}, false},
	{"How many parcels of KG 99101 were split in the last year?", "compare_versions",
		`{"kg":"99101","from":"2025-10-01","to":"2026-10-01","limit":1}`, []string{`"splits":34`}, false},
	{"When is half past two each day around the clock change of 2027?", "expand_rule_preview",
		`{"rules":[{"rrule":"FREQ=DAILY","tz":"Europe/Vienna","start":"2027-03-27T02:30:00"}]}`,
		[]string{"2027-03-28T01:30:00Z", "nonexistent"}, false},
	{"What has changed above Ullnau between the two scans?", "changes_in_area", `{"bbox":[13.220,47.316,13.236,47.326],"rows":1}`,
		[]string{`"forest_clearcut":{"count":1,"area_sqm":19876`, `"centroid_lon":13.2343819`, "Matches: 1."}, false},
	{"How many trees are left at its edge, and how high is the highest?", "trees_in_area",
		`{"bbox":[13.2330,47.3228,13.2350,47.3242],"rows":1}`, []string{`"n_trees":204`, `"h_max":26.84`, `"height_m":26.84`,
			`"12-14 m":2`}, false},
	{"How many were felled there?", "tree_changes_in_area", `{"bbox":[13.2330,47.3228,13.2350,47.3242]}`, []string{`"felled":{"count":447`},
		false},
	{"What stands within 100 m of the church of Ullnau?", "objects_in_area",
		`{"area":{"type":"Point","coordinates":[13.2274,47.3205]},"rows":1,"types":["roof"]}`,
		[]string{`"roof":{"count":39`, "Matches: 39."}, false},
	{"How steep is parcel 09902-287?", "terrain_of_area", `{"parcel_ids":["09902-287"]}`,
		[]string{`"slope_mean_deg":0.77`, "covers 92.6 %"}, false},
	{"How high does the church of Ullnau stand?", "heights_at", `{"lon":13.2274,"lat":47.3205}`,
		[]string{`"dtm_m":716.25`, `"height_m":17.49`}, false},
	{"Is there a height at sea?", "heights_at", `{"lon":2,"lat":50}`, []string{"Austria"}, true},
	{"What did the team complete of design?", "work_feed", `{"board":"Atlas","tag":"design","limit":5}`,
		[]string{"[design] Legend", `"more":false`}, false},
	{"What was completed without a name?", "work_feed", `{"board":"Atlas","limit":1}`, []string{`"task_id":"A-2"`, `"assignee":""`}, false},
	{"How far is my book?", "book_state", `{"book_id":1}`, []string{"Authorization: Bearer TOKEN"}, true},
	{"And what does the index know of it?", "landscape_of_parcels", `{"parcel_ids":["09902-287"]}`,
		[]string{`"dominant_type":"crop"`, `"processed":true`}, false},
	{"What covers the KG of Brennzach?", "landscape_of_kg", `{"kg_code":"09902"}`, []string{`"object_type":"roof"`, `"building_count":275`},
		false},
	{"Which is its largest green parcel?", "parcels_by_landscape",
		`{"kg":"09902","pf_min_vegetated_fraction":0.9,"min_area":10000,"pf_sort":"area_sqm","limit":1}`,
		[]string{`"parcel_id":"09902-412"`, "Matches: 11."}, false},
	{"Which KGs were analysed?", "kgs_by_landscape", `{"processed_only":true}`, []string{`"kg_code":"09902"`, "Matches: 1."}, false},
	{"Which of its parcels are worth most for nature?", "nature_parcels", `{"kg":"09902","limit":2}`,
		[]string{`"09902-387"`, "Matches: 705."}, false},
	{"What lies in a whole degree?", "objects_in_area", `{"bbox":[13,47,14,48]}`, []string{"at most 25 km²"}, true},
	{"Which parcel lies at 200, 47?", "parcel_at", `{"lon":200,"lat":47}`, []string{"200"}, true},
}

// mostText is what a model is given at most where it does not ask for more: the answer with its sources and links.
const mostText = 24 << 10

// computed has the questions about areas answered, whose first answer names a task where the machine is slow.
func computed(t *testing.T, base string) {
	for _, q := range questions {
		message := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + q.tool + `","arguments":` + q.arguments + `}}`
		for deadline := time.Now().Add(2 * time.Minute); strings.HasSuffix(q.tool, "_area") && !q.refused; {
			a, err := Do(http.DefaultClient, base, Exchange{Method: "POST", Path: "/mcp", Body: []byte(message)})
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Contains(a.Body, []byte(`"task":`)) {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("%s: not computed: %.900s", q.text, a.Body)
			}
		}
	}
}

// models asks the questions of the tools for language models as the official clients do.
func models(t *testing.T, base string) {
	calls := make([]string, len(questions))
	for i, q := range questions {
		calls[i] = `{"name":"` + q.tool + `","arguments":` + q.arguments + `}`
	}
	computed(t, base)
	for version, pkg := range map[string]string{"1": "@modelcontextprotocol/sdk", "2": "@modelcontextprotocol/client"} {
		folder := oracles.Folder(t, "infra/oracles/mcp", pkg)
		cmd := exec.Command(oracles.Program(t, "node"), filepath.Join(folder, "client.mjs"), version, base+"/mcp",
			"["+strings.Join(calls, ",")+"]")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s%s", pkg, err, out, stderr.Bytes())
		}
		var got struct {
			Tools   []string
			Results []struct {
				IsError           bool
				Content           []struct{ Text string }
				StructuredContent struct{ Sources []struct{ License string } }
			}
		}
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("%s: %v\n%s", pkg, err, out)
		}
		if len(got.Tools) != 25 || len(got.Results) != len(questions) {
			t.Fatalf("%s: got %d tools, %d answers", pkg, len(got.Tools), len(got.Results))
		}
		for i, q := range questions {
			r := got.Results[i]
			text := r.Content[0].Text
			for _, want := range q.want {
				if !strings.Contains(text, want) {
					t.Errorf("%s: %s: want %s, got %.900s", pkg, q.text, want, text)
				}
			}
			if r.IsError != q.refused || !q.refused && len(r.StructuredContent.Sources) == 0 || len(text) > mostText {
				t.Errorf("%s: %s: error %v, %d sources, %d bytes", pkg, q.text, r.IsError, len(r.StructuredContent.Sources), len(text))
			}
		}
	}
}
