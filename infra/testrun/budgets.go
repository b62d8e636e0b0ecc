package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"mappe/infra/golist"
)

// budgets are the seconds that the tests of a package may take on the reference machine, two cores with
// nothing else to do. The file has lines of a package, relative to the module, a tab and the seconds; the
// package "*" is every other one; lines that begin with # are remarks.
type budgets struct {
	file    string
	seconds map[string]float64
}

func readBudgets(file string) (budgets, error) {
	if file == "" {
		return budgets{}, nil
	}
	in, err := os.Open(file)
	if err != nil {
		return budgets{}, err
	}
	defer in.Close()
	return parseBudgets(file, in)
}

func parseBudgets(file string, in io.Reader) (budgets, error) {
	b := budgets{file: file, seconds: map[string]float64{}}
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		if lines.Text() == "" || strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		name, text, _ := strings.Cut(lines.Text(), "\t")
		seconds, err := strconv.ParseFloat(text, 64)
		_, twice := b.seconds[name]
		if err != nil || !(seconds > 0) || twice || name == "" {
			return b, fmt.Errorf("%s:%d: want a package that stands here once, a tab and seconds above 0, got %q", file, n, lines.Text())
		}
		b.seconds[name] = seconds
	}
	if lines.Err() == nil && b.seconds["*"] == 0 {
		return b, fmt.Errorf("%s: want a line for the package *, the budget of all that are not listed", file)
	}
	return b, lines.Err()
}

// longestFirst sorts packages by falling budget, those of one budget by their path: the package that takes longest is not
// the last to begin, when nothing is left to run beside it.
func (b budgets) longestFirst(packages []string) {
	of := func(p string) float64 {
		if s, ok := b.seconds[golist.Name(p)]; ok {
			return s
		}
		return b.seconds["*"]
	}
	slices.SortFunc(packages, func(p, q string) int { return cmp.Or(cmp.Compare(of(q), of(p)), strings.Compare(p, q)) })
}

// aboveAll is the budget from which a package is tested beside all others: it takes about as long as they do together.
const aboveAll = 600

// apart takes the packages whose budget is above all others' out of a part: they are tested beside all parts, as it would.
func (b budgets) apart(p part) (beside, rest part) {
	long := func(name string) bool { return b.seconds[golist.Name(name)] >= aboveAll }
	beside, rest = p, p
	beside.what = "beside all others"
	beside.packages = slices.DeleteFunc(slices.Clone(p.packages), func(name string) bool { return !long(name) })
	rest.packages = slices.DeleteFunc(slices.Clone(p.packages), long)
	return beside, rest
}

// tolerance is how many times its budget a package may take before that is a failure: the processors are shared with
// other packages, and it is by chance with which.
const tolerance = 1.5

// check prints the packages that took longer than their budget, multiplied by how slow this machine is. Those that took
// longer than the tolerance allows are an error.
func (b budgets) check(w io.Writer, took map[string]time.Duration, slow float64) error {
	if b.seconds == nil {
		return nil
	}
	fmt.Fprintf(w, "budgets of %s times %.2f, this machine's slowness\n", b.file, slow)
	bad := 0
	for _, name := range slices.Sorted(maps.Keys(took)) {
		most, listed := b.seconds[strings.TrimPrefix(name, golist.Module)]
		if !listed {
			most = b.seconds["*"]
		}
		if s := took[name].Seconds(); s > most*slow {
			if s > tolerance*most*slow {
				bad++
			}
			fmt.Fprintf(w, "over budget: %s took %.1f s, its budget is %.1f s\n", strings.TrimPrefix(name, golist.Module), s, most*slow)
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d packages took longer than %g times what %s gives them", bad, tolerance, b.file)
	}
	return nil
}
