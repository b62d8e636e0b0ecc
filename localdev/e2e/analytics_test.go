package e2e

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/library"
	"mappe/builders/national"
	"mappe/functions/cadastre/query"
	"mappe/functions/core"
	"mappe/infra/oracles"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/dir"
)

// documented is a query of docs/analytics.md and the request that it is compared with.
type documented struct {
	sql, request string
	paths        []string // of the answer, one for each column of the first row
}

var (
	sqlBlock = regexp.MustCompile("(?s)```sql\n(select.*?)```")
	asked    = regexp.MustCompile(`\n-- (/api\S+) (.*)\n`)
)

func documentedQueries(t *testing.T) []documented {
	t.Helper()
	b, err := os.ReadFile("../../docs/analytics.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(b), "## Ten queries")
	var list []documented
	for _, m := range sqlBlock.FindAllStringSubmatch(text, -1) {
		d := documented{sql: m[1]}
		if a := asked.FindStringSubmatch(m[1]); a != nil {
			d.request, d.paths = a[1], strings.Fields(a[2])
		}
		list = append(list, d)
	}
	if len(list) != 10 {
		t.Fatalf("%d queries are documented", len(list))
	}
	return list
}

// TestDuckDBAnswersAsTheService: each documented query runs over the published files, and says what the service
// says.
func TestDuckDBAnswersAsTheService(t *testing.T) {
	root := t.TempDir()
	st, err := dir.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	first := kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 300, Segments: 2, AreaKm2: 2, Seed: 9})
	second := kgtest.Snapshot(kgtest.Options{Code: "99002", Parcels: 150, Segments: 2, AreaKm2: 1, Seed: 4})
	second.KG.GemeindeCode = austria.GemeindeCode("32201")
	if _, err := national.PublishSnapshots(t.Context(), st, first, second); err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(t.Context(), st, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := query.New(core.Deps{Library: lib}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	list := documentedQueries(t)
	var sql []string
	for _, d := range list {
		sql = append(sql, "with parcels as (from read_parquet($FILE, hive_partitioning = true)) "+d.sql)
	}
	glob := filepath.Join(root, filepath.FromSlash(keys.LatestFolder(keys.GeoParquet)), "*", "*", "*.parquet")
	var results [][][]any
	if err := json.Unmarshal(oracles.Run(t, "duckdb.mjs", append([]string{glob}, sql...)...), &results); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for i, d := range list {
		if d.request == "" {
			if len(results[i]) == 0 && !strings.Contains(d.sql, "bbox") {
				t.Errorf("nothing found:\n%s", d.sql)
			}
			continue
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", d.request, nil))
		var answer any
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != 200 {
			t.Fatalf("%s: %d %s", d.request, w.Code, w.Body)
		}
		for k, path := range d.paths {
			if got, want := fmt.Sprint(results[i][0][k]), at(answer, path); !same(got, want) {
				t.Errorf("%s\nDuckDB says %s, %s of %s is %s", d.sql, got, path, d.request, want)
			}
			compared++
		}
	}
	if compared < 9 {
		t.Errorf("only %d values were compared", compared)
	}
}

// at is a value of an answer as text.
func at(v any, path string) string {
	for _, name := range strings.Split(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[name]
		case []any:
			n, err := strconv.Atoi(name)
			if err != nil || n >= len(x) {
				return "nothing"
			}
			v = x[n]
		}
	}
	return fmt.Sprint(v)
}

// same compares values; numbers to a hundredth.
func same(a, b string) bool {
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	if err1 != nil || err2 != nil {
		return a == b
	}
	return math.Abs(x-y) <= 0.011
}
