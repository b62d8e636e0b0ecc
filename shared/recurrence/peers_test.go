package recurrence

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// peerCase is one rule for the peers, in UTC.
type peerCase struct {
	RRule string `json:"rrule,omitempty"`
	Cron  string `json:"cron,omitempty"`
	Start string `json:"start"`
	Count int    `json:"count"`
}

const peersFolder = "../../infra/judges/recurrence"

// ask runs a peer script over the cases.
func ask(t *testing.T, cases []peerCase, answer any, program string, args ...string) {
	t.Helper()
	in, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Stdin, cmd.Env = bytes.NewReader(in), append(os.Environ(), "TZ=UTC")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, stderr.Bytes())
	}
	if err := json.Unmarshal(out, answer); err != nil {
		t.Fatal(err)
	}
}

func needNode(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped: -short")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("skipped: Node.js is not installed")
	}
	if _, err := os.Stat(filepath.Join(peersFolder, "node_modules")); err != nil {
		t.Skip("skipped: the peers are not installed (npm ci --prefix infra/judges/recurrence)")
	}
	return filepath.Join(peersFolder, "peers.mjs")
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
	return 300
}

// Random valid rules: where two independent lineages agree, so do we.
func TestRRulePeers(t *testing.T) {
	script := needNode(t)
	python, err := exec.LookPath("python3")
	if err != nil || exec.Command(python, "-c", "import dateutil").Run() != nil {
		t.Skip("skipped: python3 with dateutil is not installed (python3-dateutil)")
	}
	random := rand.New(rand.NewPCG(5545, 1))
	cases := make([]peerCase, peerCases())
	for i := range cases {
		cases[i] = randomRule(random)
	}
	var temporal []map[string][]string
	var dateutil [][]string
	ask(t, cases, &temporal, "node", script)
	ask(t, cases, &dateutil, python, filepath.Join(peersFolder, "peers.py"))
	voted, agreed, shown, split, splitWith := 0, 0, 0, 0, map[string]int{}
	for i, c := range cases {
		a, b := temporal[i]["rrule-temporal"], dateutil[i]
		if a == nil || b == nil {
			continue
		}
		got := ours(t, c)
		if !slices.Equal(a, b) {
			split++
			switch {
			case slices.Equal(got, a):
				splitWith["rrule-temporal"]++
			case slices.Equal(got, b):
				splitWith["dateutil"]++
			default:
				splitWith["neither"]++
				if splitWith["neither"] <= 8 {
					t.Logf("alone: %s from %s\nours     %v\ntemporal %v\ndateutil %v", c.RRule, c.Start, clipList(got), clipList(a), clipList(b))
				}
			}
			continue
		}
		voted++
		if slices.Equal(got, a) {
			agreed++
		} else if shown++; shown <= 12 {
			t.Logf("%s from %s\nours  %v\npeers %v", c.RRule, c.Start, clipList(got), clipList(a))
		}
	}
	t.Logf("%d rules, %d voted, %d agreed (%.3f %%); peers split on %d: %v", len(cases), voted, agreed, 100*float64(agreed)/float64(voted), split, splitWith)
	if voted < len(cases)/2 || float64(agreed) < 0.999*float64(voted) {
		t.Errorf("%d of %d agree", agreed, voted)
	}
}

func clipList(list []string) []string { return list[:min(len(list), 6)] }

// Random expressions: at least two of three libraries agree on most, and we with them.
func TestCronPeers(t *testing.T) {
	script := needNode(t)
	random := rand.New(rand.NewPCG(1003, 1))
	cases := make([]peerCase, 5000)
	for i := range cases {
		cases[i] = peerCase{Cron: randomCron(random), Start: randomStart(random), Count: 8}
	}
	var answers []map[string][]string
	ask(t, cases, &answers, "node", script)
	voted, agreed, shown := 0, 0, 0
	for i, c := range cases {
		votes := map[string]int{}
		for _, list := range answers[i] {
			if list != nil {
				votes[strings.Join(list, " ")]++
			}
		}
		for majority, n := range votes {
			if n < 2 {
				continue
			}
			voted++
			if got := strings.Join(ours(t, c), " "); got == majority {
				agreed++
			} else if shown++; shown <= 12 {
				t.Logf("%s from %s\nours  %s\npeers %s\nall %v", c.Cron, c.Start, got, majority, answers[i])
			}
		}
	}
	t.Logf("%d expressions, %d voted, %d agreed (%.3f %%)", len(cases), voted, agreed, 100*float64(agreed)/float64(voted))
	if voted < len(cases)/2 || float64(agreed) < 0.999*float64(voted) {
		t.Errorf("%d of %d agree", agreed, voted)
	}
}

func randomStart(r *rand.Rand) string {
	return time.Date(1997+r.IntN(40), 1, 1+r.IntN(365), r.IntN(24), r.IntN(60), r.IntN(60), 0, time.UTC).Format("2006-01-02T15:04:05")
}

// pick lists up to n different values of [low, high], with a sign at random where signed.
func pick(r *rand.Rand, n int, low, high int, signed bool) string {
	var list []string
	for range 1 + r.IntN(n) {
		v := low + r.IntN(high-low+1)
		if signed && r.IntN(3) == 0 {
			v = -v
		}
		if text := fmt.Sprint(v); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return strings.Join(list, ",")
}

// randomRule is a valid rule of RFC 5545 whose matches are not too far apart for the slowest peer.
func randomRule(r *rand.Rand) peerCase {
	c := peerCase{Start: randomStart(r), Count: 12}
	freq := frequency(r.IntN(7))
	if freq > daily && r.IntN(4) > 0 {
		freq = frequency(r.IntN(4)) // the peers need minutes for sparse rules of short periods
	}
	parts := []string{"FREQ=" + frequencies[freq]}
	by := false
	add := func(odds int, name, value string) {
		if r.IntN(odds) == 0 {
			parts = append(parts, name+"="+value)
			by = true
		}
	}
	if r.IntN(2) == 0 {
		parts = append(parts, fmt.Sprintf("INTERVAL=%d", 1+r.IntN(map[frequency]int{yearly: 4, monthly: 14, weekly: 6, daily: 20, hourly: 30, minutely: 100, secondly: 200}[freq])))
	}
	if r.IntN(3) == 0 {
		parts = append(parts, "WKST="+weekdayCodes[r.IntN(7)])
	}
	add(4, "BYMONTH", pick(r, 4, 1, 12, false))
	days := r.IntN(5)
	weeks := freq == yearly && r.IntN(5) == 0
	if weeks {
		add(1, "BYWEEKNO", pick(r, 4, 1, 53, true))
		days = 0
	}
	if days == 1 && freq != weekly {
		add(1, "BYMONTHDAY", pick(r, 4, 1, 31, true))
	}
	if days == 2 && (freq == yearly || freq > daily) {
		add(1, "BYYEARDAY", pick(r, 4, 1, 366, true))
	}
	if weeks || days == 0 || days == 3 || days == 1 && r.IntN(3) == 0 {
		var list []string
		for range 1 + r.IntN(4) {
			item := weekdayCodes[r.IntN(7)]
			if freq <= monthly && days == 3 && !weeks {
				item = fmt.Sprint([]int{1, 2, 3, 4, 5, -1, -2}[r.IntN(7)]) + item
			}
			if !slices.Contains(list, item) {
				list = append(list, item)
			}
		}
		add(1, "BYDAY", strings.Join(list, ","))
	}
	add(5, "BYHOUR", pick(r, 3, 0, 23, false))
	add(5, "BYMINUTE", pick(r, 3, 0, 59, false))
	add(6, "BYSECOND", pick(r, 2, 0, 59, false))
	if by && freq <= daily && r.IntN(5) == 0 {
		parts = append(parts, "BYSETPOS="+pick(r, 2, 1, 4, true))
	}
	if r.IntN(4) == 0 {
		parts = append(parts, "COUNT=7")
	}
	c.RRule = strings.Join(parts, ";")
	return c
}

func randomCron(r *rand.Rand) string {
	field := func(low, high int) string {
		a, b := low+r.IntN(high-low+1), low+r.IntN(high-low+1)
		a, b = min(a, b), max(a, b)
		switch r.IntN(6) {
		case 0:
			return fmt.Sprintf("*/%d", 1+r.IntN(high-low))
		case 1:
			return fmt.Sprint(a)
		case 2:
			return fmt.Sprintf("%d-%d", a, b)
		case 3:
			return fmt.Sprintf("%d-%d/%d", a, b, 1+r.IntN(5))
		case 4:
			return pick(r, 4, low, high, false)
		}
		return "*"
	}
	return strings.Join([]string{field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 7)}, " ")
}
