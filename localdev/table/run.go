package table

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"mappe/localdev/terminal"
	"mappe/shared/geo/crs"
)

// width is how many requests a server is asked at once.
const width = 2

// Job is a table that is to be completed.
type Job struct {
	In, Out string // files
	Server  string // address of all services
	Columns string // "address=Where,plz=Zip": beside those that are recognised
	System  crs.System
	Resume  bool
	// Separator parts the cells of a CSV that is written; 0: as in the table that is read, commas after a workbook.
	Separator rune
	Note      func(string)          // is told what a person has to know; from several goroutines, one at a time
	Progress  func(done, total int) // likewise
}

// Summary is how a job ended.
type Summary struct {
	Rows, Found int
	Match       map[string]int // rows by the quality of their match
	Reasons     map[string]int // rows without a parcel, by the reason up to its first figure
	Again       int            // rows that asking later may complete
	Kept        string         // the file that --resume goes on from; "" where nothing is left to ask
}

// running is a job that is being done.
type running struct {
	Job
	file    *File
	rows    []wanted
	results []Result
	done    int
	mu      sync.Mutex // guards results, done and the journal
	journal *os.File
}

// part is the file that keeps what came, beside the result.
func (j *Job) part() string { return j.Out + ".part" }

// Run completes the table. Interrupted, it says how to go on; what came until then is kept.
func (j Job) Run(ctx context.Context) (*Summary, error) {
	u, err := url.Parse(j.Server)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("--server is %q: expected the address of a running Mappe such as http://127.0.0.1:8080", j.Server)
	}
	outBook, err := IsBook(j.Out)
	if err != nil {
		return nil, fmt.Errorf("--out %w", err)
	}
	if in, err := os.Stat(j.In); err == nil {
		if out, err := os.Stat(j.Out); err == nil && os.SameFile(in, out) {
			return nil, fmt.Errorf("--out %s is the table itself: expected another file", j.Out)
		}
	}
	r := &running{Job: j}
	sum, err := r.read()
	if err != nil {
		return nil, err
	}
	if err := r.open(sum); err != nil {
		return nil, err
	}
	defer r.journal.Close() // each line was written whole
	err = r.ask(ctx, newClient(strings.TrimSuffix(j.Server, "/"), r.tell))
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%w: %d of %d rows are kept in %s; the same command with --resume goes on",
			terminal.ErrCancelled, r.done, len(r.rows), j.part())
	}
	if err != nil {
		return nil, fmt.Errorf("%w\n  %d of %d rows are kept in %s; the same command with --resume goes on", err, r.done, len(r.rows),
			j.part())
	}
	if err := r.write(outBook); err != nil {
		return nil, err
	}
	return r.summary()
}

func (r *running) tell(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Note(text)
}

// read reads the table and what its rows ask for; sum stands for what was asked.
func (r *running) read() (sum string, err error) {
	book, err := IsBook(r.In)
	if err != nil {
		return "", err
	}
	f, err := os.Open(r.In)
	if err != nil {
		return "", err
	}
	defer f.Close() // read only
	body, err := io.ReadAll(io.LimitReader(f, MaxBytes+1))
	switch {
	case err != nil:
		return "", err
	case len(body) > MaxBytes:
		return "", fmt.Errorf("%s is larger than %d MB", r.In, MaxBytes>>20)
	}
	if r.file, err = Read(body, book); err != nil {
		return "", fmt.Errorf("%s: %w", r.In, err)
	}
	columns, err := Recognise(r.file.Head, r.Columns)
	if err != nil {
		return "", err
	}
	told := columns.Told(r.file.Head)
	r.Note(fmt.Sprintf("%d rows; read are %s", len(r.file.Rows), told))
	for _, row := range r.file.Rows {
		r.rows = append(r.rows, columns.asked(row, r.System))
	}
	r.results = make([]Result, len(r.rows))
	for i := range r.results {
		r.results[i].Row = -1 // not known yet
	}
	h := sha256.Sum256(slices.Concat(body, []byte("\x00"+told+"\x00"+r.System.String()+"\x00"+strings.TrimSuffix(r.Server, "/"))))
	return hex.EncodeToString(h[:]), nil
}

// journalHead is the first line of the file of what came; each further line is a list of results.
type journalHead struct {
	Of string `json:"of"` // sum of the table, its columns, its system and the server
}

// open opens the file of what came: anew, or to go on with the rows that it has.
func (r *running) open(sum string) error {
	var at int64
	if r.Resume {
		var err error
		if at, err = r.resume(sum); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(r.part(), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	r.journal = f
	if err := f.Truncate(at); err != nil { // a line that was cut off is written again
		return err
	}
	if _, err := f.Seek(at, io.SeekStart); err != nil {
		return err
	}
	if at > 0 {
		return nil
	}
	return r.keep(journalHead{sum})
}

// keep writes a line.
func (r *running) keep(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = r.journal.Write(append(line, '\n'))
	return err
}

// resume reads the results that are kept; end is where the last whole line ends. Rows that asking again may complete are
// asked again.
func (r *running) resume(sum string) (end int64, err error) {
	body, err := os.ReadFile(r.part())
	if errors.Is(err, os.ErrNotExist) {
		r.Note("nothing is kept of an earlier run: it begins anew")
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	lines := bufio.NewReader(bytes.NewReader(body))
	for n := 0; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err != nil { // the end, or a line that was cut off
			return end, nil
		}
		if n == 0 {
			var h journalHead
			if json.Unmarshal(line, &h) != nil || h.Of != sum {
				return 0, fmt.Errorf("--resume: %s is of another table, other columns or another server: without --resume it begins anew",
					r.part())
			}
		} else {
			var list []Result
			if json.Unmarshal(line, &list) != nil {
				return end, nil
			}
			for _, one := range list {
				if one.Row >= 0 && one.Row < len(r.results) && !one.Again {
					r.results[one.Row] = one
				}
			}
		}
		end += int64(len(line))
	}
}

// ask asks for the rows that are not known.
func (r *running) ask(ctx context.Context, c *client) error {
	var todo []int
	for i := range r.results {
		if r.results[i].Row < 0 {
			todo = append(todo, i)
		}
	}
	r.done = len(r.results) - len(todo)
	r.Progress(r.done, len(r.results))
	g, within := errgroup.WithContext(ctx)
	g.SetLimit(width)
	for part := range slices.Chunk(todo, portion) {
		if within.Err() != nil {
			break
		}
		g.Go(func() error { return r.portion(within, c, part) })
	}
	return cmp.Or(g.Wait(), ctx.Err())
}

func (r *running) portion(ctx context.Context, c *client, at []int) error {
	rows, list, results := make([]wanted, len(at)), make([]Result, len(at)), make([]*Result, len(at))
	for n, i := range at {
		rows[n], list[n].Row, results[n] = r.rows[i], i, &list[n]
	}
	if err := find(ctx, c, rows, results); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, one := range list {
		r.results[one.Row] = one
	}
	r.done += len(list)
	r.Progress(r.done, len(r.results))
	return r.keep(list)
}

// write writes the result, whole or not at all.
func (r *running) write(book bool) error {
	f, err := os.CreateTemp(filepath.Dir(r.Out), ".table-*")
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	defer os.Remove(f.Name()) // gone once it is renamed
	if r.Separator != 0 {
		r.file.separator = r.Separator
	}
	w := bufio.NewWriter(f)
	if err := cmp.Or(r.file.write(w, book, r.file.joined(r.results)), w.Flush(), f.Chmod(0o644), f.Close()); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return os.Rename(f.Name(), r.Out)
}

// summary counts; the file of what came is removed where nothing is left to ask.
func (r *running) summary() (*Summary, error) {
	s := &Summary{Rows: len(r.results), Match: map[string]int{}, Reasons: map[string]int{}}
	for i := range r.results {
		one := &r.results[i]
		if one.ParcelID != "" {
			s.Found++
			s.Match[one.Match]++
		} else {
			reason, _, _ := strings.Cut(one.Reason, ";")
			s.Reasons[strings.TrimRight(strings.TrimRight(reason, "0123456789-./"), " ")]++
		}
		if one.Again {
			s.Again++
		}
	}
	if s.Again > 0 {
		s.Kept = r.part()
		return s, nil
	}
	return s, os.Remove(r.part())
}
