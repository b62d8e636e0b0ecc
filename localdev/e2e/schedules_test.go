package e2e

import (
	"context"
	"path/filepath"
	"testing"

	"mappe/builders/national"
	"mappe/localdev/exact"
	"mappe/localdev/exact/servers"
	"mappe/shared/austria"
	"mappe/shared/cloud/stack"
	"mappe/shared/cloud/store/storeurl"
	"mappe/shared/cloud/warmup"
)

// schedules fires every schedule of the template's functions once, with the real bootstraps, over an S3 server and a DynamoDB
// server where they are installed: none fails, and the one that looks for KGs that were asked for builds one.
func schedules(t *testing.T, source, data string, asked austria.KGCode) {
	t.Helper()
	template := filepath.Join(root(t), "template.yaml")
	declared, err := stack.Load(template, stack.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var given exact.Servers
	if programs, err := servers.Find(root(t)); err == nil {
		var stop func() error
		if given, stop, err = servers.Start(t.Context(), programs, filepath.Join(t.TempDir(), "s3")); err != nil {
			t.Fatal(err)
		}
		defer stop() // its directory is the test's
	}
	ctx, cancel := context.WithCancel(t.Context())
	var logs logged
	edge, err := exact.Start(ctx, exact.Config{Template: template, DataDir: data, Servers: given,
		Parameters: map[string]string{"SourceUrl": source}, Logs: &logs})
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	defer func() { cancel(); edge.Wait() }()
	st, err := storeurl.Open(edge.Artefacts())
	if err != nil {
		t.Fatal(err)
	}
	of, err := national.OpenSource(ctx, national.SourceOptions{Dir: source})
	if err != nil {
		t.Fatal(err)
	}
	facts, err := of.Facts(asked)
	if err != nil {
		t.Fatal(err)
	}
	if err := warmup.Request(ctx, st, facts.Code); err != nil {
		t.Fatal(err)
	}
	fired := 0
	for _, f := range declared.Functions {
		for _, s := range f.Schedules {
			if err := edge.Fire(ctx, f.Name, s.Name); err != nil {
				t.Errorf("%v\n%s", err, logs.String())
			}
			fired++
		}
	}
	if fired < 8 {
		t.Errorf("expected the schedules of seven functions, got %d", fired)
	}
	if k := served(t, edge.Artefacts()).KG(facts.Code); k == nil || k.Snapshot.Key == "" {
		t.Errorf("KG %s was asked for and is not built after all schedules\n%s", facts.Code, logs.String())
	}
	if err := edge.Fire(ctx, "Nobody", "Never"); err == nil {
		t.Error("an unknown function: expected an error")
	}
}
