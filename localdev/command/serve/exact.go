package serve

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"mappe/localdev/exact"
	"mappe/localdev/terminal"
	"mappe/shared/cloud/admintoken"
	"mappe/shared/cloud/nominatim"
)

// exactFunctions builds the functions of template.yaml and puts the edge that runs them under every
// service's prefix. Parameters are those of the template.
func (s *serving) exactFunctions(ctx context.Context, dir string, parameters map[string]string, log *slog.Logger,
	out io.Writer) (functions map[string]http.Handler, err error) {
	if strings.Contains(s.data, "://") {
		return nil, fmt.Errorf("--exact reads artefacts from a directory, not from %s", s.data)
	}
	if _, err := os.Stat("template.yaml"); err != nil {
		return nil, fmt.Errorf("--exact builds the functions of template.yaml from their sources: run it in the checkout (%w)", err)
	}
	parameters["ClientLimits"] = map[bool]string{true: "yes", false: "no"}[s.limits]
	parameters["GeocoderUrl"], parameters["GeocoderContact"] = os.Getenv(nominatim.Address), os.Getenv(nominatim.Contact)
	if s.source != "" {
		if parameters["SourceUrl"], err = filepath.Abs(s.source); err != nil {
			return nil, err
		}
	}
	edge, err := exact.Start(ctx, exact.Config{
		Template: "template.yaml", DataDir: s.data, StateDir: dir, Parameters: parameters, Log: log, Progress: buildProgress(out),
	})
	if err != nil {
		return nil, err
	}
	if token := cmp.Or(s.operator, os.Getenv(admintoken.Token)); token != "" {
		edge.PutSecret("OperatorSecret", token)
	}
	functions = map[string]http.Handler{}
	for _, prefix := range edge.Prefixes() {
		functions[prefix] = edge
	}
	return functions, nil
}

// buildProgress shows which function is built: on a terminal one line that changes, elsewhere a line for each.
func buildProgress(out io.Writer) func(exact.Building) {
	line := terminal.NewLine(out)
	return func(b exact.Building) {
		switch {
		case line.Live && b.Done && b.N == b.Of:
			line.Clear()
		case line.Live:
			line.Show("building function %d of %d, %s: %d packages compiled, %d s", b.N, b.Of, b.Function, b.Packages,
				int(b.Took.Seconds()))
		case b.Done:
			fmt.Fprintf(out, "built function %d of %d: %s, %d packages compiled, %.1f s\n", b.N, b.Of, b.Function, b.Packages,
				b.Took.Seconds())
		case b.Took == 0:
			fmt.Fprintf(out, "building function %d of %d: %s\n", b.N, b.Of, b.Function)
		}
	}
}
