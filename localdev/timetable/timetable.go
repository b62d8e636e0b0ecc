// Package timetable prints the occurrences of a recurrence rule for a person: a table whose flags are explained
// below it in English. It computes nothing (shared/recurrence does). The expand command calls it.
package timetable

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"mappe/shared/recurrence"
)

// Table is how the occurrences of one rule are shown.
type Table struct {
	Title string
	Dates bool // all-day: only the dates mean something
}

// Print writes the table, in English.
func (t Table) Print(out io.Writer, r recurrence.Result) {
	fmt.Fprintln(out, t.Title)
	var lines bytes.Buffer
	w := tabwriter.NewWriter(&lines, 0, 0, 2, ' ', 0)
	if len(r.Occurrences) > 0 && !t.Dates {
		fmt.Fprintln(w, "    #\tlocal time\toffset\t\tUTC\tflags")
	}
	for i, o := range r.Occurrences {
		date := o.Local.String()
		if t.Dates {
			fmt.Fprintf(w, "  %3d\t%s %s\n", i+1, weekdayOf(o.Local), date[:10])
			continue
		}
		dst := ""
		if o.IsDST {
			dst = "DST"
		}
		var flags []string
		for _, f := range o.Flags {
			flags = append(flags, string(f))
		}
		fmt.Fprintf(w, "  %3d\t%s %s\t%s\t%s\t%s\t%s\n", i+1, weekdayOf(o.Local), strings.Replace(date, "T", " ", 1), o.UTCOffset, dst,
			o.UTC, strings.Join(flags, ", "))
	}
	_ = w.Flush() // a buffer takes everything
	for line := range strings.Lines(lines.String()) {
		fmt.Fprintln(out, strings.TrimRight(line, " \n"))
	}
	t.explain(out, r)
}

// explain says in words what the flags mean.
func (t Table) explain(out io.Writer, r recurrence.Result) {
	for _, a := range r.Anomalies {
		if s := explain(a); s != "" {
			fmt.Fprintf(out, "  - %s\n", s)
		}
	}
	if r.Truncated {
		fmt.Fprintf(out, "  - There are more: --count takes up to %d.\n", recurrence.MaxCount)
	}
}

// explain says what an anomaly is.
func explain(a recurrence.Anomaly) string {
	change := func() string {
		return fmt.Sprintf("at %s the clock goes from %s to %s", a.TransitionUTC, a.OffsetBefore, a.OffsetAfter)
	}
	var others []string
	for _, u := range a.Alternatives {
		others = append(others, u.String())
	}
	switch a.Type {
	case recurrence.NonexistentLocalTime:
		if a.ChosenUTC == nil {
			return fmt.Sprintf("%s does not exist: %s. It is passed over.", a.Local, change())
		}
		return fmt.Sprintf("%s does not exist: %s. Taken: %s; the other reading: %s.", a.Local, change(), a.ChosenUTC,
			strings.Join(others, ", "))
	case recurrence.AmbiguousLocalTime:
		return fmt.Sprintf("%s occurs twice: %s. Taken: %s; the other: %s.", a.Local, change(), a.ChosenUTC, strings.Join(others, ", "))
	case recurrence.DuplicateInstants:
		return fmt.Sprintf("%s is the same instant as the occurrence before it, %s.", a.Local, a.ChosenUTC)
	case recurrence.StartNotInRule:
		return fmt.Sprintf("The start %s does not match the rule and is no occurrence.", a.Local)
	case recurrence.StartIsAdjusted:
		return fmt.Sprintf("The start %s does not exist: %s. Taken: %s.", a.Local, change(), a.ChosenUTC)
	case recurrence.UntilLocal:
		return fmt.Sprintf("UNTIL has no Z and is read as a time of the zone: %s, %s.", a.Local, a.ChosenUTC)
	case recurrence.Before1970:
		return "Before 1970 the zone data is coarse: many zones have the clock of their largest city."
	case recurrence.BlanksIgnored:
		return "Blanks between the parts of the rule are ignored."
	case recurrence.XPartsIgnored:
		return fmt.Sprintf("Parts of private meaning are ignored: %s.", strings.Join(a.Parts, ", "))
	case recurrence.NoOccurrences:
		return "The rule has no occurrence."
	case recurrence.HorizonReached:
		return fmt.Sprintf("The search ended at %s; what comes later was not looked for.", a.Local)
	}
	return string(a.Type)
}

// weekdayOf is the day's short name.
func weekdayOf(w recurrence.Wall) string { return time.Unix(int64(w), 0).UTC().Format("Mon") }

// Faults lists every fault of a refused rule, one a line.
func Faults(err error) error {
	var list recurrence.Faults
	if !errors.As(err, &list) {
		return err
	}
	var lines []string
	for _, f := range list {
		lines = append(lines, f.Message)
	}
	return errors.New(strings.Join(lines, "\n       "))
}

// Printable drops what a terminal would act on.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}
