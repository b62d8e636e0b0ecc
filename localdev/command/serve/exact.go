package serve

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"mappe/localdev/exact"
	"mappe/localdev/exact/servers"
	"mappe/localdev/server"
	"mappe/localdev/terminal"
	"mappe/shared/cloud/admintoken"
	"mappe/shared/cloud/nominatim"
	"mappe/shared/cloud/store/storeurl"
)

// exactFunctions builds the functions of template.yaml and puts the edge that runs them under every
// service's prefix. Parameters are those of the template. stop ends the servers that it has started.
func (s *serving) exactFunctions(ctx context.Context, config *server.Config, parameters map[string]string, out io.Writer) (stop func(),
	err error) {
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
	faults, err := s.faultPlan()
	if err != nil {
		return nil, err
	}
	given, endServers, err := s.exactServers(ctx)
	if err != nil {
		return nil, err
	}
	running, end := context.WithCancel(ctx)
	edge, err := exact.Start(running, exact.Config{
		Template: "template.yaml", DataDir: s.data, StateDir: s.state, Servers: given, Parameters: parameters, Log: config.Log,
		Faults: faults, Progress: buildProgress(out), Filling: fillProgress(out),
	})
	if err != nil {
		end()
		endServers()
		return nil, err
	}
	if token := cmp.Or(s.operator, os.Getenv(admintoken.Token)); token != "" {
		edge.PutSecret("OperatorSecret", token)
	}
	config.Functions = map[string]http.Handler{}
	for _, prefix := range edge.Prefixes() {
		config.Functions[prefix] = edge
	}
	if given != (exact.Servers{}) {
		if config.Store, err = storeurl.Open(edge.Artefacts()); err != nil {
			end()
			endServers()
			return nil, err
		}
		s.tellServers(out, given, edge.Ledgers())
	}
	return func() {
		end()
		edge.Wait()
		endServers()
		if faults != nil {
			fmt.Fprintf(out, "went wrong on purpose: %+v\n", edge.Injected())
		}
	}, nil
}

// tellServers says where the functions' data is.
func (s *serving) tellServers(out io.Writer, given exact.Servers, ledgers []string) {
	lasts := "ends with this command"
	if s.s3 != "" || s.dynamodb != "" {
		lasts = "stays there"
	}
	fmt.Fprintf(out, "\n  the functions work on a copy of the data in %s and %s, which %s; --ledger '%s'\n",
		given.S3, given.DynamoDB, lasts, strings.Join(ledgers, " "))
}

// faultPlan is what is to go wrong; nil: nothing.
func (s *serving) faultPlan() (*exact.Faults, error) {
	if s.faults == "" {
		return nil, nil
	}
	f, err := exact.ParseFaults(s.faults)
	if err != nil {
		return nil, fmt.Errorf("--faults: %w", err)
	}
	return &f, nil
}

// exactServers starts the servers that the functions ask instead of folders and files, where there are to be some.
func (s *serving) exactServers(ctx context.Context) (exact.Servers, func(), error) {
	given := exact.Servers{S3: s.s3, DynamoDB: s.dynamodb}
	if !s.servers || given != (exact.Servers{}) {
		return given, func() {}, nil
	}
	programs, err := servers.Find(".")
	if err != nil {
		return given, nil, fmt.Errorf("--servers: %w", err)
	}
	given, stop, err := servers.Start(ctx, programs, filepath.Join(s.state, ".exact", "servers"))
	if err != nil {
		return given, nil, fmt.Errorf("--servers: %w", err)
	}
	return given, func() {
		if err := stop(); err != nil {
			fmt.Fprintln(os.Stderr, "the files of the S3 server stay:", err)
		}
	}, nil
}

// fillProgress says what is copied into the servers.
func fillProgress(out io.Writer) func(exact.Filling) {
	line := terminal.NewLine(out)
	return func(f exact.Filling) {
		switch {
		case f.Done:
			line.Clear()
			fmt.Fprintf(out, "copied into %s: %d, %.1f s\n", f.Into, f.N, f.Took.Seconds())
		case line.Live:
			line.Show("copying into %s: %d of %d, %d s", f.Into, f.N, f.Of, int(f.Took.Seconds()))
		}
	}
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
