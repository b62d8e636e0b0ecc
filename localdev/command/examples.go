package command

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"time"

	"mappe/localdev/demo/sample"
)

// examplesDir is where start writes the files that the README's command lines name, below its --dir.
const examplesDir = "examples"

// The files; the README names them by their paths.
const (
	exampleManuscript = "manuscript.docx"
	exampleBoard      = "board.json"
	exampleCalendar   = "calendar.ics"
)

// exampleEvents is a calendar with what calendars have: a zone, an exception, a moved meeting, a whole day.
const exampleEvents = `BEGIN:VCALENDAR
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

// writeExamples writes the files; a board that is there already stays, because its times count from when it
// was made.
func writeExamples(dir string, now time.Time) error {
	dir = filepath.Join(dir, examplesDir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	m := demoManuscripts[1]
	made := sample.Make(withNames(m.make, m.title, m.author))
	calendar := bytes.ReplaceAll([]byte(exampleEvents), []byte("\n"), []byte("\r\n")) // RFC 5545 3.1
	for name, content := range map[string][]byte{exampleManuscript: made.DOCX(), exampleCalendar: calendar} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return err
		}
	}
	board := filepath.Join(dir, exampleBoard)
	if _, err := os.Stat(board); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	export, err := demoExport(now)
	if err != nil {
		return err
	}
	return os.WriteFile(board, export, 0o644)
}
