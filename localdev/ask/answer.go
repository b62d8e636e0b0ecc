package ask

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
)

// Output is where an answer goes.
type Output struct {
	Out   io.Writer
	Notes io.Writer // what is to be known of the answer: how many rows there are, whom to name
	// Bytes says that Out takes any bytes: a file, and no terminal.
	Bytes bool
}

// Answer asks, and prints what comes.
func (q Question) Answer(ctx context.Context, o Output) error {
	address, err := q.address()
	if err != nil {
		return err
	}
	w := &writing{q: q, o: o, table: tabling{out: o.Out, width: q.Width}}
	for n := 1; ; n++ {
		res, err := q.send(ctx, address)
		if err != nil {
			return err
		}
		err = w.page(res, n)
		res.Body.Close()
		if err != nil {
			return err
		}
		if address, err = q.next(res); err != nil {
			return err
		}
		if !q.All || address == "" {
			return w.end(res, address != "")
		}
		if n == maxPages {
			return fmt.Errorf("the list has more than %d pages: ask for larger ones with --limit", maxPages)
		}
	}
}

// writing is an answer that is being printed.
type writing struct {
	q     Question
	o     Output
	table tabling
	last  page
	other bool // the answer is neither JSON nor a table
	csv   *csv.Writer
	head  []string // columns of a CSV that is made here
	begun bool     // the first row of a JSON list is written
}

// page prints one answer.
func (w *writing) page(res *http.Response, n int) error {
	media, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	isJSON := media == "application/json" || strings.HasSuffix(media, "+json")
	switch {
	case res.StatusCode == http.StatusNoContent:
		return nil
	case w.q.Form == CSV && media == "text/csv":
		return w.csvPage(res, n)
	case !isJSON:
		w.other = true
		if !w.o.Bytes && !strings.HasPrefix(media, "text/") {
			return fmt.Errorf("the answer is %s, which is no text: give --output FILE", plain(media))
		}
		_, err := io.Copy(w.o.Out, res.Body)
		return err
	}
	body, err := readWhole(res)
	if err != nil {
		return err
	}
	switch w.q.Form {
	case JSON:
		return w.jsonPage(body)
	case CSV:
		return w.madeCSV(body)
	}
	if w.last, err = readPage(body); err != nil {
		return err
	}
	return w.table.add(w.last.rows)
}

func readWhole(res *http.Response) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(res.Body, maxRead+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("the answer ended before its end: %w", err)
	case len(body) > maxRead:
		return nil, fmt.Errorf("the answer is larger than %d bytes: ask for less with --limit, or for --csv", maxRead)
	}
	return body, nil
}

// jsonPage prints an answer as it is, indented; of a walk the rows alone, as one array.
func (w *writing) jsonPage(body []byte) error {
	if !w.q.All {
		var b bytes.Buffer
		if err := json.Indent(&b, body, "", "  "); err != nil {
			return fmt.Errorf("the answer is no JSON: %w", err)
		}
		_, err := w.o.Out.Write(append(bytes.TrimSpace(b.Bytes()), '\n'))
		return err
	}
	whole, err := readObject(body)
	if err != nil {
		return err
	}
	raw := json.RawMessage(bytes.TrimSpace(body))
	if whole != nil {
		raw = whole.get("data")
	}
	var rows []json.RawMessage
	if raw == nil || json.Unmarshal(raw, &rows) != nil {
		return errors.New("--all is for lists, and this answer is not a list")
	}
	for _, r := range rows {
		mark := ",\n"
		if !w.begun {
			mark, w.begun = "[\n", true
		}
		if _, err := fmt.Fprintf(w.o.Out, "%s%s", mark, r); err != nil {
			return err
		}
	}
	return nil
}

// csvPage passes a table of the service on; of the pages after the first without the names of the columns.
func (w *writing) csvPage(res *http.Response, n int) error {
	if n == 1 {
		_, err := io.Copy(w.o.Out, res.Body)
		return err
	}
	body, err := readWhole(res)
	if err != nil {
		return err
	}
	rows := csv.NewReader(bytes.NewReader(body))
	rows.FieldsPerRecord = -1
	if _, err := rows.Read(); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("the table cannot be read: %w", err)
	}
	_, err = w.o.Out.Write(body[rows.InputOffset():])
	return err
}

// madeCSV makes a table of an answer whose service has none.
func (w *writing) madeCSV(body []byte) error {
	p, err := readPage(body)
	if err != nil {
		return err
	}
	if w.csv == nil {
		w.csv = csv.NewWriter(w.o.Out)
		w.csv.UseCRLF = true
		if !p.listed {
			w.head = []string{"name", "value"}
		}
		seen := map[string]bool{}
		for _, r := range p.rows {
			for _, m := range r {
				if !seen[m.name] {
					seen[m.name] = true
					w.head = append(w.head, m.name)
				}
			}
		}
		if err := w.csv.Write(w.head); err != nil {
			return err
		}
	}
	for _, r := range p.rows {
		cells := make([]string, len(w.head))
		for i, c := range w.head {
			cells[i] = guarded(cell(orNull(r.get(c))))
		}
		if err := w.csv.Write(cells); err != nil {
			return err
		}
	}
	if !p.listed {
		for _, f := range p.facts {
			if err := w.csv.Write([]string{f.name, guarded(f.text)}); err != nil {
				return err
			}
		}
	}
	w.csv.Flush()
	return w.csv.Error()
}

// guarded is a text that no spreadsheet takes for a formula, as the services write it.
func guarded(s string) string {
	if s != "" && strings.ContainsRune("=+-@", rune(s[0])) && !json.Valid([]byte(s)) {
		return "'" + s
	}
	return s
}

// end prints what stands beside the rows, and what is to be known of them.
func (w *writing) end(res *http.Response, more bool) error {
	if w.q.Form == JSON && w.q.All {
		closing := "\n]\n"
		if !w.begun {
			closing = "[]\n"
		}
		_, err := io.WriteString(w.o.Out, closing)
		return err
	}
	if w.q.Form != Table || w.other {
		return nil
	}
	if w.last.listed && w.table.rows == 0 {
		fmt.Fprintln(w.o.Notes, "no rows")
	}
	if len(w.last.facts) > 0 {
		if w.table.rows > 0 {
			fmt.Fprintln(w.o.Out)
		}
		if err := list(w.o.Out, w.last.facts, w.q.Width); err != nil {
			return err
		}
	}
	w.notes(res, more)
	return nil
}

// notes say how much of the list is shown, what it lacks, and whom to name.
func (w *writing) notes(res *http.Response, more bool) {
	if w.table.rows > 0 {
		note := fmt.Sprintf("%d rows", w.table.rows)
		if w.table.rows == 1 {
			note = "1 row"
		}
		if total := cell(orNull(w.last.meta.get("total"))); total != "" && total != fmt.Sprint(w.table.rows) {
			note = fmt.Sprintf("%d of %s rows", w.table.rows, plain(total))
		}
		if more {
			note += "; --all shows every one"
		}
		if w.table.hidden > 0 {
			note += fmt.Sprintf("; %d columns do not fit: --json or --csv has them", w.table.hidden)
		}
		fmt.Fprintln(w.o.Notes, note)
	}
	if string(w.last.meta.get("ready")) == "false" {
		fmt.Fprintln(w.o.Notes, incomplete(w.last.meta))
	}
	if who := res.Header.Get("X-Data-Attribution"); who != "" {
		fmt.Fprintln(w.o.Notes, "data: "+plain(who))
	}
}

// incomplete says which KGs an answer lacks, and whether asking again helps.
func incomplete(meta object) string {
	text := "not complete:"
	for _, list := range []struct{ name, why string }{{"kgs_warming", "are being loaded: ask again in a few seconds"},
		{"kgs_unavailable", "cannot be read here: asking again does not help"}} {
		var codes []string
		if json.Unmarshal(orNull(meta.get(list.name)), &codes) != nil || len(codes) == 0 {
			continue
		}
		n := len(codes)
		if more := 0; json.Unmarshal(orNull(meta.get(list.name+"_count")), &more) == nil {
			n = max(n, more)
		}
		named := strings.Join(codes[:min(len(codes), 5)], ", ")
		if n > 5 {
			named = fmt.Sprintf("%s and %d more", named, n-5)
		}
		text += " KG " + named + " " + list.why + ";"
	}
	return strings.TrimSuffix(text, ";")
}
