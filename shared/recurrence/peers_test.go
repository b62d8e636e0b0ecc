package recurrence

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mappe/infra/oracles"
)

// peerCase is one rule for the peers, in UTC.
type peerCase struct {
	RRule string `json:"rrule,omitempty"`
	Cron  string `json:"cron,omitempty"`
	Start string `json:"start"`
	Count int    `json:"count"`
}

const peersFolder = "../../infra/oracles/recurrence"

// run gives a peer program's answer to an input.
func run(t *testing.T, in []byte, program string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Stdin, cmd.Env = bytes.NewReader(in), append(os.Environ(), "TZ=UTC")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, stderr.Bytes())
	}
	return out
}

// ask has a peer script answer the cases in JSON.
func ask(t *testing.T, cases []peerCase, answer any, program string, args ...string) {
	t.Helper()
	in, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(run(t, in, program, args...), answer); err != nil {
		t.Fatal(err)
	}
}

func needNode(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped: -short leaves out the peers that run for seconds")
	}
	oracles.Program(t, "node")
	return filepath.Join(oracles.Folder(t, "infra/oracles/recurrence", "rrule-temporal"), "peers.mjs")
}

// needPython is a python3 that has dateutil, the system's own where another stands before it.
func needPython(t *testing.T) string {
	t.Helper()
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import dateutil").Run() == nil {
			return python
		}
	}
	t.Skip("skipped: dateutil of python3 (Debian package python3-dateutil) is not installed")
	return ""
}

// needLibical compiles the program that asks libical.
func needLibical(t *testing.T) string {
	t.Helper()
	gcc := oracles.Program(t, "gcc")
	if _, err := os.Stat("/usr/include/libical/ical.h"); err != nil {
		t.Skip("skipped: libical with its headers (Debian package libical-dev) is not installed")
	}
	program := filepath.Join(t.TempDir(), "libical")
	if out, err := exec.Command(gcc, "-Wall", "-O1", "-o", program, filepath.Join(peersFolder, "libical.c"),
		"-lical").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

var rrulePeers = []string{"rrule-temporal", "dateutil", "libical"}

// askRRule gives each peer's times for each case, nil where it refuses; three lineages that share no code.
func askRRule(t *testing.T, cases []peerCase) [][3][]string {
	t.Helper()
	script, python, libical := needNode(t), needPython(t), needLibical(t)
	var temporal []map[string][]string
	var dateutil [][]string
	ask(t, cases, &temporal, "node", script)
	ask(t, cases, &dateutil, python, filepath.Join(peersFolder, "peers.py"))
	var in strings.Builder
	for _, c := range cases {
		start := strings.NewReplacer("-", "", ":", "").Replace(c.Start)
		in.WriteString(start + "Z\t" + strconv.Itoa(c.Count) + "\t" + ascending(c.RRule) + "\n")
	}
	lines := strings.Split(string(run(t, []byte(in.String()), libical)), "\n")
	if len(lines) != len(cases)+1 {
		t.Fatalf("libical: %d lines for %d cases", len(lines), len(cases))
	}
	answers := make([][3][]string, len(cases))
	for i := range cases {
		answers[i] = [3][]string{temporal[i]["rrule-temporal"], dateutil[i], nil}
		if lines[i] != "-" {
			answers[i][2] = append([]string{}, strings.Fields(lines[i])...)
		}
	}
	return answers
}

var cronPeers = []string{"croner", "cron-parser", "cron-schedule"}

// askCron gives each library's times for each expression, nil where it refuses.
func askCron(t *testing.T, cases []peerCase) [][][]string {
	t.Helper()
	var lists []map[string][]string
	ask(t, cases, &lists, "node", needNode(t))
	answers := make([][][]string, len(cases))
	for i := range cases {
		for _, name := range cronPeers {
			answers[i] = append(answers[i], lists[i][name])
		}
	}
	return answers
}

// ascending puts a rule's lists of numbers in order: libical gives times in the order of the list.
func ascending(rule string) string {
	parts := strings.Split(rule, ";")
	for i, part := range parts {
		name, value, _ := strings.Cut(part, "=")
		if value == "" || strings.Trim(value, "0123456789,-") != "" {
			continue
		}
		list := strings.Split(value, ",")
		slices.SortFunc(list, func(a, b string) int {
			x, _ := strconv.Atoi(a)
			y, _ := strconv.Atoi(b)
			return x - y
		})
		parts[i] = name + "=" + strings.Join(list, ",")
	}
	return strings.Join(parts, ";")
}

// majority is what at least two peers give alike.
func majority(answers []([]string)) (list []string, ok bool) {
	for i, a := range answers {
		for _, b := range answers[:i] {
			if a != nil && b != nil && slices.Equal(a, b) {
				return a, true
			}
		}
	}
	return nil, false
}

// ours expands as the peers are asked to.
func ours(t *testing.T, c peerCase) []string {
	return locals(expandOne(t, Rule{RRule: c.RRule, Cron: c.Cron, TZ: "UTC", Start: c.Start, Count: &c.Count}))
}

// peerCases is how many random rules are compared: rrule-temporal needs some 70 ms for each, so the full
// comparison of 10,000 is asked for by RECURRENCE_PEER_CASES=10000 (and -timeout 30m).
func peerCases() int {
	if n, err := strconv.Atoi(os.Getenv("RECURRENCE_PEER_CASES")); err == nil {
		return n
	}
	return 120
}

// tally counts how often this and each peer are with a majority.
type tally struct {
	t             *testing.T
	voted, agreed int
	lone          map[string]int // a peer that two others outvoted
	splits        map[string]int // with whom this is where all peers differ
}

func newTally(t *testing.T) *tally {
	return &tally{t: t, lone: map[string]int{}, splits: map[string]int{}}
}

func (v *tally) add(c peerCase, got []string, names []string, answers [][]string) {
	most, ok := majority(answers)
	if ok {
		v.voted++
		for i, a := range answers {
			if a != nil && !slices.Equal(a, most) {
				v.lone[names[i]]++
			}
		}
		if slices.Equal(got, most) {
			v.agreed++
			return
		}
	} else {
		with := "none"
		for i, a := range answers {
			if a != nil && slices.Equal(got, a) {
				with = names[i]
			}
		}
		if v.splits[with]++; with != "none" {
			return
		}
	}
	v.t.Logf("%s%s from %s\n%-15s %v", c.RRule, c.Cron, c.Start, "this", clipList(got))
	for i, a := range answers {
		v.t.Logf("%-15s %v", names[i], clipList(a))
	}
}

func (v *tally) report(cases int) {
	v.t.Helper()
	v.t.Logf("%d cases, %d with a majority, %d agreed (%.3f %%); outvoted: %v; no majority, this agrees with: %v",
		cases, v.voted, v.agreed, 100*float64(v.agreed)/float64(v.voted), v.lone, v.splits)
	if v.voted < cases*9/10 || float64(v.agreed) < 0.999*float64(v.voted) {
		v.t.Errorf("%d of %d agree", v.agreed, v.voted)
	}
}

func clipList(list []string) []string { return list[:min(len(list), 6)] }

// Random valid rules: where two of three independent lineages agree, so do we.
func TestRRulePeers(t *testing.T) {
	random := rand.New(rand.NewPCG(5545, 1))
	cases := make([]peerCase, peerCases())
	for i := range cases {
		cases[i] = randomRule(random)
	}
	votes := newTally(t)
	for i, answers := range askRRule(t, cases) {
		votes.add(cases[i], ours(t, cases[i]), rrulePeers, answers[:])
	}
	votes.report(len(cases))
}

// The table of TestClasses is what two of three peers say, or the one that it names.
func TestClassesPeers(t *testing.T) {
	rows := table(t, "classes.tsv", 4)
	var cases []peerCase
	for _, row := range rows {
		cases = append(cases, peerCase{RRule: row[1], Start: row[0], Count: 8})
	}
	for i, answers := range askRRule(t, cases) {
		want, with := timesOf(rows[i][2], rows[i][0]), ""
		n := 0
		for j, a := range answers {
			if a != nil && slices.Equal(a, want) {
				n++
				with = "with " + rrulePeers[j]
			}
		}
		if note := rows[i][3]; n < 2 && note != with || n >= 2 && note != "" {
			t.Errorf("%s from %s: %d peers agree, noted %q\n%v", cases[i].RRule, cases[i].Start, n, note, answers)
		}
	}
}

// Random expressions: where two of three libraries agree, so do we.
func TestCronPeers(t *testing.T) {
	random := rand.New(rand.NewPCG(1003, 1))
	cases := make([]peerCase, max(1500, peerCases()))
	for i := range cases {
		cases[i] = peerCase{Cron: randomCron(random), Start: randomStart(random), Count: 8}
	}
	votes := newTally(t)
	for i, answers := range askCron(t, cases) {
		votes.add(cases[i], ours(t, cases[i]), cronPeers, answers)
	}
	votes.report(len(cases))
}

// The table of TestCronClasses is what two of three libraries say.
func TestCronClassesPeers(t *testing.T) {
	var cases []peerCase
	var wants [][]string
	for _, row := range table(t, "cron.tsv", 3) {
		c, want := cronCase(row)
		cases, wants = append(cases, c), append(wants, want)
	}
	for i, answers := range askCron(t, cases) {
		if most, ok := majority(answers); !ok || !slices.Equal(most, wants[i]) {
			t.Errorf("%s from %s: want %v\n%v", cases[i].Cron, cases[i].Start, wants[i], answers)
		}
	}
}
