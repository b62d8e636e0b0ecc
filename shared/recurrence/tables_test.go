package recurrence

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// table reads a tab-separated file of testdata; lines that begin with # are remarks.
func table(t *testing.T, name string, columns int) (rows [][]string) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if line[0] == '#' {
			continue
		}
		if len(cells) != columns {
			t.Fatalf("%s: %d columns in %q", name, len(cells), line)
		}
		rows = append(rows, cells)
	}
	return rows
}

// times are the wall times of a table: a date alone has the time of day of the start.
func timesOf(cell, start string) []string {
	list := strings.Fields(cell)
	for i, text := range list {
		if len(text) == len("2006-01-02") {
			list[i] += start[len(text):]
		}
	}
	return list
}

func TestExamplesOfRFC5545(t *testing.T) {
	rows := table(t, "rfc5545.tsv", 4)
	for _, row := range rows {
		start, rule, goesOn, want := row[0], row[1], row[2] != "", timesOf(row[3], row[0])
		r := Rule{RRule: rule, TZ: "America/New_York", Start: start}
		if goesOn {
			r.Count = number(len(want))
		}
		if got := locals(expandOne(t, r)); !slices.Equal(want, got) {
			t.Errorf("%s from %s:\nwant %v\ngot  %v", rule, start, want, got)
		}
	}
	if len(rows) != 42 {
		t.Errorf("%d examples", len(rows))
	}
}

func TestClasses(t *testing.T) {
	for _, row := range table(t, "classes.tsv", 4) {
		start, rule, want := row[0], row[1], timesOf(row[2], row[0])
		if got := locals(expandOne(t, Rule{RRule: rule, TZ: "UTC", Start: start, Count: number(8)})); !slices.Equal(want, got) {
			t.Errorf("%s from %s:\nwant %v\ngot  %v", rule, start, want, got)
		}
	}
}

// cronCase is a row of cron.tsv.
func cronCase(row []string) (c peerCase, want []string) {
	for _, text := range strings.Fields(row[2]) {
		want = append(want, text+":00")
	}
	return peerCase{Cron: row[1], Start: row[0], Count: len(want)}, want
}

func TestCronClasses(t *testing.T) {
	for _, row := range table(t, "cron.tsv", 3) {
		if c, want := cronCase(row); !slices.Equal(want, ours(t, c)) {
			t.Errorf("%s from %s:\nwant %v\ngot  %v", c.Cron, c.Start, want, ours(t, c))
		}
	}
}
