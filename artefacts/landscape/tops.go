package landscape

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"mappe/artefacts/sectionfile"
	"mappe/shared/austria"
	"mappe/shared/landscape/segment"
)

// kept is how many things of a list the builder keeps: those beyond Tops take the places of things whose KG has changed since.
const kept = 2 * Tops

// tops gathers a list of the country, by types where it is parted.
type tops[T any] struct {
	list *TopList[T]
	rows map[segment.Type][]Top[T]
	cut  map[segment.Type]bool   // things of the country are left out, all of them behind those that are kept
	last map[segment.Type]Top[T] // of a list that was taken over and cut: the last one that it had; what lies behind it is not known whole
}

// gathered is a list of whatever things.
type gathered interface {
	sections() ([]sectionfile.Section, error)
	more() ([]spare, error)
	short() bool
	takeOver(e *Earlier, unchanged func(austria.KGCode) bool) error
}

func newTops[T any](l *TopList[T]) tops[T] {
	return tops[T]{list: l, rows: map[segment.Type][]Top[T]{}, cut: map[segment.Type]bool{}, last: map[segment.Type]Top[T]{}}
}

func (t *tops[T]) add(code austria.KGCode, items []T) {
	touched := map[segment.Type]bool{}
	for i := range items {
		if m := t.list.measure(&items[i]); m != m {
			continue
		}
		k := segment.Unclassified
		if t.list.kind != nil {
			k = t.list.kind(&items[i])
		}
		row := Top[T]{code, items[i]}
		if last, ok := t.last[k]; ok && t.list.Compare(&row, &last) > 0 {
			continue
		}
		t.rows[k] = append(t.rows[k], row)
		touched[k] = true
	}
	for k := range touched {
		rows := t.rows[k]
		slices.SortFunc(rows, func(a, b Top[T]) int { return t.list.Compare(&a, &b) })
		if len(rows) > kept {
			rows, t.cut[k] = slices.Clone(rows[:kept]), true
			t.last[k] = rows[kept-1]
		}
		t.rows[k] = slices.Clip(rows)
	}
}

// short says whether things of the list are not known that belong into it.
func (t *tops[T]) short() bool {
	for k, cut := range t.cut {
		if cut && len(t.rows[k]) < Tops {
			return true
		}
	}
	return false
}

func (t *tops[T]) sections() (out []sectionfile.Section, err error) {
	for _, k := range slices.Sorted(maps.Keys(t.rows)) {
		if len(t.rows[k]) == 0 {
			continue
		}
		b, err := t.list.encode(t.rows[k][:min(len(t.rows[k]), Tops)])
		if err != nil {
			return nil, err
		}
		out = append(out, sectionfile.Section{Name: t.list.Section(k), Body: b})
	}
	return out, nil
}

// spare is what of a list stands behind its section in the index.
type spare struct {
	section string
	cut     bool
	body    []byte // nil: nothing stands behind it
}

func (t *tops[T]) more() (out []spare, err error) {
	for _, k := range slices.Sorted(maps.Keys(t.rows)) {
		s := spare{section: t.list.Section(k), cut: t.cut[k]}
		if len(t.rows[k]) > Tops {
			if s.body, err = t.list.encode(t.rows[k][Tops:]); err != nil {
				return nil, err
			}
		}
		out = append(out, s)
	}
	return out, nil
}

// takeOver begins with the things of unchanged KGs in an earlier index.
func (t *tops[T]) takeOver(e *Earlier, unchanged func(austria.KGCode) bool) error {
	for i := range e.file.Len() {
		name := e.file.Name(i)
		k, ok := t.list.typeOf(name)
		if !ok {
			continue
		}
		s, ok := e.spares[name]
		if !ok {
			return fmt.Errorf("landscape: nothing is known of what stands behind %s", name)
		}
		body, err := e.file.Section(i)
		if err != nil {
			return err
		}
		rows, _, err := t.list.Decode(body)
		if err != nil {
			return err
		}
		if s.body != nil {
			more, _, err := t.list.Decode(s.body)
			if err != nil {
				return err
			}
			rows = append(rows, more...)
		}
		if s.cut && len(rows) > 0 {
			t.cut[k], t.last[k] = true, rows[len(rows)-1]
		}
		t.rows[k] = slices.DeleteFunc(rows, func(r Top[T]) bool { return !unchanged(r.KG) })
	}
	return nil
}

// typeOf is the type whose things a section has; false of a section of another list.
func (l *TopList[T]) typeOf(section string) (segment.Type, bool) {
	if l.kind == nil {
		return segment.Unclassified, section == l.Section(segment.Unclassified)
	}
	digits, ok := strings.CutPrefix(section, "top-"+l.Name+"-")
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 8)
	return segment.Type(n), err == nil && l.Section(segment.Type(n)) == section
}
