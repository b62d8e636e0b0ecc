package docx

import (
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"
)

// Symbol fonts give letters a meaning of their own: Greek and mathematics in Symbol, pictures in Wingdings.
// Word keeps them as characters F020 to F0FF of the private area. What has no character of its own stays there: no
// face has a glyph for it, and the author is told.

func symbolFont(name string) bool {
	switch name {
	case "Symbol", "Wingdings", "Wingdings 2", "Wingdings 3", "Webdings", "Marlett", "MT Extra", "ZapfDingbats", "Zapf Dingbats":
		return true
	}
	return false
}

// symbolNumber reads the number of a character as the field SYMBOL has it, in figures or 0x..., of Windows-1252 below
// 256 (17.16.5.63).
func symbolNumber(s, font string) (rune, bool) {
	n, err := strconv.ParseUint(s, 0, 16)
	if err != nil || n < ' ' || n >= 0xd800 && n < 0xe000 {
		return 0, false
	}
	if n >= 0x80 && n < 0xa0 && !symbolFont(font) {
		return charmap.Windows1252.DecodeByte(byte(n)), true
	}
	return rune(n), true
}

// symbol is the character of a w:sym.
func symbol(font, char string) string {
	n, err := strconv.ParseUint(char, 16, 32)
	if err != nil || n == 0 || n > 0x10ffff || n >= 0xd800 && n < 0xe000 {
		return ""
	}
	return symbolRune(font, rune(n))
}

func symbolRune(font string, c rune) string {
	if c >= 0xf000 && c <= 0xf0ff {
		c -= 0xf000
	}
	private := c
	if c < 0x100 {
		private += 0xf000
	}
	switch font {
	case "Symbol":
		if s, ok := symbolTable[c]; ok {
			return string(s)
		}
	case "Wingdings":
		if s, ok := wingdings[c]; ok {
			return string(s)
		}
	default:
		if symbolFont(font) {
			break
		}
		if c < ' ' {
			return ""
		}
		return string(c)
	}
	return string(private)
}

// symbols maps the text of a run in a symbol font.
func symbols(font, s string) string {
	var b strings.Builder
	for _, c := range s {
		if c == ' ' || c == '\t' || c >= 0x100 && (c < 0xf000 || c > 0xf0ff) {
			b.WriteRune(c)
			continue
		}
		b.WriteString(symbolRune(font, c))
	}
	return b.String()
}

var symbolTable = symbolRunes()

func symbolRunes() map[rune]rune {
	m := map[rune]rune{}
	put := func(from rune, s string) {
		for _, c := range s {
			if c != '·' || from == 0xd7 {
				m[from] = c
			}
			from++
		}
	}
	put(0x21, "!∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_·αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼")
	put(0xa0, "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑")
	return m
}

var wingdings = map[rune]rune{
	0x21: '✏', 0x22: '✂', 0x28: '☎', 0x2a: '✉', 0x4a: '☺', 0x4c: '☹', 0x4e: '☠', 0x51: '✈', 0x52: '☼', 0x54: '❄', 0x58: '✠', 0x59: '✡',
	0x6c: '●', 0x6d: '❍', 0x6e: '■', 0x6f: '□', 0x71: '❑', 0x72: '❒', 0x75: '◆', 0x76: '❖', 0x77: '⬥', 0x9e: '·', 0x9f: '•', 0xa7: '▪',
	0xa8: '◻',
	0xab: '★', 0xd8: '➢', 0xdf: '←', 0xe0: '→', 0xe1: '↑', 0xe2: '↓', 0xe8: '➔', 0xef: '⇦', 0xf0: '⇨', 0xfb: '✗', 0xfc: '✓', 0xfd: '☒',
	0xfe: '☑',
}

// points says a size in half points for people.
func points(half int) string {
	s := strconv.Itoa(half / 2)
	if half%2 != 0 {
		s += ".5"
	}
	return s + " pt"
}
