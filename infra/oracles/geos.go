package oracles

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"mappe/shared/geo/geom"
)

// Invalid asks GEOS, through GDAL, which of the geometries are not valid, in degrees as all readers get
// them, and why. Geometries without a part are passed over.
func Invalid(t testing.TB, shapes []geom.MultiPolygon) map[int]string {
	t.Helper()
	tool := Program(t, "ogrinfo")
	var features [][]byte
	for i, m := range shapes {
		if len(m) > 0 {
			features = append(features, feature(i, m))
		}
	}
	if len(features) == 0 {
		return nil
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"type":"FeatureCollection","features":[%s]}`, bytes.Join(features, []byte{','}))
	file := filepath.Join(t.TempDir(), "shapes.geojson")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(tool, "-q", "-dialect", "sqlite",
		"-sql", "select id, ST_IsValidReason(geometry) as why from shapes where coalesce(ST_IsValid(geometry), 0) <> 1 union all select count(*), 'count' from shapes", file)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr // GEOS warns there once for each geometry
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("ogrinfo: %v\n%.2000s", err, stderr.Bytes())
	}
	return readReasons(t, out, len(features))
}

// readReasons reads pairs of "  id (Integer) = 3" and "  why (String) = Self-intersection[...]". The last
// one counts the geometries, so that an answer about fewer of them is not taken for a good one.
func readReasons(t testing.TB, out []byte, want int) map[int]string {
	t.Helper()
	bad := map[int]string{}
	id, counted := -1, -1
	for _, line := range bytes.Split(out, []byte{'\n'}) {
		name, value, ok := bytes.Cut(bytes.TrimSpace(line), []byte(" = "))
		if !ok {
			continue
		}
		switch {
		case bytes.HasPrefix(name, []byte("id ")):
			id, _ = strconv.Atoi(string(value))
		case bytes.HasPrefix(name, []byte("why ")) && string(value) == "count":
			counted = id
		case bytes.HasPrefix(name, []byte("why ")):
			bad[id] = string(value)
		}
	}
	if counted != want {
		t.Fatalf("GDAL read %d geometries of %d:\n%.2000s", counted, want, out)
	}
	return bad
}

func feature(id int, m geom.MultiPolygon) []byte {
	coordinates := make([][][][2]float64, len(m))
	for i, p := range m {
		for _, r := range p {
			ring := make([][2]float64, 0, len(r)+1)
			for k := range len(r) + 1 {
				v := r[k%len(r)]
				ring = append(ring, [2]float64{v.Lon(), v.Lat()})
			}
			coordinates[i] = append(coordinates[i], ring)
		}
	}
	b, _ := json.Marshal(map[string]any{ // finite numbers only
		"type": "Feature", "properties": map[string]int{"id": id},
		"geometry": map[string]any{"type": "MultiPolygon", "coordinates": coordinates},
	})
	return b
}
