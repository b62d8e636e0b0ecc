// Package filestate is what the file system says of a file without reading it: by it a build sees that a source file is the
// one that was read before. It owns what is looked at and when that is to be trusted; what came of the file its reader
// knows (builders/kgbuild), which files are asked for theirs (builders/source/tiles, builders/source/dkm).
//
// A state holds the size, the inode, and the times at which content (mtime) and inode (ctime) were changed last, in
// nanoseconds. Programs can set the first time and not the second: a file that was replaced by one of the same size and
// modification time has another state. What remains unseen is a change within one tick of the file system's clock, for
// which Settled waits, one below the file system, and one under a clock that shows the very nanosecond again.
package filestate

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"
)

// Margin is how long a file has to have been left alone: more than the coarsest clock of a file system (2 s), and what the
// clocks of this machine and of a file server may differ by.
const Margin = time.Minute

// State is that of a file, or of several.
type State struct {
	Text   string    // names the state: other contents, another text
	Newest time.Time // the latest time in it; zero of a file that is not there
}

// Settled says whether the files had been left alone for long enough at a time before they were looked at: a change after
// that look shows then. Files that are dated later than that are never settled.
func (s State) Settled(at time.Time) bool { return s.Newest.Before(at.Add(-Margin)) }

// Of is the state of a file, also of one that is not there; false where the system does not tell enough.
func Of(name string) (State, bool) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return State{Text: "none"}, true
	case err != nil || !info.Mode().IsRegular():
		return State{}, false
	}
	return of(info)
}

// Join is the state of several files together.
func Join(all ...State) (s State) {
	texts := make([]string, len(all))
	for i, one := range all {
		texts[i] = one.Text
		if one.Newest.After(s.Newest) {
			s.Newest = one.Newest
		}
	}
	s.Text = strings.Join(texts, ",")
	return s
}
