// Package expander is the command that expands recurrence rules, with or without a running expander.
package expander

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"mappe/functions/expander"
	"mappe/localdev/ics"
	"mappe/localdev/terminal"
	"mappe/localdev/timetable"
	"mappe/shared/recurrence"
	"mappe/shared/recurrence/zones"
	"mappe/shared/web/fault"
)

// expanding is what the expand command was asked.
type expanding struct {
	tz, start, end string
	count          int
	cron, json     bool
	file           string
	maxRules       int
	pay            string
}

// shownByDefault is how many occurrences a table has without --count.
const shownByDefault = 10

// Commands are the commands of the family.
func Commands() []*cobra.Command { return []*cobra.Command{expandCommand()} }

func expandCommand() *cobra.Command {
	var e expanding
	c := &cobra.Command{
		Use:   "expand RULE --tz ZONE --start TIME | --ics FILE | --json",
		Short: "Recurrence rules and cron expressions to exact instants, with every clock change explained",
		Long: `Print when a recurrence rule (RFC 5545) or, with --cron, a cron expression happens: as a table whose
flags are explained below it in words.

With --ics the events of a calendar file are printed instead. With --json a request body is read from
standard input and exactly the body that /v1/expand would answer is printed, a refusal too; --max-rules
lifts its bound of 25 rules for one's own machine (the answer is held in memory, about 300 bytes an
occurrence).

With --pay the request goes to a running expander (go run ./localdev up) and is paid for: with test money
and a key made for this one call, on test networks only.

Exit status 1 when anything was refused; the reason is on standard error, with --json on standard output.`,
		Example: `  go run ./localdev expand 'FREQ=MONTHLY;BYDAY=-1FR' --tz Europe/Vienna --start 2026-11-21T09:00
  go run ./localdev expand --cron '30 2 * * *' --tz America/New_York --start 2027-03-13T00:00 --count 3
  go run ./localdev expand --ics calendar.ics
  go run ./localdev expand --json < request.json
  go run ./localdev expand --pay http://127.0.0.1:8080/expander 'FREQ=DAILY' --tz Europe/Vienna --start 2027-03-27T02:30`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := e.check(c, args); err != nil {
				return err
			}
			switch {
			case e.json:
				return e.printBody(c.InOrStdin(), c.OutOrStdout(), c.ErrOrStderr())
			case e.file != "":
				return e.printCalendar(c.OutOrStdout(), c.ErrOrStderr())
			}
			return e.printRule(args[0], c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f := c.Flags()
	f.StringVar(&e.tz, "tz", "", "IANA time zone; with --ics the zone of times that have none")
	f.StringVar(&e.start, "start", "", "where the rule starts, on that zone's clock: 2026-11-21T09:00")
	f.StringVar(&e.end, "end", "", "end of the window, itself outside: a time of that clock, a UTC time with Z, or a date")
	f.IntVar(&e.count, "count", shownByDefault, "occurrences of a rule, 1 to 500")
	f.BoolVar(&e.cron, "cron", false, "RULE is a cron expression of five fields")
	f.StringVar(&e.file, "ics", "", "print the events of this calendar file (- is standard input)")
	f.BoolVar(&e.json, "json", false, "read a request body from standard input and print the body of the answer")
	f.IntVar(&e.maxRules, "max-rules", recurrence.Full.Rules, "with --json: most rules of a request")
	f.StringVar(&e.pay, "pay", "", "base URL of a running expander that is asked, and paid, instead")
	_ = c.MarkFlagFilename("ics", "ics") // the flags exist: they are declared above
	_ = c.RegisterFlagCompletionFunc("tz", completeZone)
	return c
}

// check says which of the three ways was meant.
func (e *expanding) check(c *cobra.Command, args []string) error {
	ways := 0
	for _, given := range []bool{len(args) == 1, e.file != "", e.json} {
		if given {
			ways++
		}
	}
	switch {
	case ways != 1:
		return fmt.Errorf("expected one of a rule, --ics FILE and --json; see %s --help", c.CommandPath())
	case len(args) == 1 && (e.tz == "" || e.start == ""):
		return fmt.Errorf("a rule needs --tz (such as Europe/Vienna) and --start (such as 2026-11-21T09:00)")
	case e.count < 1 || e.count > recurrence.MaxCount:
		return fmt.Errorf("--count %d: expected 1 to %d", e.count, recurrence.MaxCount)
	case e.pay != "" && e.file != "":
		return fmt.Errorf("--pay with --ics: expected a rule or --json; a calendar would be paid for event by event")
	case e.maxRules < 1:
		return fmt.Errorf("--max-rules %d: expected 1 or more", e.maxRules)
	}
	return nil
}

// completeZone offers the present zone names that begin as typed, whatever their case.
func completeZone(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	var list []string
	for _, name := range zones.Names() {
		if z, ok := zones.Load(name); ok && z.Canonical == name && strings.HasPrefix(strings.ToLower(name), strings.ToLower(typed)) {
			list = append(list, name)
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// printRule prints one rule as a table.
func (e *expanding) printRule(text string, out, notes io.Writer) error {
	rule := recurrence.Rule{TZ: e.tz, Start: e.start, End: e.end}
	if e.cron {
		rule.Cron = text
	} else {
		rule.RRule = text
	}
	response, err := e.expand(rule, notes)
	if err != nil {
		return timetable.Faults(err)
	}
	t := timetable.Table{Title: fmt.Sprintf("%s in %s from %s", text, e.tz, e.start)}
	t.Print(out, response.Results[0])
	fmt.Fprintf(out, "\nzone data %s, %s\n", response.Meta.TZDataVersion, response.Meta.GoVersion)
	return nil
}

// expand asks with limit, not count: the answer then says whether there are more.
func (e *expanding) expand(rule recurrence.Rule, notes io.Writer) (recurrence.Response, error) {
	request := recurrence.Request{Rules: []recurrence.Rule{rule}, Limit: &e.count}
	if e.pay != "" {
		return e.expandPaid(request, notes)
	}
	return recurrence.Expand(request, recurrence.Full)
}

// printBody answers a request body as the service does.
func (e *expanding) printBody(in io.Reader, out, notes io.Writer) error {
	limits := recurrence.Limits{Rules: e.maxRules, Count: recurrence.MaxCount}
	body, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("standard input: %w", err)
	}
	if e.pay != "" {
		return e.printPaid(body, out, notes)
	}
	request, err := expander.Read(body, limits)
	if err != nil {
		return printRefusal(out, err)
	}
	answer, err := expander.Answer(request, limits)
	if err != nil {
		return printRefusal(out, err)
	}
	_, err = out.Write(answer)
	return err
}

func printRefusal(out io.Writer, refused error) error {
	if _, err := out.Write(fault.From(refused).JSON("")); err != nil {
		return err
	}
	return terminal.ErrSilent
}

// printCalendar prints every event of a file; events that cannot be read are named on standard error.
func (e *expanding) printCalendar(out, problems io.Writer) error {
	data, err := readCalendar(e.file)
	if err != nil {
		return err
	}
	events, err := ics.Parse(data, ics.Options{FloatingZone: e.tz})
	if err != nil {
		return fmt.Errorf("%s: %w", e.file, err)
	}
	failed := 0
	for _, event := range events {
		if err := e.printEvent(event, out); err != nil {
			failed++
			fmt.Fprintf(problems, "%s:%d: %s: %v\n", e.file, event.Line, nameOf(event), err)
			continue
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "events: %d, of them not expanded: %d; zone data %s\n", len(events), failed, zones.Release())
	if failed > 0 {
		return terminal.ErrSilent
	}
	return nil
}

func (e *expanding) printEvent(event ics.Event, out io.Writer) error {
	if event.Err != nil {
		return event.Err
	}
	if e.end != "" {
		event.Rule.End = e.end
	}
	response, err := recurrence.ExpandRule(event.Rule, event.Setting, e.count)
	if err != nil {
		return timetable.Faults(err)
	}
	t := timetable.Table{Title: nameOf(event), Dates: event.AllDay}
	if event.Cancelled {
		t.Title += " (cancelled)"
	}
	if !event.AllDay {
		t.Title += ", " + event.Rule.TZ
	}
	t.Print(out, response.Results[0])
	return nil
}

func nameOf(e ics.Event) string {
	if e.Summary != "" {
		return timetable.Printable(e.Summary)
	}
	return "event of line " + strconv.Itoa(e.Line)
}

// readCalendar reads a file of bounded size.
func readCalendar(name string) ([]byte, error) {
	in := io.Reader(os.Stdin)
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	return io.ReadAll(io.LimitReader(in, ics.MaxBytes+1))
}
