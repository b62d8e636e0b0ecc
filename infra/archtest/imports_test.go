package archtest

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// floors from the bottom; a package stands on the first that holds it.
var floors = []struct {
	name    string
	folders []string
}{
	{"F0 knowledge", []string{"shared/austria", "shared/geo", "shared/landprice", "shared/recurrence", "shared/landscape",
		"shared/spelling", "shared/glob", "shared/strictenc", "shared/book"}},
	{"F1 plumbing", []string{"shared/web", "shared/cloud"}},
	{"F3 library", []string{"artefacts/library"}},
	{"F2 artefacts", []string{"artefacts"}},
	{"F5 programs", []string{"localdev", "builders/lambda"}},
	{"F4 functions and builders", []string{"functions", "builders"}},
	{"infra", []string{"infra"}},
}

// height is the floor's number, or -1 for a package that stands nowhere.
func height(p string) int {
	if under(p, "functions") && strings.HasSuffix(p, "/lambda") {
		return 5
	}
	for _, f := range floors {
		if under(p, f.folders...) {
			if f.name == "infra" {
				return 9
			}
			return int(f.name[1] - '0')
		}
	}
	return -1
}

func TestTheFoldersOfTheRulesAreThere(t *testing.T) {
	folders := slices.Concat(services, composing)
	for _, f := range floors {
		folders = append(folders, f.folders...)
	}
	for _, rooms := range addresses {
		folders = append(folders, rooms...)
	}
	for _, f := range folders {
		if len(goList(t, f)) == 0 {
			t.Errorf("no package stands in %s: take it out of the rules", f)
		}
	}
}

func TestImportsPointDown(t *testing.T) {
	for _, p := range goList(t) {
		from := name(p.ImportPath)
		if height(from) < 0 {
			t.Errorf("%s stands on no floor: put it into a room of ARCHITECTURE.md", from)
			continue
		}
		for _, imported := range p.Imports {
			if to := name(imported); to != "" {
				if sentence := allowed(from, to); sentence != "" {
					t.Errorf("%s imports %s: %s", from, to, sentence)
				}
			}
		}
	}
}

// allowed is "" or the sentence of the rule that the import breaks.
func allowed(from, to string) string {
	switch {
	case under(to, "infra") && !under(from, "infra"):
		return "infra reads the files of all and is imported by none"
	case under(from, "functions") && under(to, "builders"):
		return "readers never link writers"
	case under(from, "builders") && under(to, "functions"):
		return "writers never link readers"
	case under(from, "shared/cloud") && under(to, "shared/web"), under(from, "shared/web") && under(to, "shared/cloud"):
		return "the two halves of the plumbing do not know each other"
	case height(to) > height(from):
		return "imports only point down the floors"
	case height(to) == 5 && !under(from, "localdev", "infra"):
		return "programs are imported by none"
	}
	return rooms(from, to)
}

// services are the rooms of the functions that stand side by side, each with its families.
var services = []string{"functions/cadastre", "functions/context", "functions/landscape", "functions/expander", "functions/books",
	"functions/workfeed", "functions/mcp"}

// composing are the packages that put families together, beside functions/families and the tables.
var composing = []string{"functions/families", "functions/fixture"}

// rooms is allowed within the functions: the read core, functions/core, stands below the services, and what several
// families need stands there.
func rooms(from, to string) string {
	if !under(from, "functions") || !under(to, services...) || under(from, composing...) || strings.HasSuffix(from, "/lambda") ||
		strings.HasSuffix(from, "/table") {
		return ""
	}
	for _, s := range services {
		if under(from, s) && under(to, s) {
			if isFamily(from) && isFamily(to) && from != to {
				return "no family imports a family: what both need stands in functions/core"
			}
			return ""
		}
	}
	return "no service imports another: what both need stands in functions/core"
}

// isFamily says whether a package declares a family.
func isFamily(p string) bool {
	files, _ := filepath.Glob(filepath.Join(root, p, "*.go"))
	for _, f := range files {
		if text, err := os.ReadFile(f); err == nil && bytes.Contains(text, []byte("\nvar Family = family.Family{")) {
			return true
		}
	}
	return false
}

func TestTheRulesBite(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"functions/cadastre/spatial", "builders/kg", "readers never link writers"},
		{"functions/cadastre/spatial/lambda", "builders/kg", "readers never link writers"},
		{"builders/kg", "functions/cadastre/spatial", "writers never link readers"},
		{"shared/geo/geom", "shared/web/fault", "imports only point down the floors"},
		{"artefacts/kgfile", "artefacts/library", "imports only point down the floors"},
		{"shared/cloud/store", "infra/realdata", "infra reads the files of all and is imported by none"},
		{"functions/cadastre/spatial", "functions/cadastre/spatial/lambda", "imports only point down the floors"},
		{"functions/cadastre/spatial/lambda", "functions/cadastre/spatial", ""},
		{"artefacts/library", "artefacts/kgfile", ""},
		{"localdev", "localdev/exact", ""},
		{"builders/lambda", "builders/kg", ""},
		{"functions/core/search", "functions/cadastre/query", "no service imports another: what both need stands in functions/core"},
		{"functions/context/place", "functions/cadastre/search", "no service imports another: what both need stands in functions/core"},
		{"functions/cadastre/spatial", "functions/cadastre/query", "no family imports a family: what both need stands in functions/core"},
		{"functions/context/place", "functions/context/cells", "no family imports a family: what both need stands in functions/core"},
		{"functions/cadastre/proxy", "functions/cadastre/query", "no family imports a family: what both need stands in functions/core"},
		{"functions/context/place", "functions/core/cells", ""},
		{"functions/mcp", "functions/context/place", "no service imports another: what both need stands in functions/core"},
		{"functions/mcp/table", "functions/context/place", ""},
		{"functions/cadastre/versions", "functions/cadastre/stac", ""},
	} {
		if got := allowed(c.from, c.to); got != c.want {
			t.Errorf("%s imports %s: want %q, got %q", c.from, c.to, c.want, got)
		}
	}
}

// outside are the doors to the world: knowledge and formats have none.
var outside = []string{"net/http", "net", "os", "os/exec", "database/sql", "syscall"}

func TestKnowledgeAndFormatsDoNoIO(t *testing.T) {
	for _, p := range goList(t, "shared", "artefacts") {
		from := name(p.ImportPath)
		if h := height(from); h != 0 && h != 2 || strings.HasSuffix(from, "test") {
			continue
		}
		for _, imported := range p.Imports {
			for _, door := range outside {
				if imported == door {
					t.Errorf("%s imports %s: knowledge and formats take bytes and readers, they open nothing", from, imported)
				}
			}
		}
	}
}

// addresses are where a heavy or delicate dependency may be imported.
var addresses = map[string][]string{
	"github.com/aws/aws-sdk-go-v2":                  {"shared/cloud"},
	"github.com/aws/aws-sdk-go-v2/service/s3":       {"shared/cloud/store/s3"},
	"github.com/aws/aws-sdk-go-v2/service/dynamodb": {"shared/cloud/ledger/dynamo"},
	"github.com/aws/smithy-go":                      {"shared/cloud"},
	"github.com/aws/aws-lambda-go": {"shared/cloud/funcurl", "builders/lambda", "functions/expander/reconcile/lambda",
		"functions/books/worker/lambda", "functions/cadastre/export/worker/lambda", "functions/landscape/results/worker/lambda",
		"localdev/exact"},
	"github.com/blevesearch/vellum":          {"artefacts/directory"},
	"github.com/danielgtaylor/huma/v2":       {"shared/web/endpoint"},
	"github.com/gogama/flatgeobuf":           {"shared/web/flatgeobuf"},
	"github.com/google/flatbuffers":          {"shared/web/flatgeobuf"},
	"github.com/modelcontextprotocol/go-sdk": {"functions/mcp"},
	"github.com/parquet-go/parquet-go":       {"builders"},
	"modernc.org/sqlite": {"shared/web/gpkg", "shared/web/gpkgin", "shared/cloud/ledger/sqlite",
		"builders/source/geopackage"},
	"github.com/peterstace/simplefeatures": {"builders"},
	"github.com/paulmach/orb":              {}, // only tests, as an oracle
	"github.com/paulmach/osm":              {}, // only tests, as an oracle
	"github.com/teambition/rrule-go":       {}, // only tests, as an oracle
	"github.com/uber/h3-go":                {}, // only tests, as an oracle
	"github.com/spf13/cobra":               {"localdev"},
	"github.com/vbauerster/mpb/v8":         {"localdev"},
	"gopkg.in/yaml.v3":                     {"shared/cloud/stack"},
	"github.com/decred/dcrd":               {"localdev/facilitator"},
	"golang.org/x/crypto":                  {"localdev/facilitator", "shared/cloud/pay"},
	"github.com/boxesandglue/textshape":    {"shared/book/font"},
	"github.com/go-fonts/stix":             {"shared/book/font"},
	"github.com/yuin/goldmark":             {"shared/book/reader/markdown"},
}

func TestHeavyDependenciesHaveOneAddress(t *testing.T) {
	for _, p := range goList(t) {
		from := name(p.ImportPath)
		if under(from, "infra") {
			continue
		}
		for _, imported := range p.Imports {
			for dependency, rooms := range addresses {
				if (imported == dependency || strings.HasPrefix(imported, dependency+"/")) && !under(from, rooms...) {
					t.Errorf("%s imports %s: it may be imported in %s only", from, imported, strings.Join(rooms, ", "))
				}
			}
		}
	}
}

// TestWhatAFunctionLinks looks through everything a reading function's program is made of.
func TestWhatAFunctionLinks(t *testing.T) {
	for _, p := range goList(t, "functions") {
		for _, dep := range p.Deps {
			if under(name(dep), "builders", "localdev", "infra") || strings.HasPrefix(dep, "github.com/parquet-go/") {
				t.Errorf("%s links %s: readers never link writers", name(p.ImportPath), dep)
			}
		}
	}
}

// foreign is what the program of a family links of rooms that it does not use: it starts slower for it.
var foreign = map[string][]string{
	"functions/cadastre/query/lambda":           {"functions/core/rows", "functions/context", "functions/landscape"},
	"functions/landscape/analysis/lambda":       {"functions/cadastre", "functions/context", "functions/core/rows", "functions/core/view"},
	"functions/landscape/results/lambda":        {"artefacts", "functions/cadastre", "functions/landscape/analysis"},
	"functions/landscape/results/worker/lambda": {"functions/cadastre", "functions/context", "functions/core/rows"},
	"functions/landscape/index/lambda":          {"functions/cadastre", "functions/context", "functions/core/rows"},
	"functions/landscape/trees/lambda":          {"functions/cadastre", "functions/context", "functions/core/rows"},
	"functions/landscape/ogc/lambda":            {"functions/cadastre", "functions/context", "functions/core/rows"},
	"functions/landscape/segment/lambda":        {"functions/cadastre", "functions/context", "functions/core/rows"},
	"functions/landscape/changes/lambda":        {"functions/cadastre", "functions/context", "functions/core/rows"},
	"functions/expander/lambda":                 {"artefacts", "functions/core"},
	"functions/books/lambda":                    {"artefacts", "functions/core"},
	"functions/workfeed/lambda":                 {"artefacts", "functions/core"},
}

func TestProgramsLinkTheirOwnRooms(t *testing.T) {
	seen := 0
	for _, p := range goList(t, "functions") {
		rooms, ok := foreign[name(p.ImportPath)]
		if !ok {
			continue
		}
		seen++
		for _, dep := range p.Deps {
			if under(name(dep), rooms...) {
				t.Errorf("%s links %s", name(p.ImportPath), dep)
			}
		}
	}
	if seen != len(foreign) {
		t.Errorf("%d of %d programs found", seen, len(foreign))
	}
}
