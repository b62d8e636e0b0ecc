// Package legal reads what laws say of parcels: from the texts of decrees (overlays/legal/*.json) and from tables
// (overlays/legal/*.csv). It owns both raw forms, the reading of parcel numbers out of German legal prose and the
// table of contexts; which of the parcels exist builders/overlays finds out.
//
// A decree file is an array of passages: text, and where known id, title, url, gesetzesnummer, bundesland, context,
// in_force. Passages of one gesetzesnummer are one law; parcels whose passage names no KG are put to the KG of the
// law where it names exactly one.
//
// A table has the columns grundstueck and kg_code or kg_name, and of gemeinde_name, source_law_name, source_date,
// source_url, parcel_list_type, legal_context, bundesland, gesetzesnummer what is known. grundstueck is one number or
// a row of them as decrees write it.
package legal

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"mappe/artefacts/overlays"
	"mappe/builders/source/table"
	"mappe/shared/austria"
	"mappe/shared/spelling"
)

// Dir is the folder of a raw source.
const Dir = "overlays/legal"

// Limits of a source.
const (
	maxFile     = 256 << 20
	maxPassages = 1 << 20
	maxText     = 4 << 20
)

// Refs are laws and the parcels they name.
type Refs struct {
	Laws []overlays.Law
	KGs  []overlays.KGRefs // by KG
}

// collection gathers references.
type collection struct {
	names    *Names
	problems *table.Problems
	laws     []overlays.Law
	at       map[overlays.Law]int
	refs     map[austria.KGCode][]overlays.Ref
	seen     map[key]int
}

// key is what makes two references of a KG the same.
type key struct {
	kg  austria.KGCode
	gnr austria.GNR
	law int
}

// Read reads all files of the folder, in the order of their names; none is no error.
func Read(source fs.FS, names *Names, p *table.Problems) (Refs, error) {
	c := &collection{names: names, problems: p, at: map[overlays.Law]int{}, refs: map[austria.KGCode][]overlays.Ref{}, seen: map[key]int{}}
	entries, err := fs.ReadDir(source, Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return Refs{}, nil
	}
	if err != nil {
		return Refs{}, fmt.Errorf("legal: %w", err)
	}
	for _, e := range entries {
		name := path.Join(Dir, e.Name())
		read := map[string]func(string, io.Reader) error{".json": c.decrees, ".csv": c.table}[path.Ext(name)]
		if read == nil || e.IsDir() {
			continue
		}
		if err := c.file(source, name, read); err != nil {
			return Refs{}, err
		}
	}
	out := Refs{Laws: c.laws}
	for _, code := range slices.Sorted(maps.Keys(c.refs)) {
		out.KGs = append(out.KGs, overlays.KGRefs{KG: code, Refs: c.refs[code]})
	}
	return out, nil
}

func (c *collection) file(source fs.FS, name string, read func(string, io.Reader) error) error {
	f, err := source.Open(name)
	if err != nil {
		return fmt.Errorf("legal: %w", err)
	}
	defer f.Close()
	if err := read(name, io.LimitReader(f, maxFile)); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// law is the row of a law.
func (c *collection) law(l overlays.Law) int {
	i, ok := c.at[l]
	if !ok {
		i = len(c.laws)
		c.laws, c.at[l] = append(c.laws, l), i
	}
	return i
}

// add puts references to a KG, each parcel of a law once; one that the law names as a whole anywhere is no part.
func (c *collection) add(kg austria.KGCode, law int, list overlays.ListType, parcels []Parcel) {
	if len(parcels) == 0 {
		parcels = []Parcel{{}}
	}
	for _, p := range parcels {
		k := key{kg, p.GNR, law}
		if i, ok := c.seen[k]; ok {
			r := &c.refs[kg][i]
			r.Partial, r.List = r.Partial && p.Partial, min(r.List, list)
			continue
		}
		c.seen[k] = len(c.refs[kg])
		c.refs[kg] = append(c.refs[kg], overlays.Ref{GNR: p.GNR, Law: law, List: list, Partial: p.Partial})
	}
}

func (c *collection) bad(file string, line int, column, value, expected string) {
	c.problems.Add(table.Problem{File: file, Line: line, Column: column, Value: value[:min(len(value), 80)], Expected: expected})
}

// passage is one of a decree file.
type passage struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	URL      string `json:"url"`
	Number   string `json:"gesetzesnummer"`
	State    string `json:"bundesland"`
	Context  string `json:"context"`
	InForce  string `json:"in_force"`
	Text     string `json:"text"`
	found    Found
	law      int
	hasCodes []austria.KGCode
}

func (c *collection) decrees(file string, in io.Reader) error {
	d := json.NewDecoder(in)
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return errors.New("expected an array of passages")
	}
	var unplaced []passage
	placed := map[string][]austria.KGCode{} // KGs by law
	for n := 1; d.More(); n++ {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil || n > maxPassages {
			return fmt.Errorf("passage %d of at most %d: %w", n, maxPassages, err)
		}
		var p passage
		if err := json.Unmarshal(raw, &p); err != nil || p.Text == "" || len(p.Text) > maxText {
			c.bad(file, n, "text", "", "a passage with a text of at most 4 MB")
			continue
		}
		c.passage(file, n, &p)
		placed[p.Number] = append(placed[p.Number], p.hasCodes...)
		p.Text = ""
		if slices.ContainsFunc(p.found.Named, func(n Named) bool { return n.KG == nil }) {
			unplaced = append(unplaced, p)
		}
	}
	for _, p := range unplaced {
		c.place(file, p, placed[p.Number])
	}
	return nil
}

// passage reads the references of one passage that say their KG.
func (c *collection) passage(file string, n int, p *passage) {
	p.found = ReadText(c.names, p.Text, p.State)
	for _, problem := range p.found.Problems {
		c.bad(file, n, "text", p.ID, problem)
	}
	context, err := overlays.ParseContext(p.Context)
	if err != nil {
		context = ContextOf(p.Title + " " + p.Text)
	}
	if len(p.found.Named) == 0 {
		return
	}
	p.law = c.law(overlays.Law{Name: cmp.Or(p.Title, p.Number, p.ID), Date: p.InForce, URL: p.URL, Number: p.Number, State: p.State,
		Context: context})
	for _, named := range p.found.Named {
		if named.KG != nil {
			c.add(named.KG.Code, p.law, p.found.List, named.Parcels)
			p.hasCodes = append(p.hasCodes, named.KG.Code)
		}
	}
}

// place puts the parcels whose passage names no KG to the one of the law.
func (c *collection) place(file string, p passage, codes []austria.KGCode) {
	slices.Sort(codes)
	codes = slices.Compact(codes)
	for _, named := range p.found.Named {
		switch {
		case named.KG != nil:
		case len(codes) == 1:
			c.add(codes[0], p.law, p.found.List, named.Parcels)
		default:
			c.bad(file, 0, "text", p.ID, fmt.Sprintf("a law that names one KG: %d parcels are in none that it names", len(named.Parcels)))
		}
	}
}

func (c *collection) table(file string, in io.Reader) error {
	r := csv.NewReader(in)
	r.ReuseRecord, r.FieldsPerRecord = true, -1
	head, err := r.Read()
	if err != nil {
		return fmt.Errorf("expected a header line: %w", err)
	}
	at := map[string]int{}
	for i, name := range head {
		at[strings.ToLower(strings.Trim(strings.TrimPrefix(name, "\ufeff"), " \""))] = i
	}
	if _, ok := at["grundstueck"]; !ok {
		return errors.New("expected a column grundstueck")
	}
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		line, _ := r.FieldPos(0)
		if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
			c.bad(file, parse.Line, "", "", "a row of comma-separated cells")
			continue
		}
		if err != nil {
			return err
		}
		c.row(file, line, func(column string) string {
			if i, ok := at[column]; ok && i < len(cells) {
				return strings.TrimSpace(strings.Clone(cells[i]))
			}
			return ""
		})
	}
}

// row reads the references of one row of a table.
func (c *collection) row(file string, line int, cell func(string) string) {
	state := cell("bundesland")
	kg := c.tableKG(cell, state)
	if kg == nil {
		c.bad(file, line, "kg_code", cell("kg_code")+" "+cell("kg_name"),
			"the code of a KG, or a name that only one KG has in its municipality and state")
		return
	}
	var l list
	numbers := tokens(cell("grundstueck"))
	if n := l.read(numbers, false); n < len(numbers) || len(l.problems) > 0 {
		c.bad(file, line, "grundstueck", cell("grundstueck"), "parcel numbers such as 547/2, 569 (Teil), 1993 bis 1998")
	}
	if len(l.parcels) == 0 && len(numbers) > 0 {
		return
	}
	listed, err := overlays.ParseListType(cell("parcel_list_type"))
	if err != nil && cell("parcel_list_type") != "" {
		c.bad(file, line, "parcel_list_type", cell("parcel_list_type"), "listed or boundary_walk")
	}
	context, err := overlays.ParseContext(cell("legal_context"))
	if err != nil {
		context = ContextOf(cell("source_law_name"))
	}
	law := c.law(overlays.Law{Name: cmp.Or(cell("source_law_name"), cell("gesetzesnummer")), Date: cell("source_date"),
		URL:    cell("source_url"),
		Number: cell("gesetzesnummer"), State: state, Context: context})
	c.add(kg.Code, law, listed, l.parcels)
}

func (c *collection) tableKG(cell func(string) string, state string) *KG {
	if code, err := austria.ParseKGCode(cell("kg_code")); err == nil {
		return c.names.byCode[code]
	}
	name := tokens(cell("kg_name"))
	found, n := c.names.at(name)
	if n == 0 || n < len(name) {
		return nil
	}
	return choose(found, " "+spelling.Fold(cell("gemeinde_name"))+" ", state)
}
