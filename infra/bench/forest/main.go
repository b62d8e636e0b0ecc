// The forest bench fits the classifier's random forest (shared/landscape/forest) and scikit-learn's on the same made-up rows, as
// many as a national model has, and compares processor time and accuracy. It is skipped where scikit-learn is not installed
// (Debian: python3-sklearn).
//
//	go run ./infra/bench/forest [-rows 87496] [-trees 200]
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"mappe/infra/bench/cputime"
	"mappe/shared/landscape/forest"
)

//go:embed peer.py
var peer string

const (
	features = 57
	classes  = 16
)

// The aims: shares of the peer's processor time, and points of accuracy that may be missing.
const (
	fitShare     = 0.5
	predictShare = 0.7
	points       = 0.005
)

// figures are those of one side.
type figures struct {
	Name    string  `json:"name"`
	Fit     float64 `json:"fit"` // seconds of processor time
	Wall    float64 `json:"wall"`
	Predict float64 `json:"predict"`
	OOB     float64 `json:"oob"`
	HeldOut float64 `json:"held_out"`
	Nodes   int     `json:"nodes"`
}

func main() {
	rows := flag.Int("rows", 87496, "rows to fit")
	held := flag.Int("held", 20000, "rows that are held out")
	trees := flag.Int("trees", 200, "trees of a forest")
	flag.Parse()
	if err := run(*rows, *held, *trees); err != nil {
		fmt.Fprintln(os.Stderr, "forest:", err)
		os.Exit(1)
	}
}

func run(rows, held, trees int) error {
	python := pythonWith("sklearn")
	if python == "" {
		fmt.Println("skipped: scikit-learn is not installed")
		return nil
	}
	folder, err := os.MkdirTemp("", "mappe-forest-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	theirs, err := askPeer(python, folder, rows, held, trees)
	if err != nil {
		return err
	}
	ours, err := measure(folder, rows, held, trees)
	if err != nil {
		return err
	}
	fmt.Printf("%d rows of %d features, %d classes, %d trees; %d rows held out\n", rows, features, classes, trees, held)
	fmt.Printf("%-22s %10s %10s %12s %10s %10s %10s\n", "", "fit, CPU s", "wall s", "predict, s", "OOB", "held out", "nodes")
	for _, f := range []figures{theirs, ours} {
		fmt.Printf("%-22s %10.1f %10.1f %12.2f %10.4f %10.4f %10d\n", f.Name, f.Fit, f.Wall, f.Predict, f.OOB, f.HeldOut, f.Nodes)
	}
	fit, predict := ours.Fit/theirs.Fit, ours.Predict/theirs.Predict
	fmt.Printf("share of the peer's processor time: fit %.2f (aim %.1f), predict %.2f (aim %.1f); out-of-bag accuracy %+.4f (aim %.3f)\n",
		fit, fitShare, predict,
		predictShare, ours.OOB-theirs.OOB, -points)
	if fit > fitShare || predict > predictShare || ours.OOB < theirs.OOB-points {
		return errors.New("an aim is missed")
	}
	return nil
}

// pythonWith is an interpreter that has a module; "" if no interpreter has it. Debian's comes first: its packages are not seen by others.
func pythonWith(module string) string {
	for _, name := range []string{"/usr/bin/python3", "python3"} {
		if exec.Command(name, "-c", "import "+module).Run() == nil {
			return name
		}
	}
	return ""
}

func askPeer(python, folder string, rows, held, trees int) (f figures, err error) {
	cmd := exec.Command(python, "-", folder, strconv.Itoa(rows), strconv.Itoa(held), strconv.Itoa(features), strconv.Itoa(classes),
		strconv.Itoa(trees))
	cmd.Stdin, cmd.Stderr = bytes.NewReader([]byte(peer)), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return f, fmt.Errorf("scikit-learn: %w", err)
	}
	return f, json.Unmarshal(out, &f)
}

// read reads the rows that the peer has made.
func read(folder, name string, rows int) (columns [][]float32, labels []uint8, err error) {
	raw, err := os.ReadFile(filepath.Join(folder, name+".f32"))
	if err != nil {
		return nil, nil, err
	}
	labels, err = os.ReadFile(filepath.Join(folder, name+".u8"))
	if err != nil {
		return nil, nil, err
	}
	if len(labels) != rows || len(raw) != 4*rows*features {
		return nil, nil, fmt.Errorf("%d labels and %d bytes of %d rows", len(labels), len(raw), rows)
	}
	columns = make([][]float32, features)
	for i := range columns {
		columns[i] = make([]float32, rows)
		for r := range columns[i] {
			columns[i][r] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*(i*rows+r):]))
		}
	}
	return columns, labels, nil
}

func measure(folder string, rows, held, trees int) (f figures, err error) {
	columns, labels, err := read(folder, "train", rows)
	if err != nil {
		return f, err
	}
	test, truth, err := read(folder, "test", held)
	if err != nil {
		return f, err
	}
	f.Name = "shared/landscape/forest"
	p := forest.Default()
	p.Trees = trees
	start, wall := cputime.Used(), time.Now()
	grown, err := forest.Fit(context.Background(), columns, labels, classes, p)
	if err != nil {
		return f, err
	}
	f.Fit, f.Wall = (cputime.Used() - start).Seconds(), time.Since(wall).Seconds()
	f.OOB, f.Nodes = accuracy(grown.Votes, labels), len(grown.Nodes)
	runtime.GC() // what the fit left behind
	start = cputime.Used()
	votes := grown.Forest.Votes(test, nil)
	f.Predict = (cputime.Used() - start).Seconds()
	f.HeldOut = accuracy(votes, truth)
	return f, nil
}

func accuracy(votes []uint32, labels []uint8) float64 {
	right, n := 0, 0
	for r, y := range labels {
		k, _ := forest.Top(votes[r*classes : (r+1)*classes])
		if k < 0 {
			continue
		}
		n++
		if k == int(y) {
			right++
		}
	}
	return float64(right) / float64(max(n, 1))
}
