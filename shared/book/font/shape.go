package font

import (
	"strings"
	"unicode"

	"github.com/boxesandglue/textshape/ot"
)

// Features are what text asks of a font beside its kerning and standard ligatures.
type Features struct {
	SmallCaps   bool // lower case as small capitals
	AllSmall    bool // capitals as small capitals too
	OldStyle    bool // figures with ascenders and descenders
	Superscript bool // figures and letters drawn for it, where the font has them
	Plain       bool // no ligatures: each character is a glyph of its own
	Language    string
}

// Glyph is a shaped glyph. Offsets move it from where the glyphs before have led; DY grows upwards.
type Glyph struct {
	ID      uint16
	Cluster int // byte offset in the text of the first character it stands for
	Advance int32
	DX, DY  int32
}

// shaper shapes one text at a time.
type shaper struct {
	s   *ot.Shaper
	buf *ot.Buffer
}

func newShaper(face *ot.Face) (*shaper, error) {
	s, err := ot.NewShaperFromFace(face)
	if err != nil {
		return nil, err
	}
	return &shaper{s: s, buf: ot.NewBuffer()}, nil
}

var (
	tagSmallCaps = ot.MakeTag('s', 'm', 'c', 'p')
	tagAllSmall  = ot.MakeTag('c', '2', 's', 'c')
	tagOldStyle  = ot.MakeTag('o', 'n', 'u', 'm')
	tagSups      = ot.MakeTag('s', 'u', 'p', 's')
	tagLiga      = ot.MakeTag('l', 'i', 'g', 'a')
	tagClig      = ot.MakeTag('c', 'l', 'i', 'g')
)

// list gives the features in the shaping library's form.
func (f Features) list() []ot.Feature {
	var out []ot.Feature
	for _, x := range []struct {
		on  bool
		tag ot.Tag
	}{{f.SmallCaps || f.AllSmall, tagSmallCaps}, {f.AllSmall, tagAllSmall}, {f.OldStyle, tagOldStyle}, {f.Superscript, tagSups}} {
		if x.on {
			out = append(out, ot.NewFeatureOn(x.tag))
		}
	}
	if f.Plain {
		out = append(out, ot.NewFeatureOff(tagLiga), ot.NewFeatureOff(tagClig))
	}
	return out
}

// Shape appends the glyphs of a text of one script, from left to right, to dst. Characters the font does
// not have become glyph 0. Each call shapes on its own: nothing kerns with what stands before or behind.
func (f *Font) Shape(dst []Glyph, text string, features Features) []Glyph {
	if text == "" {
		return dst
	}
	s := f.shapers.Get().(*shaper)
	defer f.shapers.Put(s)
	s.buf.Reset()
	s.buf.AddString(text)
	s.buf.Direction = ot.DirectionLTR
	if tags := ot.LanguageToTag(features.Language); features.Language != "" && len(tags) > 0 {
		s.buf.Language, s.buf.LanguageCandidates = tags[0], tags
	}
	s.buf.GuessSegmentProperties()
	s.s.Shape(s.buf, features.list())

	start := len(dst)
	// The library counts clusters in characters; callers cut strings by bytes.
	at, char := 0, 0
	offset := func(cluster int) int {
		if cluster < char {
			at, char = 0, 0
		}
		for ; char < cluster; char++ {
			at += runeLen(text[at:])
		}
		return at
	}
	for i, g := range s.buf.Info {
		p := s.buf.Pos[i]
		dst = append(dst, Glyph{
			ID: uint16(g.GlyphID), Cluster: offset(g.Cluster),
			Advance: int32(p.XAdvance), DX: int32(p.XOffset), DY: int32(p.YOffset),
		})
	}
	if f.Face == Libertine && f.Style == Italic && !features.Plain {
		dst = append(dst[:start], f.shortLigatures(dst[start:])...)
	}
	return dst
}

// Glyphs of Linux Libertine Italic: f, the f that makes way for what follows, and the ff that does.
const (
	italicF       = 71
	italicShortF  = 2249
	italicShortFF = 2250
)

// shortLigatures mends what the library does before ligatures and HarfBuzz behind them: two f in front of
// a letter they would touch are one glyph.
func (f *Font) shortLigatures(gs []Glyph) []Glyph {
	out := gs[:0]
	for _, g := range gs {
		if n := len(out); n > 0 && g.ID == italicShortF && out[n-1].ID == italicF {
			out[n-1].ID, out[n-1].Advance = italicShortFF, f.Advance(italicShortFF)
			continue
		}
		out = append(out, g)
	}
	return out
}

// separator is a character no font has: between words it keeps them from kerning with each other.
const separator = "\U000F0000"

// ShapeAll shapes many words at once, each as Shape would alone, several times faster: most of what Shape
// costs is the same for every call.
func (f *Font) ShapeAll(words []string, features Features) [][]Glyph {
	out := make([][]Glyph, len(words))
	for len(words) > 0 {
		n := min(len(words), 64)
		f.shapeBatch(out[len(out)-len(words):][:n], words[:n], features)
		words = words[n:]
	}
	return out
}

func (f *Font) shapeBatch(out [][]Glyph, words []string, features Features) {
	all := f.Shape(nil, strings.Join(words, separator), features)
	start, at := 0, 0 // byte of the word in the joined text, glyph it begins at
	for i, w := range words {
		end := start + len(w)
		k := at
		for ; k < len(all) && all[k].Cluster < end; k++ {
			all[k].Cluster -= start
		}
		if at < k && all[at].Cluster < 0 || i < len(words)-1 && (k == len(all) || all[k].Cluster != end) {
			// A word that begins with a mark: it stands on the separator.
			for i, w := range words {
				out[i] = f.Shape(nil, w, features)
			}
			return
		}
		out[i] = all[at:k:k]
		start, at = end+len(separator), k+1
	}
}

func runeLen(s string) int {
	for i := range s {
		if i > 0 {
			return i
		}
	}
	return len(s)
}

// Missing gives the characters of a text that the font has no glyph for, each once, in order.
func (f *Font) Missing(text string) []rune {
	var out []rune
	for _, c := range text {
		if !f.Has(c) && !Invisible(c) && !strings.ContainsRune(string(out), c) {
			out = append(out, c)
		}
	}
	return out
}

// Invisible says whether a character needs no glyph: joiners (U+034F stands in normalized text behind 30
// accents), soft hyphens, marks of direction, variation selectors, line ends.
func Invisible(c rune) bool {
	return c < 0x20 || c == 0x34f || c == 0x2028 || c == 0x2029 || unicode.In(c, unicode.Cf, unicode.Variation_Selector)
}
