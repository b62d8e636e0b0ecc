package font

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mappe/infra/oracles"
)

// shapeWords are 10,000 words, or what may stand for words, in English and German letters with the
// punctuation, capitals and ligatures of a book.
func shapeWords() []string {
	parts := strings.Fields(`auf ein haus stadt land fluss wasser feld wort schiff fahrt licht ver lieb te ung heit keit berg off ice fl at
		fi eld af fix effi cient waffl e ton ing ed the th ere Wh at T o V A W Y ff ffi ffl ft tt ct st sp ä ö ü ß é è ñ ç ø œ æ Qu J gy
		jy py fä fö fü fb fh fj fk tz ch ck mann stück werk zeug bild schön größe Über Äpfel Öl Übung LT AV To Va We Yo P. T. r, v. w, y.`)
	marks := [][2]string{{"", ""}, {"", ","}, {"", "."}, {"“", "”"}, {"„", "“"}, {"»", "«"}, {"(", ")"}, {"‘", "’"}, {"", "’s"}, {"", "—"},
		{"–", ""}, {"", "!"}, {"", "?”"}}
	seen := map[string]bool{}
	var out []string
	for i := 0; len(out) < 10_000; i++ {
		w := parts[i%len(parts)] + parts[i*7/3%len(parts)]
		if i%3 > 0 {
			w += parts[i*31/5%len(parts)]
		}
		switch i % 7 {
		case 1:
			w = strings.ToUpper(w[:1]) + w[1:]
		case 2:
			w = strings.ToUpper(w)
		case 3:
			w += strconv.Itoa(i * 13 % 4000)
		}
		m := marks[i%len(marks)]
		if w = m[0] + w + m[1]; !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

// Glyphs, clusters, advances and offsets are those of HarfBuzz.
func TestLikeHarfBuzz(t *testing.T) {
	program := oracles.Program(t, "hb-shape")
	words := shapeWords()
	if raced {
		words = words[:1000]
	}
	dir := t.TempDir()
	list := filepath.Join(dir, "words.txt")
	if err := os.WriteFile(list, []byte(strings.Join(words, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, f := range all(t) {
		b, err := File(f.Face, f.Style)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "font.otf")
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name     string
			args     []string
			features Features
		}{
			{"plain", nil, Features{}},
			{"old style figures", []string{"--features=onum"}, Features{OldStyle: true}},
		} {
			cmd := exec.Command(program, append([]string{"--no-glyph-names", "--utf8-clusters", "--script=latn", "--direction=ltr",
				"--language=en", "--font-file=" + file, "--text-file=" + list}, c.args...)...)
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			c.features.Language = "en"
			differ := 0
			lines := bytes.Split(bytes.TrimRight(out, "\n"), []byte("\n"))
			if len(lines) != len(words) {
				t.Fatalf("%s %s: %d lines of %d", f.Name(), c.name, len(lines), len(words))
			}
			batch := f.ShapeAll(words, c.features)
			for i, w := range words {
				single := f.Shape(nil, w, c.features)
				if !slices.Equal(single, batch[i]) {
					t.Errorf("%s %s: %s is shaped otherwise among others", f.Name(), c.name, w)
				}
				if got, want := show(single), string(lines[i]); got != want {
					if differ++; differ <= 3 {
						t.Logf("%s %s: %s\n got %s\nwant %s", f.Name(), c.name, w, got, want)
					}
				}
			}
			if differ > 0 {
				t.Errorf("%s %s: %d of %d words differ", f.Name(), c.name, differ, len(words))
			}
		}
	}
}

// show writes glyphs as hb-shape does: [glyph=cluster@dx,dy+advance|…].
func show(gs []Glyph) string {
	var b strings.Builder
	for i, g := range gs {
		if i > 0 {
			b.WriteByte('|')
		}
		fmt.Fprintf(&b, "%d=%d", g.ID, g.Cluster)
		if g.DX != 0 || g.DY != 0 {
			fmt.Fprintf(&b, "@%d,%d", g.DX, g.DY)
		}
		fmt.Fprintf(&b, "+%d", g.Advance)
	}
	return "[" + b.String() + "]"
}
