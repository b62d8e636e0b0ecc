package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// agree holds the peers' answers against ours: a race is only worth running to the same place. A peer may
// resolve a gap or an overlap otherwise, so some instants may differ.
func agree(own, peers *server, loads []*load) error {
	for _, l := range loads {
		if !l.peer {
			continue
		}
		ours, err := times(own, "/v1/expand", l.body)
		if err != nil {
			return err
		}
		theirs, err := times(peers, l.path, l.body)
		if err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
		same := 0
		for t := range theirs {
			if ours[t] {
				same++
			}
		}
		fmt.Printf("%s: %d of its %d distinct times are ours\n", l.name, same, len(theirs))
		if same < len(theirs)*95/100 || len(theirs) < 5000 {
			return fmt.Errorf("%s does another work", l.name)
		}
	}
	return nil
}

// times are the distinct wall times and instants of an answer, with their rule.
func times(s *server, path string, body []byte) (map[string]bool, error) {
	b, err := s.post(path, body)
	if err != nil {
		return nil, err
	}
	var r struct {
		Results []struct {
			Occurrences []struct{ Local, UTC string }
		}
	}
	if err := json.Unmarshal(b, &r); err != nil {
		return nil, err
	}
	set := map[string]bool{}
	for i, result := range r.Results {
		for _, o := range result.Occurrences {
			if o.Local != "" {
				set[fmt.Sprint(i, " ", o.Local)] = true
			}
			if o.UTC != "" {
				set[fmt.Sprint(i, " ", strings.Replace(o.UTC, ".000Z", "Z", 1))] = true
			}
		}
	}
	return set, nil
}
