// Package examples is the demonstration beside the made-up country: two manuscripts, a kanban board and a calendar as
// files, and what the book service and the work feed of a demonstration begin with. The start command calls it.
package examples

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"time"
)

// Dir is the folder of the files that the README's command lines name, below the --dir of start.
const Dir = "examples"

// The files below Dir; the README names them by their paths.
const (
	Manuscript = "manuscript.docx"
	Board      = "board.json"
	Calendar   = "calendar.ics"
)

// events is a calendar with what calendars have: a zone, an exception, a moved meeting, a whole day.
const events = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Mappe//Examples//EN
BEGIN:VEVENT
UID:planning@mappe.example
SUMMARY:Planning, the last Friday of the month
DTSTART;TZID=Europe/Vienna:20270129T090000
RRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=6
EXDATE;TZID=Europe/Vienna:20270326T090000
END:VEVENT
BEGIN:VEVENT
UID:night@mappe.example
SUMMARY:Backup, in the night of the clock change
DTSTART;TZID=Europe/Vienna:20270327T023000
RRULE:FREQ=DAILY;COUNT=3
END:VEVENT
BEGIN:VEVENT
UID:walk@mappe.example
SUMMARY:Walk along the border of the parcel
DTSTART;VALUE=DATE:20270501
RRULE:FREQ=YEARLY;COUNT=3
END:VEVENT
END:VCALENDAR
`

// Write writes the files below a directory; a board that is there already stays, because its times count from when it
// was made.
func Write(dir string, now time.Time) error {
	dir = filepath.Join(dir, Dir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	calendar := bytes.ReplaceAll([]byte(events), []byte("\n"), []byte("\r\n")) // RFC 5545 3.1
	for name, content := range map[string][]byte{Manuscript: manuscripts[1].docx(), Calendar: calendar} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return err
		}
	}
	board := filepath.Join(dir, Board)
	if _, err := os.Stat(board); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	export, err := boardExport(now)
	if err != nil {
		return err
	}
	return os.WriteFile(board, export, 0o644)
}
