package timetable

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"mappe/shared/recurrence"
)

func expand(t *testing.T, r recurrence.Rule, limit int) recurrence.Result {
	t.Helper()
	answer, err := recurrence.Expand(recurrence.Request{Rules: []recurrence.Rule{r}, Limit: &limit}, recurrence.Full)
	if err != nil {
		t.Fatal(err)
	}
	return answer.Results[0]
}

// A whole day has a date and no clock.
func TestDates(t *testing.T) {
	r := expand(t, recurrence.Rule{RRule: "FREQ=YEARLY;COUNT=2", TZ: "UTC", Start: "2027-05-01T00:00:00"}, 5)
	var out bytes.Buffer
	Table{Title: "Walk", Dates: true}.Print(&out, r)
	if want := "Walk\n    1  Sat 2027-05-01\n    2  Mon 2028-05-01\n"; out.String() != want {
		t.Errorf("want %q, got %q", want, out.String())
	}
}

// Every kind of anomaly is explained in a sentence, not named by its code.
func TestEveryAnomalyIsExplained(t *testing.T) {
	for _, kind := range recurrence.AllAnomalyTypes {
		a := recurrence.Anomaly{Type: kind, Local: new(recurrence.Wall), ChosenUTC: new(recurrence.Instant),
			TransitionUTC: new(recurrence.Instant), OffsetBefore: new(recurrence.Offset), OffsetAfter: new(recurrence.Offset),
			Parts: []string{"X-A"}}
		got := explain(a)
		if got == string(kind) || !strings.HasSuffix(got, ".") || strings.Contains(got, "%!") || strings.Contains(got, "nil") {
			t.Errorf("%s: %q", kind, got)
		}
	}
	passed := recurrence.Anomaly{Type: recurrence.NonexistentLocalTime, Local: new(recurrence.Wall), TransitionUTC: new(recurrence.Instant),
		OffsetBefore: new(recurrence.Offset), OffsetAfter: new(recurrence.Offset)}
	if got := explain(passed); !strings.Contains(got, "passed over") {
		t.Errorf("without a chosen time: %q", got)
	}
}

// Every fault of a refused rule has its line; another error stays as it is.
func TestFaults(t *testing.T) {
	_, err := recurrence.Expand(recurrence.Request{Rules: []recurrence.Rule{{RRule: "FREQ=DAILY;COUNT=0", TZ: "Mars", Start: "9:00"}}},
		recurrence.Full)
	if got := Faults(err).Error(); strings.Count(got, "\n") != 2 || !strings.Contains(got, "COUNT") || !strings.Contains(got, "Mars") ||
		!strings.Contains(got, "9:00") {
		t.Errorf("got %q", got)
	}
	if other := errors.New("other"); Faults(other) != other {
		t.Error("an error that is no list of faults is changed")
	}
}

func TestPrintable(t *testing.T) {
	if got := Printable("a\x1b[31mb\nc"); got != "a [31mb c" {
		t.Errorf("got %q", got)
	}
}
