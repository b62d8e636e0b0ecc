package exact

import (
	"bytes"
	"io"
	"sync"
)

// lineWriter lets many processes write to one place, a whole line at a time.
type lineWriter struct {
	mu  sync.Mutex
	out io.Writer
}

// maxLine: a longer line is cut into several.
const maxLine = 64 << 10

// named puts the function's name in front of each line.
func (l *lineWriter) named(name string) *namedWriter { return &namedWriter{lines: l, name: name} }

type namedWriter struct {
	lines *lineWriter
	name  string
	mu    sync.Mutex
	rest  []byte
}

// Write implements io.Writer.
func (w *namedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rest = append(w.rest, p...)
	for {
		i := bytes.IndexByte(w.rest, '\n')
		if i < 0 && len(w.rest) < maxLine {
			return len(p), nil
		}
		if i < 0 {
			i = len(w.rest) - 1
		}
		w.line(w.rest[:i+1])
		w.rest = w.rest[i+1:]
	}
}

func (w *namedWriter) line(text []byte) {
	w.lines.mu.Lock()
	defer w.lines.mu.Unlock()
	_, _ = w.lines.out.Write(append([]byte(w.name+" | "), append(bytes.TrimRight(text, "\n"), '\n')...))
}

// flush writes a last line without an end.
func (w *namedWriter) flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.rest) > 0 {
		w.line(w.rest)
		w.rest = nil
	}
}
