package catalogue

import "strings"

// header is the entry about a file.
const header = `msgid ""
msgstr ""
"Language: de\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"
`

// Write is a file with these entries, in this order; about is a comment at its top. Entries reads them again.
func Write(about string, entries []Entry) string {
	var b strings.Builder
	for line := range strings.Lines(about) {
		b.WriteString("# " + strings.TrimSpace(line) + "\n")
	}
	b.WriteString(header)
	for _, e := range entries {
		b.WriteString("\nmsgid ")
		quote(&b, e.English)
		b.WriteString("msgstr ")
		quote(&b, e.Text)
	}
	return b.String()
}

var quoting = strings.NewReplacer("\\", `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`)

// quote writes a text of one line beside its keyword, each line of another below it, as gettext's programs do.
func quote(b *strings.Builder, text string) {
	if strings.Contains(strings.TrimSuffix(text, "\n"), "\n") {
		b.WriteString("\"\"\n")
		for line := range strings.Lines(text) {
			b.WriteString(`"` + quoting.Replace(line) + "\"\n")
		}
		return
	}
	b.WriteString(`"` + quoting.Replace(text) + "\"\n")
}
