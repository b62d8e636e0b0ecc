package place

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"mappe/functions/core/view"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// world is the made-up world with everything that may lie around a place.
func world(t testing.TB) store.Store {
	t.Helper()
	s := mem.New()
	if err := fixture.PublishAround(s); err != nil {
		t.Fatal(err)
	}
	return s
}

// over serves a store.
func over(t testing.TB, s store.Store) http.Handler {
	t.Helper()
	lib := fixture.Library(t, s)
	return fixture.Handler(t, New(Deps{Library: lib, Now: fixture.Now}))
}

// at writes a place of the world as parameters, in cells.
func at(x, y float64) string { return cell(x, y, "lon", "lat") }

func cell(x, y float64, lon, lat string) string {
	p := fixture.At(x, y)
	return fmt.Sprintf("%s=%.7f&%s=%.7f", lon, p.Lon(), lat, p.Lat())
}

// ask reads a JSON answer.
func ask(t testing.TB, h http.Handler, target string, want int) map[string]any {
	t.Helper()
	w := get(h, "/api/v1/"+target)
	var body map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || w.Code != want {
		t.Fatalf("%s: want %d, got %d %v %s", target, want, w.Code, err, w.Body)
	}
	return body
}

// dig follows a path of members and indexes: "data.sites.0.sitecode".
func dig(v any, path string) any {
	for step := range strings.SplitSeq(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[step]
		case []any:
			i := 0
			if _, err := fmt.Sscan(step, &i); err != nil || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}

// viewOf is the present view of a store.
func viewOf(t testing.TB, s store.Store) *view.View {
	t.Helper()
	return view.Dated(fixture.View(t, s), "")
}
