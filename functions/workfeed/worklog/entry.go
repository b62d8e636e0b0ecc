package worklog

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Bounds of an entry's texts, in characters.
const (
	MaxTaskID   = 200
	MaxBoard    = 100
	MaxAssignee = 100
	MaxTitle    = 300
	MaxSummary  = 4000
	MaxTag      = 40
)

// skew is how far a writer's clock may run ahead of this one.
const skew = 5 * time.Second

// Completion is what a writer reports of a finished task.
type Completion struct {
	TaskID      string
	Board       string
	Assignee    string    // "" where nobody is named
	Title       string    // may begin with a tag in brackets: "[design] Legend of the map"
	Summary     string    // plain text, lines are kept
	CompletedAt time.Time // zero: now
}

// Entry is a recorded completion.
type Entry struct {
	TaskID      string    `json:"task_id"`
	Board       string    `json:"board"`
	Assignee    string    `json:"assignee"`
	Title       string    `json:"title"`
	Summary     string    `json:"summary"`
	ID          string    `json:"id"`
	CompletedAt time.Time `json:"completed_at"`
	Tag         string    `json:"tag"` // of the title, in lower case; "" without one

	Slot     int64     `json:"slot"`     // place in the order of recording, from 1
	Recorded time.Time `json:"recorded"` // by the clock of the process that claimed it
}

// Invalid says which field of a completion is not allowed, and what is.
type Invalid struct{ Field, Value, Expected string }

func (e *Invalid) Error() string {
	return fmt.Sprintf("%s has the value %q: expected %s", e.Field, e.Value, e.Expected)
}

// Normal is the completion with blanks around its texts taken off, line ends as \n and the time in UTC
// microseconds; an *Invalid where something is not allowed.
func (c Completion) Normal(now time.Time) (Completion, error) {
	for _, f := range []struct {
		name     string
		text     *string
		least    int
		most     int
		severalL bool
	}{
		{"task_id", &c.TaskID, 1, MaxTaskID, false},
		{"board", &c.Board, 1, MaxBoard, false},
		{"assignee", &c.Assignee, 0, MaxAssignee, false},
		{"title", &c.Title, 1, MaxTitle, false},
		{"summary", &c.Summary, 0, MaxSummary, true},
	} {
		text := strings.TrimSpace(strings.ReplaceAll(*f.text, "\r\n", "\n"))
		expected := fmt.Sprintf("a text of %d to %d characters", f.least, f.most)
		if n := utf8.RuneCountInString(text); !utf8.ValidString(text) || n < f.least || n > f.most {
			return c, &Invalid{f.name, *f.text, expected}
		}
		if i := strings.IndexFunc(text, func(r rune) bool { return forbidden(r) && !(f.severalL && (r == '\n' || r == '\t')) }); i >= 0 {
			return c, &Invalid{f.name, *f.text, expected + " without control characters"}
		}
		*f.text = text
	}
	if c.CompletedAt.IsZero() {
		return c, nil
	}
	c.CompletedAt = c.CompletedAt.UTC().Truncate(time.Microsecond)
	if c.CompletedAt.Unix() < 0 || c.CompletedAt.After(now.Add(skew)) {
		return c, &Invalid{"completed_at", c.CompletedAt.Format(time.RFC3339Nano),
			"a time from 1970 to now, which is " + now.UTC().Format(time.RFC3339)}
	}
	return c, nil
}

// forbidden are characters that XML cannot hold or that turn the direction of the text after them.
func forbidden(r rune) bool {
	return unicode.IsControl(r) || r == 0xfffe || r == 0xffff || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// entry makes the entry of a normal completion.
func (c Completion) entry(now time.Time, id string) Entry {
	now = now.UTC().Truncate(time.Microsecond)
	e := Entry{TaskID: c.TaskID, Board: c.Board, Assignee: c.Assignee, Title: c.Title, Summary: c.Summary, ID: id,
		CompletedAt: c.CompletedAt, Tag: TagOf(c.Title), Recorded: now}
	if e.CompletedAt.IsZero() {
		e.CompletedAt = now
	}
	return e
}

// Says whether the completion tells the same of the task as the entry. A completion without a time says
// nothing of it.
func (e *Entry) Says(c Completion) bool {
	return e.TaskID == c.TaskID && e.Board == c.Board && e.Assignee == c.Assignee && e.Title == c.Title && e.Summary == c.Summary &&
		(c.CompletedAt.IsZero() || e.CompletedAt.Equal(c.CompletedAt))
}

// TagOf is the tag a title begins with: "design" of "[Design] Legend". "" if the title begins with no tag.
func TagOf(title string) string {
	rest, ok := strings.CutPrefix(strings.TrimSpace(title), "[")
	if !ok {
		return ""
	}
	tag, _, ok := strings.Cut(rest, "]")
	tag = strings.ToLower(strings.TrimSpace(tag))
	if !ok || strings.Contains(tag, "[") || utf8.RuneCountInString(tag) > MaxTag {
		return ""
	}
	return tag
}

// newID is a random UUID (RFC 9562, version 4).
func newID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return uuidText(b)
}

func uuidText(b [16]byte) string {
	h := hex.EncodeToString(b[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

func uuidBytes(text string) (b [16]byte, err error) {
	if len(text) != 36 {
		return b, errors.New("no UUID")
	}
	raw, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
	if err != nil || len(raw) != 16 {
		return b, errors.New("no UUID")
	}
	return [16]byte(raw), nil
}

// Untagged is a title without its tag; the whole title where nothing else is left.
func Untagged(title string) string {
	if TagOf(title) == "" {
		return title
	}
	_, rest, _ := strings.Cut(title, "]")
	if rest = strings.TrimSpace(rest); rest == "" {
		return title
	}
	return rest
}
