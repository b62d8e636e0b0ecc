package ask

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"mappe/artefacts/register"
	"mappe/functions/families"
	"mappe/functions/fixture"
	"mappe/localdev/ask"
	"mappe/shared/cloud/store/mem"
)

// serve is a server of all services over the made-up world; it gives its address.
func serve(t *testing.T) string {
	t.Helper()
	s := mem.New()
	err := fixture.PublishOver(s, func(c *register.Contents) {
		c.Municipalities = []register.Municipality{{Code: "38801", Name: "Westgemeinde", DistrictCode: "388", DistrictName: "Bezirk 388",
			At: fixture.At(4, 2)}}
	}, "88803")
	if err != nil {
		t.Fatal(err)
	}
	lib, err := fixture.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	for _, s := range families.All(families.Deps{Library: lib}) {
		h, err := s.Handler()
		if err != nil {
			t.Fatal(err)
		}
		mux.Handle(s.Prefix+"/", h)
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// run runs the program with a command line of ask.
func run(t *testing.T, args ...string) (out, notes string, err error) {
	t.Helper()
	top := &cobra.Command{Use: "localdev", SilenceErrors: true, SilenceUsage: true}
	top.AddCommand(Commands()...)
	var o, n strings.Builder
	top.SetOut(&o)
	top.SetErr(&n)
	top.SetIn(strings.NewReader(`{"rules":[{"rrule":"FREQ=DAILY;COUNT=1","tz":"UTC","start":"2027-01-01T00:00:00"}]}`))
	top.SetArgs(append([]string{"ask"}, args...))
	err = top.ExecuteContext(t.Context())
	return o.String(), n.String(), err
}

func TestAnswersAsTables(t *testing.T) {
	base := serve(t)
	p := fixture.At(1.5, 0.5)
	lon, lat := fmt.Sprint(p.Lon()), fmt.Sprint(p.Lat())
	for _, tt := range []struct {
		name  string
		args  []string
		out   []string
		notes []string
	}{
		{"a parcel by its short name", []string{"cadastre", "parcel", "88801-2"}, []string{"parcel_id", "88801-2 "},
			[]string{"1 row\n", "data: "}},
		{"the same by the operation's", []string{"cadastre", "search-feature", "--id", "88801-2"}, []string{"88801-2 "}, nil},
		{"with underscores", []string{"cadastre", "search_feature", "--id", "88801-2"}, []string{"88801-2 "}, nil},
		{"a slash in a path value", []string{"cadastre", "llm-parcel", "88801-.6/1"}, []string{"parcel_id", "88801-.6/1"}, nil},
		{"a service for its operation", []string{"context", lon, lat, "--include", "municipality"},
			[]string{"municipality.name", "Westgemeinde"}, nil},
		{"by flags", []string{"context", "--lon", lon, "--lat=" + lat, "--include=municipality"}, []string{"Westgemeinde"}, nil},
		{"its other operations", []string{"context", "lookup", "--q", "Westgemeinde"}, []string{"gemeinde_code", "38801"}, []string{"row"}},
		{"a page and what there is", []string{"cadastre", "query", "--kg", "88801", "--limit", "3"},
			[]string{"88801-", "stats.matching_parcels", "17"}, []string{"3 of 17 rows; --all"}},
		{"every page", []string{"cadastre", "query", "--kg", "88801", "--limit", "3", "--all"}, []string{"88801-.6/1"},
			[]string{"17 rows\n"}},
		{"a truth value without a value", []string{"cadastre", "query", "--kg", "88801", "--has_buildings"},
			[]string{"stats.matching_parcels"}, nil},
		{"nothing", []string{"cadastre", "search-kg", "--q", "nirgendwo"}, nil, []string{"no rows"}},
		{"text", []string{"context", "docs-llm", "--section", "integration"}, []string{"# The contract"}, nil},
		{"a body", []string{"expander", "preview", "--body",
			`{"rules":[{"rrule":"FREQ=DAILY;COUNT=1","tz":"UTC","start":"2027-01-01T00:00:00"}]}`}, []string{"total_occurrences  1"}, nil},
		{"a body from standard input", []string{"expander", "preview", "--body", "-"}, []string{"total_occurrences  1"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, notes, err := run(t, append(tt.args, "--base", base)...)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range tt.out {
				if !strings.Contains(out, want) {
					t.Errorf("want %q in\n%s", want, out)
				}
			}
			for _, want := range tt.notes {
				if !strings.Contains(notes, want) {
					t.Errorf("want %q in the notes\n%s", want, notes)
				}
			}
		})
	}
}

// TestAnswersForPrograms: JSON is the service's, a walk gives every row once, CSV has one head.
func TestAnswersForPrograms(t *testing.T) {
	base := serve(t)
	query := []string{"cadastre", "query", "--kg", "88801", "--limit", "4", "--base", base}
	out, _, err := run(t, append(query, "--json")...)
	var whole struct {
		Data []any
		Meta struct{ Total int }
	}
	if err != nil || json.Unmarshal([]byte(out), &whole) != nil || len(whole.Data) != 4 || whole.Meta.Total != 17 {
		t.Errorf("%v %.300s", err, out)
	}
	out, _, err = run(t, append(query, "--json", "--all")...)
	var rows []struct{ Parcel_id string }
	if err != nil || json.Unmarshal([]byte(out), &rows) != nil {
		t.Fatalf("%v %.300s", err, out)
	}
	var ids []string
	for _, r := range rows {
		ids = append(ids, r.Parcel_id)
	}
	slices.Sort(ids)
	if len(ids) != 17 || len(slices.Compact(ids)) != 17 {
		t.Errorf("a walk gives %v", ids)
	}
	for name, args := range map[string][]string{"the service's": append(query, "--csv", "--all"),
		"our own": {"context", "lookup", "--q", "Westgemeinde", "--csv", "--base", base}} {
		out, _, err = run(t, args...)
		table, bad := csv.NewReader(strings.NewReader(strings.TrimPrefix(out, "\ufeff"))).ReadAll()
		if err != nil || bad != nil || len(table) < 2 || name == "the service's" && len(table) != 18 {
			t.Errorf("%s: %v, %v, %d lines: %.300s", name, err, bad, len(table), out)
		}
	}
	if out, _, err = run(t, "cadastre", "search-kg", "--q", "nirgendwo", "--json", "--all", "--base", base); err != nil ||
		strings.TrimSpace(out) != "[]" {
		t.Errorf("no rows: %v %q", err, out)
	}
	file := filepath.Join(t.TempDir(), "kg.geojson")
	if _, _, err = run(t, "cadastre", "query", "--kg", "88801", "--format", "geojson", "--json", "--output", file, "--base",
		base); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(file); err != nil || !strings.Contains(string(b), "FeatureCollection") {
		t.Errorf("the file: %v %.100s", err, b)
	}
}

// TestRefusals: in words, by name, before anything is asked where that is possible.
func TestRefusals(t *testing.T) {
	base := serve(t)
	missing := filepath.Join(t.TempDir(), "out.json")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"cadastr"}, `nothing that is called "cadastr"; did you mean cadastre?`},
		{[]string{"cadastre", "spatial-poin", "1", "--base", base}, "did you mean spatial-point"},
		{[]string{"context", "lookups", "--base", base}, "did you mean lookup"},
		{[]string{"cadastre", "query", "--kgs", "1"}, "query has no parameter --kgs"},
		{[]string{"cadastre", "spatial-point", "200", "47", "--base", base},
			`lon is out of range (value "200"): expected a number from -180 to 180`},
		{[]string{"cadastre", "spatial-point", "13", "--base", base}, "lat is missing"},
		{[]string{"cadastre", "parcel", "88801-1", "x", "--base", base}, `"x" is one value too many`},
		{[]string{"cadastre", "query", "--base", base}, "at least one of"},
		{[]string{"cadastre", "query", "--kg", "88801", "--json", "--csv", "--base", base}, "expected one of them"},
		{[]string{"cadastre", "query", "--kg", "88801", "--base", "example"}, "--base is \"example\""},
		{[]string{"cadastre", "query", "--kg", "88801", "--base", "http://127.0.0.1:1"},
			"nothing answers at http://127.0.0.1:1: start a server with"},
		{[]string{"cadastre", "query", "--kg", "88801", "--base", base + "/x"}, "is --base right?"},
		{[]string{"expander", "preview", "--base", base}, "--body is missing: expected JSON or the name of a file, for example {"},
		{[]string{"expander", "preview", "--body", "nowhere.json", "--base", base}, "nowhere.json"},
		{[]string{"expander", "preview", "--body", `{"rules":[{"rrule":"FREQ=DAIL","tz":"Vienna","start":"2027-01-01T00:00:00"}]}`,
			"--base", base}, "\n  "},
		{[]string{"context", "kgs", "--json", "--all", "--base", base}, "--all is for lists"},
	} {
		_, _, err := run(t, tt.args...)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: want %q, got %v", tt.args, tt.want, err)
		}
	}
	if _, _, err := run(t, "cadastre", "llm-parcel", "88801-99999", "--json", "--output", missing, "--base", base); err == nil {
		t.Error("a parcel that is not there is found")
	} else if _, err := os.Stat(missing); err == nil {
		t.Error("a refused answer left a file")
	}
}

// TestCompletion: services, operations, flags and values.
func TestCompletion(t *testing.T) {
	for _, tt := range []struct {
		typed []string
		want  []string
	}{
		{[]string{"ca"}, []string{"cadastre"}},
		{[]string{"cadastre", "spatial-po"}, []string{"spatial-point", "spatial-points", "spatial-polygon"}},
		{[]string{"cadastre", "query", "--so"}, []string{"--sort"}},
		{[]string{"cadastre", "query", "--sort", "area_"}, []string{"area_asc", "area_desc"}},
		{[]string{"cadastre", "spatial-point", "--layers", "parcels,b"}, []string{"parcels,buildings"}},
		{[]string{"context", "lookup", "--type", "to"}, []string{"toponym"}},
		{[]string{"cadastre", "query", "--has-buildings="}, []string{"true", "false"}},
		{[]string{"cadastre", "kg-diff", ""}, []string{"99101"}},
	} {
		top := &cobra.Command{Use: "localdev"}
		top.AddCommand(Commands()...)
		var out strings.Builder
		top.SetOut(&out)
		top.SetErr(&strings.Builder{})
		top.SetArgs(append([]string{cobra.ShellCompRequestCmd, "ask"}, tt.typed...))
		if err := top.Execute(); err != nil {
			t.Fatal(err)
		}
		for _, want := range tt.want {
			if !slices.ContainsFunc(strings.Split(out.String(), "\n"), func(l string) bool {
				name, _, _ := strings.Cut(l, "\t")
				return name == want
			}) {
				t.Errorf("%v: want %s, got\n%s", tt.typed, want, out.String())
			}
		}
	}
}

// TestEveryOperationIsACommand: no two of a service share a name, no parameter takes the name of a flag of ask, and the
// short names lead somewhere.
func TestEveryOperationIsACommand(t *testing.T) {
	tree, err := treeOf(nil)
	if err != nil {
		t.Fatal(err)
	}
	services, err := ask.Services()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, s := range services {
		seen := map[string]bool{}
		for _, o := range s.Operations {
			if seen[o.Name] {
				t.Errorf("%s has two operations %s", s.Name, o.Name)
			}
			seen[o.Name] = true
			n++
			if c, _, err := tree.Find([]string{"ask", s.Name, o.Name}); err != nil || c.Name() != o.Name {
				t.Errorf("%s %s is no command: %v", s.Name, o.Name, err)
			}
		}
		for name, of := range short[s.Name] {
			if !seen[of] || seen[name] {
				t.Errorf("%s: the short name %s of %s", s.Name, name, of)
			}
		}
	}
	if n < 120 {
		t.Errorf("only %d operations", n)
	}
}
