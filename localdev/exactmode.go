package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"

	"mappe/localdev/exact"
)

// exactFunctions builds the functions of template.yaml and puts the edge that runs them under every
// service's prefix. Parameters are those of the template.
func exactFunctions(ctx context.Context, data string, parameters map[string]string, log *slog.Logger, out io.Writer) (map[string]http.Handler, error) {
	if strings.Contains(data, "://") {
		return nil, fmt.Errorf("--exact reads artefacts from a directory, not from %s", data)
	}
	fmt.Fprintln(out, "building the functions of template.yaml")
	edge, err := exact.Start(ctx, exact.Config{Template: "template.yaml", DataDir: data, Parameters: parameters, Log: log})
	if err != nil {
		return nil, err
	}
	functions := map[string]http.Handler{}
	for _, prefix := range edge.Prefixes() {
		functions[prefix] = edge
	}
	return functions, nil
}
