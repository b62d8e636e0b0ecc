package csvin

import "testing"

// A table means the same in each encoding that spreadsheets write.
func TestEncodings(t *testing.T) {
	for name, body := range map[string]string{
		"UTF-8":                        "q;id\nGössendorf €;a\n",
		"UTF-8 with a byte-order mark": "\ufeffq;id\nGössendorf €;a\n",
		"Windows-1252":                 "q;id\nG\xf6ssendorf \x80;a\n",
		"UTF-16, the low byte first":   "\xff\xfeq\x00;\x00i\x00d\x00\n\x00G\x00\xf6\x00s\x00s\x00e\x00n\x00d\x00o\x00r\x00f\x00 \x00\xac\x20;\x00a\x00\n\x00",
		"UTF-16, the high byte first":  "\xfe\xff\x00q\x00;\x00i\x00d\x00\n\x00G\x00\xf6\x00s\x00s\x00e\x00n\x00d\x00o\x00r\x00f\x00 \x20\xac\x00;\x00a\x00\n",
	} {
		table, err := Read([]byte(body))
		if err != nil || !Is([]byte(body)) {
			t.Fatalf("%s: %v", name, err)
		}
		if row, err := table.Next(); err != nil || row.Cell(table.Column("q")) != "Gössendorf €" || row.Cell(table.Column("id")) != "a" {
			t.Errorf("%s: got %q, %v", name, row, err)
		}
	}
}
