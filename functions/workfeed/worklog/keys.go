package worklog

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"mappe/shared/cloud/ledger"
)

const logPartition = "work/log"

var markKey = ledger.Key{Partition: "work/mark", Sort: "mark"}

// hash makes a part of a key from texts of any length; the texts are told apart, not merely joined.
func hash(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(h, "%d:%s", len(t), t)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func claimKey(board, taskID string) ledger.Key {
	return ledger.Key{Partition: "work/task/" + hash(board, taskID), Sort: "claim"}
}

func slotSort(slot int64) string { return fmt.Sprintf("%015d", slot) }

func slotKey(slot int64) ledger.Key { return ledger.Key{Partition: logPartition, Sort: slotSort(slot)} }

func slotOf(k ledger.Key) (int64, error) { return strconv.ParseInt(k.Sort, 10, 64) }

func useKey(token, key string) ledger.Key {
	return ledger.Key{Partition: "work/key/" + token, Sort: hash(key)}
}

// Filter selects entries; "" does not.
type Filter struct{ Board, Assignee, Tag string }

// partition is where the entries that a filter selects stand in the order of the feed.
func (f Filter) partition() string {
	if f == (Filter{}) {
		return "work/feed/all"
	}
	return "work/feed/" + hash(f.Board, f.Assignee, f.Tag)
}

// takes says whether the filter selects the entry.
func (f Filter) takes(e *Entry) bool {
	return (f.Board == "" || f.Board == e.Board) && (f.Assignee == "" || f.Assignee == e.Assignee) && (f.Tag == "" || f.Tag == e.Tag)
}

// partitions are those of every filter that selects the entry: at most eight.
func (e *Entry) partitions() []string {
	var all []string
	for with := range 8 {
		f := Filter{}
		if with&1 != 0 {
			f.Board = e.Board
		}
		if with&2 != 0 {
			f.Assignee = e.Assignee
		}
		if with&4 != 0 {
			f.Tag = e.Tag
		}
		if with&1 != 0 && f.Board == "" || with&2 != 0 && f.Assignee == "" || with&4 != 0 && f.Tag == "" {
			continue
		}
		all = append(all, f.partition())
	}
	return all
}

// timeSort orders as the times do: all have the same length.
func timeSort(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }

func (e *Entry) feedSort() string { return timeSort(e.CompletedAt) + "_" + strings.ToLower(e.ID) }
