package stack

import (
	"fmt"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// Schedule is what invokes a function at times: an event of type ScheduleV2.
type Schedule struct {
	Name       string        // of the event, unique in its function
	Expression string        // rate(5 minutes), cron(...), at(...)
	Every      time.Duration // of a rate; 0 for the others
	Input      string        // JSON that the function gets; "" is the scheduler's own event
	Enabled    bool
}

// schedules reads those of a function. Other events are passed over.
func (s *scope) schedules(f *Function, events *yaml.Node) error {
	for name, event := range pairs(events) {
		if kind := child(event, "Type"); kind == nil || kind.Value != "ScheduleV2" {
			continue
		}
		p := child(event, "Properties")
		if err := s.onlyKeys(p, f.Name+"."+name.Value, "ScheduleExpression", "ScheduleExpressionTimezone", "Input", "FlexibleTimeWindow", "State", "RetryPolicy"); err != nil {
			return err
		}
		one := Schedule{Name: name.Value, Enabled: true}
		for key, to := range map[string]*string{"ScheduleExpression": &one.Expression, "Input": &one.Input} {
			n := child(p, key)
			if n == nil {
				continue
			}
			var err error
			if *to, err = s.text(n); err != nil {
				return err
			}
		}
		if n := child(p, "State"); n != nil {
			state, err := s.text(n)
			if err != nil {
				return err
			}
			one.Enabled = state == "ENABLED"
		}
		one.Every = rate(one.Expression)
		f.Schedules = append(f.Schedules, one)
	}
	return nil
}

// rate is the time between two runs of rate(5 minutes); 0 for what is no rate.
func rate(expression string) time.Duration {
	var n int
	var unit string
	if _, err := fmt.Sscanf(expression, "rate(%d %s", &n, &unit); err != nil || n < 1 {
		return 0
	}
	switch strings.TrimSuffix(strings.TrimSuffix(unit, ")"), "s") {
	case "minute":
		return time.Duration(n) * time.Minute
	case "hour":
		return time.Duration(n) * time.Hour
	case "day":
		return time.Duration(n) * 24 * time.Hour
	}
	return 0
}
