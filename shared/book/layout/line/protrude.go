package line

import "unicode/utf8"

// hang is how far a character hangs over an edge, in 1/1000 of its width: what the eye does not count as
// part of the edge. The values are those that are common for book faces.
type hang struct{ left, right int32 }

var hangs = map[rune]hang{
	'.': {0, 700}, ',': {0, 700}, ';': {0, 300}, ':': {0, 300}, '!': {0, 150}, '?': {0, 150},
	'-': {0, 600}, '‐': {0, 600}, '–': {200, 300}, '—': {150, 200}, '…': {0, 200},
	'“': {500, 400}, '”': {300, 500}, '„': {500, 0}, '‘': {600, 500}, '’': {400, 700}, '‚': {500, 0},
	'»': {250, 300}, '«': {250, 300}, '›': {350, 400}, '‹': {350, 400},
	'(': {100, 0}, ')': {0, 150}, '[': {80, 0}, ']': {0, 80}, '*': {200, 250},
	'A': {50, 50}, 'J': {40, 0}, 'T': {50, 50}, 'V': {50, 50}, 'W': {40, 40}, 'X': {40, 40}, 'Y': {60, 60},
	'F': {0, 40}, 'L': {0, 40}, 'P': {0, 40}, 'v': {40, 40}, 'w': {30, 30}, 'y': {40, 40}, 'k': {0, 30}, 'r': {0, 40}, 't': {0, 40},
	'f': {0, 30},
	'1': {60, 60}, '4': {30, 30}, '7': {40, 60},
}

// leftHang is how far a word hangs out when it begins a line.
func leftHang(st *Style, w *word) Unit {
	c, _ := utf8.DecodeRuneInString(w.text)
	h, ok := hangs[c]
	if !ok || h.left == 0 || len(w.glyphs) == 0 {
		return 0
	}
	return st.scale(st.Font.Advance(w.glyphs[0].ID) * h.left / 1000)
}

// rightHang is how far a word hangs out when it ends a line.
func rightHang(st *Style, w *word) Unit {
	c, _ := utf8.DecodeLastRuneInString(w.text)
	h, ok := hangs[c]
	if !ok || h.right == 0 || len(w.glyphs) == 0 {
		return 0
	}
	return st.scale(st.Font.Advance(w.glyphs[len(w.glyphs)-1].ID) * h.right / 1000)
}

// hyphenHang is how far a hyphen hangs out.
func hyphenHang(st *Style, width int32) Unit { return st.scale(width * hangs['-'].right / 1000) }
