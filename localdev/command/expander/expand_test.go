package expander

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"mappe/functions/expander"
	"mappe/localdev/terminal"
	"mappe/shared/cloud/pay"
	"mappe/shared/recurrence"
)

// localdev runs the command with some arguments.
func localdev(t *testing.T, in string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, problems bytes.Buffer
	c := &cobra.Command{Use: "localdev", SilenceUsage: true, SilenceErrors: true}
	c.AddCommand(Commands()...)
	c.SetArgs(args)
	c.SetIn(strings.NewReader(in))
	c.SetOut(&out)
	c.SetErr(&problems)
	err = c.Execute()
	return out.String(), problems.String(), err
}

func TestExpandPrintsATable(t *testing.T) {
	out, _, err := localdev(t, "", "expand", "FREQ=DAILY", "--tz", "Europe/Vienna", "--start", "2027-03-27T02:30", "--count", "3")
	want := `FREQ=DAILY in Europe/Vienna from 2027-03-27T02:30
    #  local time               offset       UTC                   flags
    1  Sat 2027-03-27 02:30:00  +01:00       2027-03-27T01:30:00Z
    2  Sun 2027-03-28 03:30:00  +02:00  DST  2027-03-28T01:30:00Z  nonexistent_shifted
    3  Mon 2027-03-29 02:30:00  +02:00  DST  2027-03-29T00:30:00Z
  - 2027-03-28T02:30:00 does not exist: at 2027-03-28T01:00:00Z the clock goes from +01:00 to +02:00. Taken: 2027-03-28T01:30:00Z; the other reading: 2027-03-28T00:30:00Z.
  - There are more: --count takes up to 500.
`
	if err != nil || !strings.HasPrefix(out, want) {
		t.Errorf("%v\ngot\n%s\nwant\n%s", err, out, want)
	}
	out, _, err = localdev(t, "", "expand", "30 1 * * *", "--cron", "--tz", "America/New_York", "--start", "2026-11-01T00:00", "--count",
		"1")
	if err != nil || !strings.Contains(out, "ambiguous_earlier") || !strings.Contains(out, "2026-11-01T01:30:00 occurs twice") {
		t.Errorf("%v %s", err, out)
	}
}

func TestExpandSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		args string
		want []string
	}{
		{"expand", []string{"--ics", "--json"}},
		{"expand FREQ=DAILY --json", []string{"one of"}},
		{"expand FREQ=DAILY --tz Europe/Vienna", []string{"--start"}},
		{"expand FREQ=DAILY --tz Europe/Vienna --start 2026-11-21T09:00 --count 501", []string{"--count 501", "1 to 500"}},
		{"expand FREQ=DAILY;COUNT=0 --tz Europe/Wien --start 9:00", []string{"Europe/Wien", `"9:00"`, "COUNT"}},
		{"expand --ics no-such-file.ics", []string{"no-such-file.ics"}},
		{"expand --json --max-rules 0", []string{"--max-rules 0"}},
	} {
		_, _, err := localdev(t, "", strings.Fields(c.args)...)
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: want %q in %v", c.args, want, err)
			}
		}
	}
}

// openGate lets everything through.
type openGate struct{ *pay.Gate }

func (openGate) Wrap(next http.Handler) http.Handler { return next }
func (openGate) OpenAPIExtensions() map[string]any   { return nil }

// TestExpandAnswersAsTheServiceDoes: the same bytes, also those of a refusal but for its request id.
func TestExpandAnswersAsTheServiceDoes(t *testing.T) {
	h, err := expander.New(expander.Deps{Gate: openGate{}}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	many := `{"rules":[` + strings.TrimSuffix(
		strings.Repeat(`{"id":"<é>","cron":"*/10 * * * *","tz":"Europe/Vienna","start":"2026-10-25T00:00:00"},`, 25), ",") + `]}`
	for _, body := range []string{
		`{"rules":[{"id":"a","rrule":"FREQ=HOURLY","tz":"America/New_York","start":"2027-03-14T00:00:00","count":5}]}`,
		`{"rules":[{"rrule":"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30","tz":"UTC","start":"2027-03-14T00:00:00"}],"limit":7}`,
		many, `{}`, `{`, ``, `{"rules":[{"rrule":"FREQ=DAILY;COUNT=0","tz":"Mars","start":"1"}]}`, `{"rulez":1}`,
		`{"rules":[{"rrule":1}]}`,
	} {
		r := httptest.NewRequest("POST", "/v1/expand", strings.NewReader(body))
		r.Header.Set("X-Request-Id", "r")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		want := strings.Replace(w.Body.String(), `,"request_id":"r"}`, "}", 1)
		got, _, err := localdev(t, body, "expand", "--json")
		if got != want {
			t.Errorf("%.60s\ngot  %.400s\nwant %.400s", body, got, want)
		}
		if (err != nil) != (w.Code != 200) || err != nil && !errors.Is(err, terminal.ErrSilent) {
			t.Errorf("%.60s: status %d, error %v", body, w.Code, err)
		}
	}
}

func TestExpandLiftsTheRuleLimit(t *testing.T) {
	body := `{"rules":[` + strings.TrimSuffix(
		strings.Repeat(`{"rrule":"FREQ=DAILY","tz":"Europe/Vienna","start":"2026-10-25T00:00:00","count":2},`, 1000), ",") + `]}`
	if len(body) <= recurrence.MaxBody {
		t.Fatal("the request fits into a body")
	}
	if _, _, err := localdev(t, body, "expand", "--json"); !errors.Is(err, terminal.ErrSilent) {
		t.Errorf("1000 rules within 25: %v", err)
	}
	out, _, err := localdev(t, body, "expand", "--json", "--max-rules", "1000")
	if err != nil || !strings.Contains(out, `"total_occurrences":2000,`) {
		t.Errorf("%v %.200s", err, out)
	}
}

func TestExpandReadsCalendars(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.ics")
	text := "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:\x1b[31mTeam\r\nDTSTART;TZID=Europe/Vienna:20270327T023000\r\nRRULE:FREQ=DAILY;COUNT=2\r\nEND:VEVENT\r\n" +
		"BEGIN:VEVENT\r\nSUMMARY:Old\r\nDTSTART;TZID=Europe/Atlantis:20270327T023000\r\nEND:VEVENT\r\n" +
		"BEGIN:VEVENT\r\nSUMMARY:Fair\r\nDTSTART;VALUE=DATE:20270401\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	out, problems, err := localdev(t, "", "expand", "--ics", name)
	if !errors.Is(err, terminal.ErrSilent) || !strings.Contains(problems, name+":7: Old: line 9: DTSTART: TZID \"Europe/Atlantis\"") {
		t.Errorf("%v %s", err, problems)
	}
	for _, want := range []string{"Team, Europe/Vienna\n", "2027-03-28T01:30:00Z  nonexistent_shifted", "Fair\n    1  Thu 2027-04-01\n",
		"events: 3, of them not expanded: 1"} {
		if !strings.Contains(out, want) {
			t.Errorf("want %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "\x1b") {
		t.Error("a control character reached the terminal")
	}
}

func TestZonesAreCompleted(t *testing.T) {
	out, _, err := localdev(t, "", "__complete", "expand", "--tz", "europe/vi")
	if err != nil || !strings.HasPrefix(out, "Europe/Vienna\nEurope/Vilnius\n") {
		t.Errorf("%v %q", err, out)
	}
}
