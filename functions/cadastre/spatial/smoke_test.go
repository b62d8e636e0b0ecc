package spatial

import (
	"fmt"
	"testing"
)

func TestSmoke(t *testing.T) {
	h := world(t)
	for _, u := range []string{"/api/v1/spatial/bbox?" + cells(0.5, 0.5, 1.5, 1.5) + "&limit=2", "/api/v1/spatial/point?lon=15.0005&lat=48.0005&radius=0&layers=parcel,building,kg", "/api/v1/spatial/kgs?" + cells(0, 0, 8, 4), "/api/v1/spatial/footprints?" + cells(0, 0, 8, 4), "/api/v1/parcels/geometry/batch?ids=88801-1,88801-.6%2F1,88801-777,88803-1", "/api/v1/spatial/geom_cache/stats"} {
		w := call(h, "GET", u, "")
		fmt.Println(w.Code, w.Header(), w.Body)
	}
	fmt.Println(call(h, "POST", "/api/v1/spatial/points", `{"points":[{"lon":15.0005,"lat":48.0005},{"lon":15.004,"lat":48.0005,"id":"b"},{"lon":15.001,"lat":47.9995}]}`).Body)
}
