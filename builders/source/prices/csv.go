package prices

import (
	"bytes"
	"fmt"

	"mappe/builders/source/table"
	"mappe/shared/landprice"
)

// series reads a file of level, code, kind, year and EUR.
func (g *gatherer) series(name string, b []byte) error {
	price := "eur"
	header, _, _ := bytes.Cut(b, []byte("\n"))
	if bytes.Contains(bytes.ToLower(header), []byte("eur_per_sqm")) {
		price = "eur_per_sqm"
	}
	comma := byte(',')
	if bytes.Count(header, []byte(";")) > bytes.Count(header, []byte(",")) {
		comma = ';'
	}
	t, err := table.New(bytes.NewReader(b),
		table.Options{File: name, Comma: comma, Columns: []string{"level", "code", "kind", "year", price}, Problems: &g.problems})
	if err != nil {
		return err
	}
	for t.Next() {
		g.row(t)
	}
	if err := t.Err(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// row takes one row in or says what is wrong with it.
func (g *gatherer) row(t *table.Table) {
	var c cell
	var ok bool
	if c.level = landprice.ParseLevel(t.Text(0)); c.level == landprice.LevelNone {
		t.Bad(0, "gemeinde, bezirk, state, national or literature_state")
		return
	}
	if c.code, ok = parseCode(c.level, t.Text(1)); !ok {
		t.Bad(1, "the code of a "+c.level.String()+": 5 digits for gemeinde, 3 for bezirk, 1 for a state, AT for national")
		return
	}
	if c.kind = landprice.ParseSeriesKind(t.Text(2)); c.kind == landprice.KindUnknown {
		t.Bad(2, "a kind of series, for example baugrund, acker_pacht or haus_pre1960")
		return
	}
	if c.year, ok = parseYear(t.Text(3)); !ok {
		t.Bad(3, fmt.Sprintf("a year from %d to %d", landprice.FirstYear, landprice.LastYear))
		return
	}
	eur, ok := number(t.Text(4))
	if !ok {
		t.Bad(4, "a price in EUR: 9369, 9,369, 245.7 or 245,7")
		return
	}
	if wrong := g.add(c, eur); wrong != "" {
		t.Bad(4, wrong)
	}
}
