package shapefile

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// dbf reads the rows of a dBase table as text.
type dbf struct {
	in    *bufio.Reader
	names []string
	types []byte         // of each column: C text, N and F number, L yes or no, D date
	index map[string]int // folded name -> column
	from  []int          // of each column in the row; one more than columns
	row   []byte
	left  int
	page  *charmap.Charmap // nil: Windows-1252
	sure  bool             // a .cpg file names it; else what is UTF-8 is read as such
	utf8  bool
}

func fold(name string) string { return strings.ToUpper(strings.TrimSpace(name)) }

// pages are the code pages by the words of a .cpg file and by the number in the head of a .dbf.
var pages = []struct {
	words   []string
	numbers []byte
	page    *charmap.Charmap
}{
	{[]string{"1252", "ANSI"}, []byte{0x03, 0x57, 0x58, 0x59}, charmap.Windows1252},
	{[]string{"8859-15", "885915"}, nil, charmap.ISO8859_15},
	{[]string{"8859-1", "88591", "LATIN1"}, nil, charmap.Windows1252}, // Latin-1 and what is written for it
	{[]string{"850"}, []byte{0x02, 0x37}, charmap.CodePage850},
	{[]string{"437"}, []byte{0x01}, charmap.CodePage437},
	{[]string{"1250"}, []byte{0xC8}, charmap.Windows1250},
	{[]string{"852"}, []byte{0x64}, charmap.CodePage852},
}

func (d *dbf) choose(cpg string, number byte) {
	cpg = fold(cpg)
	d.sure = cpg != ""
	if strings.Contains(cpg, "UTF-8") || strings.Contains(cpg, "UTF8") || cpg == "65001" {
		d.utf8 = true
		return
	}
	for _, p := range pages {
		for _, w := range p.words {
			if cpg != "" && strings.Contains(cpg, w) {
				d.page = p.page
				return
			}
		}
	}
	for _, p := range pages {
		for _, n := range p.numbers {
			if cpg == "" && n == number {
				d.page = p.page
				return
			}
		}
	}
}

func newDBF(in io.Reader, cpg string) (*dbf, error) {
	d := &dbf{in: bufio.NewReaderSize(in, 64<<10), index: map[string]int{}, from: []int{1}}
	var head [32]byte
	if _, err := io.ReadFull(d.in, head[:]); err != nil {
		return nil, short(err)
	}
	rows := binary.LittleEndian.Uint32(head[4:])
	if rows > maxRows {
		return nil, fmt.Errorf("%d rows announced: at most %d are read", rows, maxRows)
	}
	d.left = int(rows)
	size, width := int(binary.LittleEndian.Uint16(head[8:])), int(binary.LittleEndian.Uint16(head[10:]))
	d.choose(cpg, head[29])
	read := 32
	for {
		c, err := d.in.Peek(1)
		if err != nil {
			return nil, short(err)
		}
		if c[0] == 0x0D {
			break
		}
		if len(d.names) == maxColumns || read+32 > size {
			return nil, errors.New("the columns do not end where the head says")
		}
		if err := d.column(width); err != nil {
			return nil, err
		}
		read += 32
	}
	if size <= read {
		return nil, errors.New("the columns do not end where the head says")
	}
	if _, err := d.in.Discard(size - read); err != nil {
		return nil, short(err)
	}
	d.row = make([]byte, width) // at most 64 KB
	return d, nil
}

func (d *dbf) column(width int) error {
	var c [32]byte
	if _, err := io.ReadFull(d.in, c[:]); err != nil {
		return short(err)
	}
	name, _, _ := strings.Cut(string(c[:11]), "\x00")
	if _, twice := d.index[fold(name)]; !twice {
		d.index[fold(name)] = len(d.names)
	}
	d.names, d.types = append(d.names, strings.TrimSpace(name)), append(d.types, c[11])
	length := int(c[16])
	if c[11] == 'C' || c[11] == 'c' {
		length += int(c[17]) << 8 // long texts keep the high byte where numbers keep their decimals
	}
	end := d.from[len(d.from)-1] + length
	if end > width {
		return fmt.Errorf("column %q ends at byte %d of rows of %d", name, end, width)
	}
	d.from = append(d.from, end)
	return nil
}

// next reads a row; io.EOF after the last. Cells are texts without surrounding blanks.
func (d *dbf) next() (cells []string, deleted bool, err error) {
	if d.left == 0 || len(d.row) == 0 {
		return nil, false, io.EOF
	}
	d.left--
	if _, err := io.ReadFull(d.in, d.row); err != nil {
		return nil, false, short(err)
	}
	if d.row[0] == 0x1A {
		return nil, false, io.EOF
	}
	cells = make([]string, len(d.names))
	for i := range cells {
		cells[i] = d.text(d.row[d.from[i]:d.from[i+1]])
	}
	return cells, d.row[0] == '*', nil
}

func (d *dbf) text(b []byte) string {
	if d.utf8 || !d.sure && utf8.Valid(b) { // no text of another page with umlauts is UTF-8 too
		return strings.Trim(strings.ToValidUTF8(string(b), "\ufffd"), " \x00\t")
	}
	page := d.page
	if page == nil {
		page = charmap.Windows1252
	}
	out := make([]rune, len(b))
	for i, c := range b {
		out[i] = page.DecodeByte(c)
	}
	return strings.Trim(string(out), " \x00\t")
}
