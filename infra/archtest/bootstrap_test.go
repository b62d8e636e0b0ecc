package archtest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mappe/infra/pack"
	"mappe/localdev/exact"
	"mappe/shared/cloud/stack"
)

// The bounds of a function's program: the wiring a reader takes in at a glance, and a bootstrap that a
// cold start loads in a few milliseconds. Nobody waits for the first answer of a worker (it has no URL),
// and it links the writers of every form.
const (
	maxMainLines = 25
	maxBootstrap = 16 << 20
	maxWorker    = 40<<20 + 512<<10
	maxBooks     = 24 << 20
	maxExport    = 17 << 20
	maxWrites    = maxExport + 512<<10
	maxSearch    = maxExport + 256<<10
	maxInfo      = 24<<20 + 512<<10 // the sentences of their service are German too
	maxMCP       = 32 << 20         // it reads the records of books and of the work feed too
	maxLandscape = 19 << 20
	maxIndex     = 20 << 20
	maxOgc       = 22 << 20
	maxSheets    = 24 << 20
)

func declared(t *testing.T) *stack.Stack {
	t.Helper()
	s, err := stack.Load(filepath.Join(root, "template.yaml"), stack.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestMainsAreWiring(t *testing.T) {
	found := 0
	for _, pattern := range []string{"functions/*/lambda/main.go", "functions/*/*/lambda/main.go", "builders/lambda/main.go"} {
		mains, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, main := range mains {
			found++
			raw, err := os.ReadFile(main)
			if err != nil {
				t.Fatal(err)
			}
			if n := bytes.Count(raw, []byte("\n")); n > maxMainLines {
				t.Errorf("%s has %d lines, at most %d: a main is wiring", main, n, maxMainLines)
			}
		}
	}
	if found < 2 {
		t.Errorf("only %d mains were found", found)
	}
}

func TestBootstrapsAreSmall(t *testing.T) {
	dir, err := filepath.Abs(exact.Bootstraps(filepath.Join(root, "template.yaml"))) // where `up --exact` and make build build them
	if err != nil {
		t.Fatal(err)
	}
	built := map[string]bool{}
	for _, f := range declared(t).Functions {
		if built[f.Main] {
			continue // a program that several functions run
		}
		built[f.Main] = true
		binary := filepath.Join(dir, f.Name, "bootstrap")
		if err := pack.BuildHere(t.Context(), f.Main, binary); err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		fi, err := os.Stat(binary)
		if err != nil {
			t.Fatal(err)
		}
		most := int64(maxBootstrap)
		switch {
		case f.Name == "BooksFunction": // examines manuscripts: their readers, and eight faces to know their characters
			most = maxBooks
		case f.Name == "ArchiveFunction": // reads artefacts, and enqueues jobs in DynamoDB or SQLite
			most = maxExport
		case f.Name == "ExportFunction": // as that, and writes whole KGs in eight forms
			most = maxWrites
		// read GeoPackages that clients upload, with SQLite, and files in old character sets
		case f.Name == "LandscapeFunction", f.Name == "OverlaysFunction":
			most = maxLandscape
		case f.Name == "SpatialFunction": // as those, and sets sheets with the fonts of the press
			most = maxSheets
		// reads the index, the cadastre and what lies over it, and keeps tasks in DynamoDB or SQLite
		case f.Name == "LandscapeIndexFunction":
			most = maxIndex
		case f.Name == "LandscapeProcessingFunction": // keeps the processor's state in DynamoDB or SQLite
			most = maxExport
		// as LandscapeFunction, with footprints of the cadastre and tasks in DynamoDB or SQLite
		case f.Name == "LandscapeChangesFunction", f.Name == "LandscapeTreesFunction":
			most = maxIndex
		case f.Name == "LandscapeOgcFunction": // has the processes of all families of analyses, and their tasks
			most = maxOgc
		case f.Name == "LandscapeSegmentFunction": // as those, and the model that tells types; it keeps the queue of one-stop
			most = maxIndex
		case f.Name == "LandPricesFunction": // gives the prices of parcels as GeoPackages too, with SQLite
			most = maxExport
		case f.Name == "QueryFunction": // counts over columns of the country, what lies over it and the files of KGs
			most = maxExport
		// reads cells and keeps reports in DynamoDB or SQLite; compares snapshots in all forms
		case f.Name == "ContribFunction", f.Name == "VersionsFunction":
			most = maxExport
		case f.Name == "SearchFunction": // has the transducers of the directory, and compares snapshots for parcels that are gone
			most = maxSearch
		// describe every family of their service, and so link them
		case f.Name == "InfoFunction", f.Name == "ContextInfoFunction", f.Name == "LandscapeInfoFunction":
			most = maxInfo
		// answers for all families of cadastre, context and landscape in one process, SQLite of their uploads with them, and links the
		// protocol's library
		case f.Name == "McpFunction":
			most = maxMCP
		case !f.HasURL:
			most = maxWorker
		}
		t.Logf("%s: %.1f MB", f.Name, float64(fi.Size())/1e6)
		if fi.Size() > most {
			t.Errorf("%s: the bootstrap has %d bytes, at most %d: what does it link that it does not need?", f.Name, fi.Size(), most)
		}
	}
}

// What make compiles for vet, staticcheck and the tests are the objects that the bootstraps are linked of: the flags of the
// compiler are the same. Otherwise everything is compiled twice, which nothing but the time tells.
func TestBootstrapsShareTheirObjects(t *testing.T) {
	var given string
	for line := range strings.Lines(text(t, "Makefile")) {
		if strings.HasPrefix(line, "export GOFLAGS") {
			given = line
		}
	}
	compared := 0
	for _, flag := range exact.BuildFlags {
		if flag == "-trimpath" || strings.HasPrefix(flag, "-gcflags") {
			if compared++; !strings.Contains(given, flag) {
				t.Errorf("the Makefile's GOFLAGS lack %s of a bootstrap: %s", flag, given)
			}
		}
	}
	if compared != 2 {
		t.Errorf("%d flags of the compiler in %q, want -trimpath and -gcflags", compared, exact.BuildFlags)
	}
}
