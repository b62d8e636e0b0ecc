package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mappe/infra/golist"
)

// part is a set of packages that are tested in one way.
type part struct {
	what     string
	flags    []string
	env      []string
	packages []string // import paths
	narrowed bool     // some of the tests of packages that another part tests wholly
}

// narrowed are packages of which most tests compute in one goroutine what the race detector makes ten times
// as long: all their tests run without it, and with it run those in which goroutines meet, which stand here.
// A package with none runs wholly without it; the remark says why.
var narrowed = map[string][]string{
	"artefacts/cog":            {"TestAGridIsReadAsWritten"},
	"artefacts/library/mosaic": {"TestWindowsOfBytes", "TestGenerationsOfBefore"},
	"artefacts/kgfile":         {"TestTablesAreMadeOnceByMany"},
	// what is made once for many is the library's; its tests look up in one goroutine
	"artefacts/register": {},
	"builders/kg":        {"TestLandUseIsUnitedAcrossTiles", "TestLandUseThatRunsOutOfTheKG"},
	"builders/kgbuild":   {"TestTheSameInputIsBuiltOnce", "TestRecorderContract"},
	"builders/national": {"TestTwoPublishersAtOnce", "TestABrokenKGNeverStopsTheOthers", "TestTheCloudWarms",
		"TestNationalTilesLeaveNoFiles", "TestPruneAndPublishDoNotMeet", "TestANewDateOfTheSameDataIsCarriedOver"},
	"builders/landscape/process": {"TestOutcomesOfJobs", "TestFunctionEnds"},
	// its goroutines meet in the queue, in builders/kgbuild and in builders/national, which are tested with it
	"builders/processing":    {},
	"builders/source/remote": {"TestAPartOfALargeFile"},
	"builders/relief":        {"TestTheReliefOfAScan"},
	"builders/ne":            {"TestSameBytes", "TestOpenedAtOnce", "TestABrokenRunIsRepeated", "TestSumsOfADistrict"},
	"builders/tiles":         {"TestSameBytesOnAnyNumberOfWorkers", "TestMergeNeighbours"},
	"functions/books": {"TestCallbackOnce", "TestParallelOrders", "TestManyWriteAnIndexAtOnce", "TestAStalledWorker",
		"TestCrashAfterAcceptance"},
	"functions/cadastre/export":   {"TestEqualRequestsAtOnce", "TestCancel", "TestColdKGsAreWaitedFor"},
	"functions/cadastre/query":    {"TestSnapshots", "TestTheStoreFailsAtEveryRead"},
	"functions/cadastre/versions": {}, // a lock for requests at once; its tests ask one after the other
	"functions/core/search": {"TestLookup", "TestPages", "TestEveryReadFailsOnce", "TestWait", "TestColdKGs", "TestManyColdKGs",
		"TestABatchAsksAFewTimes", "TestTheUpstreamIsAskedLast"},
	"functions/cadastre/spatial": {"TestPointBatch", "TestPoints", "TestWaitLoadsColdKGs", "TestKGsAreReadAhead",
		"TestConcurrentRequests", "TestASearchEndsWithItsClient"},
	"functions/core/cells":         {"TestCellsByIDs", "TestTooMuchToRead", "TestEveryReadFailsOnce", "TestChangesOfAChunk", "TestStats"},
	"functions/expander/paygate":   {}, // as functions/cadastre/versions
	"functions/context/contrib":    {"TestReportsAtOnce"},
	"functions/context/place":      {"TestBatchEnds", "TestCellsOfABatch", "TestPeer"},
	"functions/feedback":           {"TestWritersAtOnce"},
	"functions/landscape/index":    {"TestInTheBackground", "TestParcelsByTypeReadsItsPage"},
	"functions/workfeed":           {"TestParallelWriters"},
	"functions/families":           {"TestManyClientsWhileTheCountryChanges"},
	"functions/landscape/analysis": {"TestReadsAndLostTiles"},
	"functions/landscape/ogc":      {"TestJobsThatSeveralHave"},
	"functions/landscape/results": {"TestTheSameQuestionAtOnce", "TestAbortAtOnceTakesTwoSeconds", "TestFiftyTasksAtOnce",
		"TestManyAskAndAbortAtOnce", "TestTasksThatFail"},
	// what meets there are the tasks, which functions/landscape/results tries
	"functions/landscape/table":   {},
	"functions/landscape/segment": {"TestOneStopGate"},
	"functions/landscape/trees":   {"TestChangesOfTrees"},
	"functions/mcp":               {"TestATaskIsAskedAgain"},
	// it serves and asks programs of its own
	"infra/bench/country": {},
	// its goroutines ask another program, and the functions that it calls have tests of their own
	"infra/bench/context": {},
	// its goroutines wait for go test, which its tests do not run
	"infra/testrun": {},
	// their goroutines wait for go test, which their tests do not run
	"infra/mutate": {}, "infra/soak": {},
	// a program in Node.js pays one call after the other; shared/cloud/pay is tested with it
	"infra/oracles/x402": {},
	// a lock for functions at once; its tests have one goroutine
	"infra/rights": {},
	// its crash at every step is one request after the other, of a hundred processes
	"shared/cloud/pay": {"TestParallelRequestsWithOnePaymentRunOnce", "TestParallelPaymentsOfOneIdentifierAreChargedOnce",
		"TestWhoWaitsTooLongIsTold", "TestABuyerWhoHangsUpFetchesTheAnswerLater", "TestEventsOfManyProcessesAndDays",
		"TestEventsAreWrittenWithinASecond", "TestCountsThatWereNotWrittenAreTriedAgain", "TestCloseWritesALastTime", "TestASilentFacilitator",
		"TestALostAnswerIsMadeAgain", "TestReconcileClosesTheBooks", "TestDrillAPaymentThatTheLedgerLost", "TestKilledAtRandom"},
	// the landscape's country makes an index of 500 KGs several times
	"localdev/asl": {"TestRebuildOfACountry", "TestHowLongAndHowMany"},
	// it makes the demo country in one goroutine; builds at once are tested in builders/kgbuild
	"localdev/command/build": {},
	// as builders/landscape/process, whose worker it starts
	"localdev/command/landscape": {},
	"localdev/command/serve":     {"TestUpOnAReadOnlyDirectory", "TestLimits", "TestOneServerADirectory"},
	"localdev/demo/judged":       {}, // it holds pure functions against the truth of scenes, in one goroutine
	"localdev/demo/scene":        {"TestManyAskAtOnce"},
	"localdev/e2e":               {}, // what it starts are programs of their own, built without the detector
	"localdev/node/daemon":       {"TestManyWriteAtOnce"},
	"localdev/server":            {"TestArtefactsAnswerAsTheCDN", "TestMetrics", "TestPanicsAreCounted", "TestHealth"},
	"localdev/mirror":            {"TestAStoppedRunGoesOn", "TestABrokenLineIsContinued"},
	"shared/book/font":           {}, // its locks are for the press's callers; its tests have one goroutine
	"shared/landscape/change":    {"TestFaults"},
	"shared/landscape/forest":    {"TestAForestIsTheSameEverywhere"},
	"shared/landscape/segment":   {"TestDivideEnds"},
	"shared/landscape/terrain":   {"TestManyBands"},
	"shared/recurrence/zones":    {}, // what it remembers is for callers at once; its tests have one goroutine
	"shared/web/endpoint": {"TestBrokenAnswerDoesNotWaitForTheClient", "TestClientThatLeavesIsNoError",
		"TestRowsStreamInConstantMemory"},
	"shared/recurrence": {}, // pure functions; the goroutines of its tests wait for other programs
}

// split puts the packages of the patterns into the part without the race detector, the part with it and the
// narrowed part. The first is built without cgo, as the functions are: its objects are those that vet and
// the archives need.
func (o options) split(patterns []string) ([]part, error) {
	packages, err := golist.List(o.folder, patterns...)
	if err != nil {
		return nil, err
	}
	plain := part{what: "without the race detector", env: []string{"CGO_ENABLED=0"}}
	inC := part{what: "with cgo, for oracles in C", env: []string{"CGO_ENABLED=1"}}
	race := part{what: "with the race detector", flags: []string{"-race"}, env: []string{"CGO_ENABLED=1"}}
	narrow := part{what: "narrowed, with the race detector", env: race.env, narrowed: true}
	var names []string
	for _, p := range packages {
		if o.race != "all" && oracleInC(p) {
			inC.packages = append(inC.packages, p.ImportPath)
			continue
		}
		met, err := concurrent(p)
		if err != nil {
			return nil, err
		}
		tests, few := narrowed[golist.Name(p.ImportPath)]
		switch {
		case o.race == "all", o.race == "auto" && met && !few:
			race.packages = append(race.packages, p.ImportPath)
			continue
		case o.race == "auto" && len(tests) > 0:
			if missing, err := absent(p, tests); err != nil || len(missing) > 0 {
				return nil, errors.Join(err, fmt.Errorf("%s has no %s: correct narrowed in infra/testrun/race.go", p.ImportPath,
					strings.Join(missing, ", ")))
			}
			narrow.packages = append(narrow.packages, p.ImportPath)
			names = append(names, tests...)
		}
		plain.packages = append(plain.packages, p.ImportPath)
	}
	narrow.flags = []string{"-race", "-run", "^(" + strings.Join(names, "|") + ")$"}
	return []part{plain, inC, race, narrow}, nil
}

// oracleInC says whether a package has tests that are built with cgo only (//go:build cgo): they ask a library
// in C, and would be left out unseen without it.
func oracleInC(p golist.Package) bool {
	tests, err := filepath.Glob(filepath.Join(p.Dir, "*_test.go"))
	return err == nil && slices.ContainsFunc(tests, func(file string) bool {
		b, err := os.ReadFile(file)
		return err == nil && bytes.HasPrefix(b, []byte("//go:build cgo"))
	})
}

// absent are the tests that a package does not have.
func absent(p golist.Package, tests []string) ([]string, error) {
	missing := map[string]bool{}
	for _, name := range tests {
		missing[name] = true
	}
	for _, file := range p.Tests() {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				delete(missing, fn.Name.Name)
			}
		}
	}
	return slices.Sorted(maps.Keys(missing)), nil
}

// concurrent says whether goroutines meet in the package: it or its tests start some, or it holds locks or
// atomic values, which are there for the goroutines of others. sync.Once and its kin do not count, because
// what they guard is written once and by themselves, nor does sync.Pool, which shares nothing in use. A
// package without tests is never run.
func concurrent(p golist.Package) (bool, error) {
	if !p.Tested() {
		return false, nil
	}
	for _, file := range append(p.Sources(), p.Tests()...) {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return false, err
		}
		if meets(f) {
			return true, nil
		}
	}
	return false, nil
}

// meets says whether a file starts goroutines, locks or counts atomically.
func meets(f *ast.File) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = true
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				found = found || x.Name == "atomic" || x.Name == "errgroup" || x.Name == "sync" && n.Sel.Name != "Pool" &&
					!strings.HasPrefix(n.Sel.Name, "Once")
			}
		}
		return !found
	})
	return found
}
