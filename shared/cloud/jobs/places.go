package jobs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"mappe/shared/cloud/ledger"
)

// place is an open job in the list of a gate.
type place struct {
	Client  string `json:"c,omitempty"` // hash
	Running bool   `json:"r,omitempty"`
	Fence   int64  `json:"f,omitempty"` // of the lease it runs under: only that one gives the place back
	At      int64  `json:"t"`           // Unix nanoseconds of the last change; tidy leaves young ones alone
}

// places is the record of a gate.
type places struct {
	Open   map[string]place `json:"open"` // by job ID
	Tidied int64            `json:"tidied,omitempty"`
}

func gateKey(jobType string) ledger.Key {
	return ledger.Key{Partition: "jobs-gate/" + jobType, Sort: "gate"}
}

func clientHash(client string) string {
	if client == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(client))
	return hex.EncodeToString(sum[:8])
}

func readPlaces(r ledger.Record) (places, error) {
	p := places{Open: map[string]place{}}
	if len(r.Value) == 0 {
		return p, nil
	}
	if err := json.Unmarshal(r.Value, &p); err != nil {
		return p, fmt.Errorf("jobs: %s: %w", r.Key, err)
	}
	if p.Open == nil {
		p.Open = map[string]place{}
	}
	return p, nil
}

// change rewrites the list of a type; change says whether there is anything to write.
func (q *Queue) change(ctx context.Context, jobType string, change func(*places) bool) error {
	_, err := ledger.Update(ctx, q.ledger, gateKey(jobType), func(r *ledger.Record) (bool, error) {
		p, err := readPlaces(*r)
		if err != nil || !change(&p) {
			return false, err
		}
		r.Value, err = json.Marshal(p)
		return true, err
	})
	if err != nil {
		return fmt.Errorf("jobs: gate of %s: %w", jobType, err)
	}
	return nil
}

// count gives the jobs that are open and those that run, of all and of a client.
func (p places) count(client string) (open, running tally) {
	for _, x := range p.Open {
		open.Type++
		if x.Client == client {
			open.Client++
		}
		if x.Running {
			running.Type++
			if x.Client == client {
				running.Client++
			}
		}
	}
	return open, running
}

// tally is a number of all and of a client.
type tally struct{ Type, Client int }
