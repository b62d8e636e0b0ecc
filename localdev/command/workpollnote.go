package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// noted is what a poller has already told a feed: a file that lines are added to. It saves requests; it is
// not what keeps a task from being recorded twice (the feed does), so it may be lost or end in half a line.
type noted struct {
	file *os.File
	has  map[note]bool
}

type note struct {
	URL    string `json:"url"`
	Board  string `json:"board"`
	TaskID string `json:"task_id"`
}

// maxNotes bounds the file that is read.
const maxNotes = 64 << 20

func openNotes(path string) (*noted, error) {
	if fi, err := os.Stat(path); err == nil && fi.Size() > maxNotes {
		return nil, fmt.Errorf("%s has %d bytes, at most %d are read: move it away, what it notes is told to the feed again", path, fi.Size(), maxNotes)
	}
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	n := &noted{has: map[note]bool{}}
	for line := range bytes.Lines(data) {
		var one note
		if json.Unmarshal(line, &one) == nil { // half a line notes nothing
			n.has[one] = true
		}
	}
	if n.file, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err != nil {
		return nil, err
	}
	if len(data) > 0 && data[len(data)-1] != '\n' {
		_, err = n.file.WriteString("\n")
	}
	return n, err
}

func (n *noted) add(one note) error {
	line, err := json.Marshal(one)
	if err != nil {
		return err
	}
	n.has[one] = true
	_, err = n.file.Write(append(line, '\n'))
	return err
}

func (n *noted) close() error { return n.file.Close() }
