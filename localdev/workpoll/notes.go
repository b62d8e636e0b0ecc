package workpoll

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// notes are what a poller has already reported to a feed: a file that lines are added to. It saves requests; it is
// not what keeps a task from being recorded twice (the feed does), so it may be lost or end in half a line.
type notes struct {
	path string
	file *os.File // opened with the first note: a poll that reported nothing leaves no file
	cut  bool     // the file ends in half a line
	has  map[note]bool
}

type note struct {
	URL    string `json:"url"`
	Board  string `json:"board"`
	TaskID string `json:"task_id"`
}

// maxNotes bounds the file that is read.
const maxNotes = 64 << 20

func openNotes(path string) (*notes, error) {
	if fi, err := os.Stat(path); err == nil && fi.Size() > maxNotes {
		return nil, fmt.Errorf("%s has %d bytes, at most %d are read: move it away, what it notes is reported to the feed again", path,
			fi.Size(), maxNotes)
	}
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	n := &notes{path: path, cut: len(data) > 0 && data[len(data)-1] != '\n', has: map[note]bool{}}
	for line := range bytes.Lines(data) {
		var one note
		if json.Unmarshal(line, &one) == nil { // half a line notes nothing
			n.has[one] = true
		}
	}
	return n, nil
}

func (n *notes) add(one note) error {
	line, err := json.Marshal(one)
	if err != nil {
		return err
	}
	if n.file == nil {
		if n.file, err = os.OpenFile(n.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err != nil {
			return err
		}
	}
	if n.cut {
		line, n.cut = append([]byte("\n"), line...), false
	}
	n.has[one] = true
	_, err = n.file.Write(append(line, '\n'))
	return err
}

func (n *notes) close() error {
	if n.file == nil {
		return nil
	}
	return n.file.Close()
}
