package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"time"

	"mappe/localdev/exact"
)

// coldStarts runs the real bootstrap of the spatial function through the Lambda Runtime API, a new
// process each time, and times its first answer: process start, artefacts opened, one KG read, sent.
func coldStarts(ctx context.Context, tmp, data string, n int) error {
	var took []time.Duration
	for i := range n + 1 {
		ctx, stop := context.WithCancel(ctx)
		edge, err := exact.Start(ctx, exact.Config{Template: "template.yaml", DataDir: data, WorkDir: filepath.Join(tmp, "functions"),
			Logs: io.Discard})
		if err != nil {
			stop()
			return err
		}
		r := httptest.NewRequest(http.MethodGet, "/cadastre/api/v1/spatial/point?lon=15.15&lat=48.22&radius=50", nil)
		w := httptest.NewRecorder()
		start := time.Now()
		edge.ServeHTTP(w, r)
		d := time.Since(start)
		stop()
		edge.Wait()
		if w.Code != http.StatusOK {
			return fmt.Errorf("first answer: status %d: %.200s", w.Code, w.Body)
		}
		if i > 0 { // the first start reads the new binary from the disk
			took = append(took, d)
		}
	}
	slices.Sort(took)
	fmt.Printf("first answer of the spatial function after process start, %d starts: median %s, worst %s\n", n, short(took[len(took)/2]),
		short(took[len(took)-1]))
	return nil
}
