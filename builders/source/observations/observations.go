// Package observations reads what a peer observed in cells: rows of one layer that the peer defines, for the section
// "obs" of the cells (artefacts/ne). It owns the raw form and its checks; builders/ne puts the rows into containers.
//
// # Layout of observations/*.neobs
//
// All integers are little-endian.
//
//	offset  bytes  what
//	0       8      text "NEOBSRV1"
//	8       4      u32 h, length of the header, at most 65,536
//	12      h      JSON object: layer, record_bytes, rows, fields [{name, type, count}], source, license, license_url,
//	               date (YYYY-MM-DD), released (true or false)
//	12+h           the rows, record_bytes each, to the end of the file
//
// A row begins with cell_id (u64), a cell of resolution 12; rows rise by it, so that a cell has one. The other fields are
// u8, u16, u32 or u64, packed without a gap; count makes a field an array. layer says what is observed and source whom to
// name. A layer that is not released is checked and left out of the artefacts.
//
// A header that does not describe the file ends the reading; a row whose cell has another resolution or lies in no KG is
// a problem of the source and is left out.
package observations

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"mappe/artefacts/ne"
	"mappe/builders/source/table"
	"mappe/shared/geo/hexgrid"
)

// Folder is its place in a raw source, Ending that of its files.
const (
	Folder = "observations"
	Ending = ".neobs"
	magic  = "NEOBSRV1"
)

// The limits of a file. Austria has 273 million cells.
const (
	frontBytes = len(magic) + 4
	maxHeader  = 64 << 10
	maxRows    = 300_000_000
	maxRecord  = 1 << 10
	maxFields  = 64
	maxCount   = 255
	maxText    = 300
)

// Header is what a file says of itself.
type Header struct {
	Layer       string     `json:"layer"`
	RecordBytes int        `json:"record_bytes"`
	Rows        int        `json:"rows"`
	Fields      []ne.Field `json:"fields"`
	Source      string     `json:"source"`
	License     string     `json:"license"`
	LicenseURL  string     `json:"license_url"`
	Date        string     `json:"date"`
	Released    *bool      `json:"released"`
}

// widths are the lengths of the types of fields.
var widths = map[string]int{"u8": 1, "u16": 2, "u32": 4, "u64": 8}

var (
	fieldName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)
	errForm   = errors.New("no file of observations")
)

// check holds what the header says to itself.
func (h *Header) check() error {
	for _, m := range []struct{ name, text string }{{"layer", h.Layer}, {"source", h.Source}, {"license", h.License},
		{"license_url", h.LicenseURL}} {
		if m.text == "" || len(m.text) > maxText || strings.ContainsFunc(m.text, func(r rune) bool { return r < ' ' }) {
			return fmt.Errorf("%s %.40q: expected a text of 1 to %d bytes in one line", m.name, m.text, maxText)
		}
	}
	if _, err := time.Parse(time.DateOnly, h.Date); err != nil {
		return fmt.Errorf("date %.40q: expected YYYY-MM-DD", h.Date)
	}
	if h.Released == nil {
		return errors.New("released is missing: expected true or false")
	}
	if h.Rows < 0 || h.Rows > maxRows {
		return fmt.Errorf("rows %d: expected 0 to %d", h.Rows, maxRows)
	}
	if len(h.Fields) < 2 || len(h.Fields) > maxFields || h.Fields[0] != (ne.Field{Name: "cell_id", Type: "u64"}) {
		return fmt.Errorf("fields: expected 2 to %d, the first of them cell_id of the type u64", maxFields)
	}
	size := 0
	for i, f := range h.Fields {
		switch {
		case !fieldName.MatchString(f.Name) || f.Name == "rows" || slices.ContainsFunc(h.Fields[:i], func(g ne.Field) bool {
			return g.Name == f.Name
		}):
			return fmt.Errorf("field %d %.50q: expected a new name of small letters, digits and _ that is not rows", i, f.Name)
		case widths[f.Type] == 0:
			return fmt.Errorf("field %s: type %.20q: expected u8, u16, u32 or u64", f.Name, f.Type)
		case f.Count < 0 || f.Count > maxCount:
			return fmt.Errorf("field %s: count %d: expected 0 to %d", f.Name, f.Count, maxCount)
		}
		size += widths[f.Type] * max(f.Count, 1)
	}
	if size != h.RecordBytes || size > maxRecord {
		return fmt.Errorf("record_bytes %d: its fields take %d, and at most %d are allowed", h.RecordBytes, size, maxRecord)
	}
	return nil
}

// parseHeader reads a header and holds it to the length of the file.
func parseHeader(text []byte, rowBytes int64) (*Header, error) {
	h := &Header{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(h); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if err := h.check(); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if want := int64(h.Rows) * int64(h.RecordBytes); want != rowBytes {
		return nil, fmt.Errorf("header: %d rows of %d bytes are %d, the file has %d behind the header", h.Rows, h.RecordBytes, want,
			rowBytes)
	}
	return h, nil
}

// Layer is a file that was checked. Its rows stay in it. It is safe for concurrent use.
type Layer struct {
	Header
	Sum   string // of all its bytes
	files fs.FS
	name  string
	start int64
	runs  []run // by rising chunk, then rising row
}

// run is good rows of one chunk that follow one another.
type run struct {
	chunk  hexgrid.Cell
	first  int64 // number of the first row
	rows   int
	digest [8]byte
}

// Placed says which cells below a chunk lie in a KG; nil where none does.
type Placed func(chunk hexgrid.Cell) func(hexgrid.Cell) bool

// Read reads the file of the folder; nil if the folder has no file. Several are refused: cells have one layer of observations.
func Read(files fs.FS, placed Placed, p *table.Problems) (*Layer, error) {
	entries, err := fs.ReadDir(files, Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Folder, err)
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() && strings.HasSuffix(strings.ToLower(e.Name()), Ending) {
			names = append(names, path.Join(Folder, e.Name()))
		}
	}
	switch len(names) {
	case 0:
		return nil, nil
	case 1:
	default:
		return nil, fmt.Errorf("%s: %d files *%s: expected one, cells have one layer of observations", Folder, len(names), Ending)
	}
	l, err := open(files, names[0], placed, p)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", names[0], err)
	}
	return l, nil
}

func open(files fs.FS, name string, placed Placed, p *table.Problems) (l *Layer, err error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	r := bufio.NewReaderSize(io.TeeReader(f, sum), 1<<20)
	front := make([]byte, frontBytes)
	if _, err := io.ReadFull(r, front); err != nil || string(front[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: it does not begin with %s", errForm, magic)
	}
	n := binary.LittleEndian.Uint32(front[len(magic):])
	start := int64(frontBytes) + int64(n)
	if n > maxHeader || start > info.Size() {
		return nil, fmt.Errorf("%w: a header of %d bytes in a file of %d: at most %d are allowed", errForm, n, info.Size(), maxHeader)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, err
	}
	h, err := parseHeader(text, info.Size()-start)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errForm, err)
	}
	l = &Layer{Header: *h, files: files, name: name, start: start}
	c := checker{l: l, placed: placed, p: p}
	if err := c.rows(r); err != nil {
		return nil, err
	}
	if _, err := r.ReadByte(); err != io.EOF {
		return nil, fmt.Errorf("%w: it has grown while it was read", errForm)
	}
	l.Sum = hex.EncodeToString(sum.Sum(nil)[:16])
	return l, nil
}

// checker goes through the rows of a file.
type checker struct {
	l      *Layer
	placed Placed
	p      *table.Problems

	chunk hexgrid.Cell
	in    func(hexgrid.Cell) bool
	hash  hash.Hash // of the run that is open
	open  bool
}

func (c *checker) rows(r io.Reader) error {
	row := make([]byte, c.l.RecordBytes)
	c.hash = sha256.New()
	var last hexgrid.Cell
	for i := range c.l.Header.Rows {
		if _, err := io.ReadFull(r, row); err != nil {
			return fmt.Errorf("row %d: %w", i+1, err)
		}
		cell := ne.CellOf(row)
		if i > 0 && cell <= last {
			return fmt.Errorf("%w: row %d: cell %s does not stand behind %s", errForm, i+1, cell, last)
		}
		last = cell
		if err := c.row(int64(i), cell, row); err != nil {
			return err
		}
	}
	c.end()
	return nil
}

// row takes a row in, or reports it.
func (c *checker) row(i int64, cell hexgrid.Cell, row []byte) error {
	bad := func(expected string) {
		c.end()
		c.p.Add(table.Problem{File: c.l.name, Line: int(i) + 1, Column: "cell_id", Value: cell.String(), Expected: expected})
	}
	if !cell.IsValid() || cell.Resolution() != ne.LURes {
		bad(fmt.Sprintf("a cell of resolution %d", ne.LURes))
		return nil
	}
	chunk, err := cell.Parent(ne.ChunkRes)
	if err != nil {
		return err
	}
	if chunk != c.chunk {
		c.end()
		c.chunk, c.in = chunk, c.placed(chunk)
	}
	if c.in == nil || !c.in(cell) {
		bad("a cell in a KG of the source")
		return nil
	}
	if !c.open {
		c.open = true
		c.l.runs = append(c.l.runs, run{chunk: chunk, first: i})
	}
	c.l.runs[len(c.l.runs)-1].rows++
	c.hash.Write(row)
	return nil
}

// end closes the open run.
func (c *checker) end() {
	if !c.open {
		return
	}
	copy(c.l.runs[len(c.l.runs)-1].digest[:], c.hash.Sum(nil))
	c.hash.Reset()
	c.open = false
}

// of are the runs of a chunk.
func (l *Layer) of(chunk hexgrid.Cell) []run {
	from, _ := slices.BinarySearchFunc(l.runs, chunk, func(r run, c hexgrid.Cell) int {
		switch {
		case r.chunk < c:
			return -1
		case r.chunk > c:
			return 1
		}
		return 0
	})
	to := from
	for to < len(l.runs) && l.runs[to].chunk == chunk {
		to++
	}
	return l.runs[from:to]
}

// Fingerprint names the rows below chunks and what describes them; "" without any rows.
func (l *Layer) Fingerprint(chunks []hexgrid.Cell) string {
	h := sha256.New()
	described := l.Header
	described.Rows = 0 // of the whole file
	head, _ := json.Marshal(described)
	h.Write(head)
	found := false
	for _, c := range chunks {
		for _, r := range l.of(c) {
			h.Write(r.digest[:])
			found = true
		}
	}
	if !found {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Below are the rows below a chunk, by rising cell.
func (l *Layer) Below(chunk hexgrid.Cell) (rows []byte, err error) {
	runs := l.of(chunk)
	if len(runs) == 0 {
		return nil, nil
	}
	f, err := l.files.Open(l.name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	at, ok := f.(io.ReaderAt)
	if !ok {
		return nil, fmt.Errorf("%s: the file cannot be read in parts", l.name)
	}
	for _, r := range runs {
		b := make([]byte, r.rows*l.RecordBytes)
		if _, err := at.ReadAt(b, l.start+r.first*int64(l.RecordBytes)); err != nil {
			return nil, fmt.Errorf("%s: %w", l.name, err)
		}
		if got := sha256.Sum256(b); !bytes.Equal(got[:8], r.digest[:]) {
			return nil, fmt.Errorf("%s: it was changed while it was read", l.name)
		}
		rows = append(rows, b...)
	}
	return rows, nil
}

// Encode writes a file. The rows rise by cell.
func Encode(h Header, rows []byte) ([]byte, error) {
	text, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	if _, err := parseHeader(text, int64(len(rows))); err != nil {
		return nil, err
	}
	out := binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(text)))
	return append(append(out, text...), rows...), nil
}
