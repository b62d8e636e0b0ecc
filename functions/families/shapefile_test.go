package families

import (
	"flag"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mappe/shared/web/format"
	"mappe/shared/web/shapefile"
)

var update = flag.Bool("update", false, "write the table of docs/shapefile.md anew")

// TestDocsNameTheColumnsOfShapefiles: the table of docs/shapefile.md has each column whose name is another in a shapefile, of the rows of
// every endpoint, and no other.
func TestDocsNameTheColumnsOfShapefiles(t *testing.T) {
	short := map[string][]string{}
	for _, s := range All(Deps{}) {
		for _, m := range s.Members {
			for _, e := range m.Service.Endpoints {
				if e.Answer.JSONOnly || !format.HasShape(e.Answer.Rows) {
					continue
				}
				for _, k := range e.Answer.Rows {
					whole := format.NewLayout(nil, k).Names()
					for i, name := range shapefile.Names(whole) {
						if name != whole[i] && !slices.Contains(short[whole[i]], name) {
							short[whole[i]] = append(short[whole[i]], name)
						}
					}
				}
			}
		}
	}
	if len(short) < 20 {
		t.Fatalf("%d columns have another name", len(short))
	}
	var want strings.Builder
	for _, name := range slices.Sorted(maps.Keys(short)) {
		slices.Sort(short[name])
		want.WriteString("| `" + name + "` | `" + strings.Join(short[name], "`, `") + "` |\n")
	}
	const path = "../../docs/shapefile.md"
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	table := regexp.MustCompile("(?m)(^\\| `.*\\|\n)+")
	if *update {
		if err := os.WriteFile(path, []byte(table.ReplaceAllLiteralString(string(raw), want.String())), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got := table.FindString(string(raw)); got != want.String() {
		t.Errorf("docs/shapefile.md has\n%s\nwant, with -update,\n%s", got, &want)
	}
}
