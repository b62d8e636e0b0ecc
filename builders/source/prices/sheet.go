package prices

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"mappe/builders/source/table"
	"mappe/shared/landprice"
)

// A sheet of the statistics office is one state's table of a workbook, exported as CSV with comma or semicolon.
// Titles may stand above the header and notes below the rows. The header is the first line with a cell for the
// code ("Gemeindekennziffer", "Bezirkscode", "GKZ") and one with "EUR" or "€":
//
//	Bezirk         Gemeindekennziffer  Gemeinde   EUR/m²
//	Salzburg-Umg.  50301               Anif       "1,043"
//	               50302               Anthering  412
//
//	Bezirkscode  Bezirk         bis 1960 EUR/m²  1961-1990 EUR/m²  ab 1991 EUR/m²
//	503          Salzburg-Umg.  3,120            3,410             "4,005"
//
// The district's name stands once above its municipalities and is not needed: the code tells it. Rows without a
// code are titles of districts, sums and notes. A cell of "-", ".", "x", "n.v." or none is a value that is not
// published.
func (g *gatherer) sheet(name string, b []byte) error {
	kind, year, state, ok := sheetName(name)
	if !ok {
		return fmt.Errorf("%s: expected the name of a sheet, <kind>-<year>-<state>.csv, for example baugrund-2024-5.csv", name)
	}
	s := sheet{g: g, name: name, kind: kind, year: year, state: state}
	in := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(b, []byte("\ufeff"))))
	in.FieldsPerRecord, in.LazyQuotes, in.ReuseRecord = -1, true, true
	if bytes.Count(b, []byte(";")) > bytes.Count(b, []byte(",")) {
		in.Comma = ';'
	}
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		line, _ := in.FieldPos(0)
		if err != nil {
			var bad *csv.ParseError
			if !errors.As(err, &bad) {
				return fmt.Errorf("%s: %w", name, err)
			}
			g.problems.Add(table.Problem{File: name, Line: bad.Line, Expected: "a row of a CSV file"})
			continue
		}
		if s.prices == nil {
			s.header(cells)
		} else {
			s.row(line, cells)
		}
	}
	if s.prices == nil {
		return fmt.Errorf("%s: no header: expected a line with a cell for the code and one with EUR", name)
	}
	return nil
}

// sheet is a sheet being read.
type sheet struct {
	g      *gatherer
	name   string
	kind   landprice.SeriesKind
	year   int
	state  string
	code   int      // column of the code
	prices []priced // nil until the header was met
}

// priced is a column of prices.
type priced struct {
	at   int
	kind landprice.SeriesKind
}

// header takes the line where it is the header.
func (s *sheet) header(cells []string) {
	s.code = -1
	var found []priced
	for i, c := range cells {
		c = strings.ToLower(c)
		switch {
		case s.code < 0 && (strings.Contains(c, "kennziffer") || strings.Contains(c, "code") || strings.TrimSpace(c) == "gkz"):
			s.code = i
		case strings.Contains(c, "eur") || strings.Contains(c, "€"):
			if k := s.kindOf(c); k != landprice.KindUnknown {
				found = append(found, priced{i, k})
			}
		}
	}
	if s.code >= 0 && len(found) > 0 {
		s.prices = found
	}
}

// kindOf is the kind of a column: of houses and flats the construction period stands in its title.
func (s *sheet) kindOf(title string) landprice.SeriesKind {
	if s.kind != landprice.House && s.kind != landprice.Flat {
		return s.kind
	}
	step := landprice.SeriesKind(0)
	switch has := func(t string) bool { return strings.Contains(title, t) }; {
	case (has("1960") || has("1961")) && has("1990"):
		step = landprice.House1960To1990 - landprice.House
	case has("1960"):
		step = landprice.HousePre1960 - landprice.House
	case has("1990"), has("1991"):
		step = landprice.HousePost1991 - landprice.House
	}
	return s.kind + step
}

// unpublished are cells of values that are not published.
var unpublished = map[string]bool{"": true, "-": true, "–": true, ".": true, "x": true, "n.v.": true, "k.a.": true}

func (s *sheet) row(line int, cells []string) {
	if s.code >= len(cells) {
		return
	}
	text := strings.TrimSpace(cells[s.code])
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return // a title, a sum or a note
	}
	c := cell{level: landprice.Gemeinde, year: s.year}
	if len(text) == 3 {
		c.level = landprice.Bezirk
	}
	bad := func(value, expected string) {
		s.g.problems.Add(table.Problem{File: s.name, Line: line, Value: value, Expected: expected})
	}
	var ok bool
	if c.code, ok = parseCode(c.level, text); !ok || !strings.HasPrefix(c.code, s.state) {
		bad(text, "the code of a municipality (5 digits) or a district (3 digits) of state "+s.state)
		return
	}
	for _, p := range s.prices {
		if p.at >= len(cells) || unpublished[strings.ToLower(strings.TrimSpace(cells[p.at]))] {
			continue
		}
		eur, ok := sheetNumber(cells[p.at])
		if !ok {
			bad(cells[p.at], "a price in EUR: 9369, 9,369, 245.7 or 245,7")
			continue
		}
		c.kind = p.kind
		if wrong := s.g.add(c, eur); wrong != "" {
			bad(cells[p.at], wrong)
		}
	}
}
