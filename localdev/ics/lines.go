package ics

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// The bounds of a file.
const (
	MaxBytes  = 16 << 20
	MaxEvents = 10000
	maxLine   = 64 << 10 // of an unfolded line
	maxDates  = 1000     // of an event, each of EXDATE and RDATE
	maxDepth  = 8        // components within components
)

// line is a content line: NAME;PARAM=VALUE;PARAM="VALUE":value.
type line struct {
	number int // of its first line in the file, from 1
	name   string
	params map[string]string
	value  string
}

// unfold joins continued lines. Lines end in CRLF or LF.
func unfold(data []byte, yield func(number int, text string) error) error {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	var text []byte
	started, number := 0, 0
	flush := func() error {
		if started == 0 || len(bytes.TrimSpace(text)) == 0 {
			return nil
		}
		if !utf8.Valid(text) {
			return fmt.Errorf("line %d is not UTF-8", started)
		}
		return yield(started, string(text))
	}
	for raw := range bytes.Lines(data) {
		number++
		raw = bytes.TrimRight(raw, "\r\n")
		if len(raw) > 0 && (raw[0] == ' ' || raw[0] == '\t') && started > 0 {
			text = append(text, raw[1:]...)
		} else {
			if err := flush(); err != nil {
				return err
			}
			text, started = append(text[:0], raw...), number
		}
		if len(text) > maxLine {
			return fmt.Errorf("line %d is longer than %d bytes", started, maxLine)
		}
	}
	return flush()
}

// parseLine splits a content line. Names are upper case in the result; a quoted parameter may hold ; and :.
func parseLine(number int, text string) (line, error) {
	l := line{number: number, params: map[string]string{}}
	i := strings.IndexAny(text, ";:")
	if i <= 0 {
		return l, fmt.Errorf("line %d: expected NAME:VALUE, got %.60q", number, text)
	}
	l.name = strings.ToUpper(text[:i])
	for text[i] == ';' {
		name, rest, ok := strings.Cut(text[i+1:], "=")
		if !ok || name == "" || strings.ContainsAny(name, `;:"`) {
			return l, fmt.Errorf("line %d: expected ;PARAMETER=VALUE, got %.60q", number, text[i:])
		}
		value, rest, ok := paramValue(rest)
		if !ok {
			return l, fmt.Errorf("line %d: parameter %.60s does not end", number, name)
		}
		l.params[strings.ToUpper(name)] = value
		text, i = rest, 0
	}
	l.value = text[i+1:]
	return l, nil
}

// paramValue reads a parameter's value; rest begins with ; or :.
func paramValue(s string) (value, rest string, ok bool) {
	if quoted, found := strings.CutPrefix(s, `"`); found {
		value, rest, ok = strings.Cut(quoted, `"`)
		return value, rest, ok && rest != "" && (rest[0] == ';' || rest[0] == ':')
	}
	i := strings.IndexAny(s, ";:")
	if i < 0 {
		return "", "", false
	}
	return s[:i], s[i:], true
}

// plainText undoes the escapes of a TEXT value.
var plainText = strings.NewReplacer(`\\`, `\`, `\;`, ";", `\,`, ",", `\n`, " ", `\N`, " ")
