package stack

import "gopkg.in/yaml.v3"

// Schedule is what invokes a function at times: an event of type ScheduleV2.
type Schedule struct {
	Name  string // of the event, unique in its function
	Input string // JSON that the function gets; "" is the scheduler's own event
}

// schedules reads those of a function. Other events are passed over.
func (s *scope) schedules(f *Function, events *yaml.Node) error {
	for name, event := range pairs(events) {
		if kind := child(event, "Type"); kind == nil || kind.Value != "ScheduleV2" {
			continue
		}
		p := child(event, "Properties")
		if err := s.onlyKeys(p, f.Name+"."+name.Value, "ScheduleExpression", "ScheduleExpressionTimezone", "Input", "FlexibleTimeWindow",
			"State", "RetryPolicy"); err != nil {
			return err
		}
		one := Schedule{Name: name.Value}
		if n := child(p, "Input"); n != nil {
			var err error
			if one.Input, err = s.text(n); err != nil {
				return err
			}
		}
		f.Schedules = append(f.Schedules, one)
	}
	return nil
}
