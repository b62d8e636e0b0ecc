package source_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math"
	"strings"
	"testing"

	. "mappe/infra/readertest"
	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/exif"
	"mappe/shared/book/reader/source"
)

func code(err error) string {
	var r source.Refused
	errors.As(err, &r)
	return r.Code
}

func TestArchiveKeepsWithinItsLimits(t *testing.T) {
	l := source.Default()
	l.Part, l.Total, l.Entries = 1000, 2500, 5
	a, err := source.OpenArchive(Zip(Part{Name: "a", Body: strings.Repeat("x", 900)}, Part{Name: `B\c`, Body: strings.Repeat("y", 900)},
		Part{Name: "d", Body: strings.Repeat("z", 900)}, Part{Name: "e", Body: strings.Repeat("z", 1001)}, Part{Name: "A", Body: "twice"}),
		l)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		size int
		code string
	}{{"/A", 900, ""}, {"b/C", 900, ""}, {"missing", 0, ""}, {"e", 0, source.TooLarge}, {"d", 0, source.TooLarge}} {
		b, err := a.Part(c.name)
		if len(b) != c.size || code(err) != c.code {
			t.Errorf("%s: %d bytes, %v; want %d, %q", c.name, len(b), err, c.size, c.code)
		}
	}
	var six []Part
	for _, n := range strings.Split("abcdef", "") {
		six = append(six, Part{Name: n})
	}
	if _, err := source.OpenArchive(Zip(six...), l); code(err) != source.TooComplex {
		t.Errorf("six parts where five may be: %v", err)
	}
}

// grayAlphaPNG is a PNG of one grey, half transparent.
func grayAlphaPNG(width, height int) []byte {
	out := []byte("\x89PNG\r\n\x1a\n")
	chunk := func(kind string, body []byte) {
		out = binary.BigEndian.AppendUint32(out, uint32(len(body)))
		out = append(append(out, kind...), body...)
		out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[len(out)-len(body)-4:]))
	}
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(width)), uint32(height))
	chunk("IHDR", append(head, 8, 4, 0, 0, 0))
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	for range height {
		z.Write(append([]byte{0}, bytes.Repeat([]byte{0x80}, 2*width)...))
	}
	z.Close()
	chunk("IDAT", packed.Bytes())
	chunk("IEND", nil)
	return out
}

func TestPictures(t *testing.T) {
	draw := func(m image.Image, jpg bool) []byte {
		var b bytes.Buffer
		if jpg {
			jpeg.Encode(&b, m, nil)
		} else {
			png.Encode(&b, m)
		}
		return b.Bytes()
	}
	gray, colour := image.NewGray(image.Rect(0, 0, 8, 6)), image.NewRGBA(image.Rect(0, 0, 8, 6))
	palette := image.NewPaletted(image.Rect(0, 0, 8, 6), color.Palette{color.Gray{0}, color.Gray{255}})
	clear := image.NewNRGBA(image.Rect(0, 0, 8, 6))
	noise := image.NewRGBA(image.Rect(0, 0, 8, 6))
	for i := range noise.Pix {
		noise.Pix[i] = byte(i*i*7) | 3
	}
	// spoilt is a picture with a whole header and end, whose samples are not those that were written.
	spoilt := func(b []byte) []byte {
		for i := len(b) - 60; i < len(b)-20; i++ {
			b[i] = 0xff
		}
		return b
	}
	var spoiltGIF bytes.Buffer
	gif.Encode(&spoiltGIF, noise, nil)
	// Go writes no greys with transparency: these are put together by hand.
	grayAlpha := grayAlphaPNG(8, 6)
	l := source.Default()
	l.Pixels, l.Side = 100, 20
	for name, c := range map[string]struct {
		b           []byte
		media, says string
		gray        bool
	}{
		"grey PNG":    {draw(gray, false), "image/png", "", true},
		"colour PNG":  {draw(colour, false), "image/png", "", false},
		"with alpha":  {draw(clear, false), "image/png", "", false},
		"grey alpha":  {grayAlpha, "image/png", "", true},
		"palette":     {draw(palette, false), "image/png", "", true},
		"grey JPEG":   {draw(gray, true), "image/jpeg", "", true},
		"colour JPEG": {draw(colour, true), "image/jpeg", "", false},
		"cut PNG":     {draw(colour, false)[:60], "", "cut off", false},
		"cut JPEG":    {draw(colour, true)[:580], "", "cut off", false},
		"too many":    {draw(image.NewGray(image.Rect(0, 0, 11, 11)), false), "", "larger", false},
		"too wide":    {draw(image.NewGray(image.Rect(0, 0, 21, 1)), false), "", "larger", false},
		"EMF":         {append([]byte("\x01\x00\x00\x00"+strings.Repeat("x", 36)), " EMF"...), "", "EMF", false},
		"WMF":         {[]byte("\xd7\xcd\xc6\x9a"), "", "WMF", false},
		"TIFF":        {[]byte("II*\x00aaaa"), "", "TIFF", false},
		"SVG":         {[]byte("<?xml version='1.0'?><svg/>"), "", "SVG", false},
		"broken":      {[]byte("what"), "", "broken", false},
		"spoilt PNG":  {spoilt(draw(noise, false)), "", "broken", false},
		"spoilt JPEG": {spoilt(draw(noise, true)), "", "broken", false},
		"spoilt GIF":  {spoiltGIF.Bytes()[:spoiltGIF.Len()-40], "", "broken", false},
		"whole noise": {draw(noise, true), "image/jpeg", "", false},
	} {
		m, fault := source.Picture(c.b, l)
		if m.MediaType != c.media || !strings.Contains(fault, c.says) || (fault == "") != (c.says == "") || m.Gray != c.gray {
			t.Errorf("%s: %s gray %v %q", name, m.MediaType, m.Gray, fault)
		}
	}
	p, loads := source.NewPictures(l), 0
	load := func() ([]byte, error) { loads++; return draw(gray, false), nil }
	one, _ := p.Add("media/a.png", load)
	two, _ := p.Add("media/a.png", load)
	if one != 0 || two != 0 || loads != 1 || p.Images[0].Name != "a.png" || p.Images[0].Width != 8 {
		t.Errorf("a picture twice: %d %d, loaded %d times, %+v", one, two, loads, p.Images[0].Name)
	}
}

// TestPicturesStandUpright: whatever sets a book does not look at EXIF data.
func TestPicturesStandUpright(t *testing.T) {
	m, fault := source.Picture([]byte(LyingJPEG(40, 24)), source.Default())
	if fault != "" || m.Width != 24 || m.Height != 40 || !m.Gray {
		t.Fatalf("%d by %d, grey %v, %q; want 24 by 40", m.Width, m.Height, m.Gray, fault)
	}
	c, err := jpeg.DecodeConfig(bytes.NewReader(m.Bytes))
	if err != nil || c.Width != m.Width || c.Height != m.Height {
		t.Errorf("bytes of %d by %d (%v)", c.Width, c.Height, err)
	}
}

// TestPosesAreBounded: a picture is written anew once per pose, and a file cannot ask for it without end.
func TestPosesAreBounded(t *testing.T) {
	l := source.Default()
	l.Pixels = 1000
	p, loads := source.NewPictures(l), 0
	load := func() ([]byte, error) { loads++; return []byte(PNG(30, 20)), nil }
	one, _ := p.AddPosed("a.png", exif.Pose{Quarters: 1}, load)
	two, _ := p.AddPosed("a.png", exif.Pose{Quarters: 1}, load)
	three, _ := p.Add("a.png", load)
	if one != 0 || two != 0 || three != 1 || loads != 2 || p.Images[0].Height != 30 || p.Images[1].Height != 20 {
		t.Errorf("%d %d %d, loaded %d times", one, two, three, loads)
	}
	set := 0
	for n := range 1000 {
		at, fault := p.AddPosed("a.png", exif.Pose{Left: n + 1}, load)
		if (at < 0) != (fault != "") {
			t.Fatalf("%d %q", at, fault)
		}
		if at >= 0 {
			set++
		}
	}
	if set < 50 || set > 100 {
		t.Errorf("%d pictures of 600 pixels are read, where 50 000 pixels may be", set)
	}
	if at, fault := p.Add("b.png", load); at >= 0 || !strings.Contains(fault, "megapixels together") {
		t.Errorf("one more picture: %d %q", at, fault)
	}
}

// TestMillimetres: a picture is as large as the density it states says.
func TestMillimetres(t *testing.T) {
	dense := []byte(PNG(300, 150))
	chunk := []byte("pHYs\x00\x00\x2e\x23\x00\x00\x2e\x23\x01") // 11811 a metre
	chunk = binary.BigEndian.AppendUint32(append([]byte{0, 0, 0, 9}, chunk...), crc32.ChecksumIEEE(chunk))
	dense = append(dense[:33:33], append(chunk, dense[33:]...)...)
	var b bytes.Buffer
	jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 96, 48)), nil)
	jfif := func(unit byte, n byte) []byte {
		return append([]byte("\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01"+string([]byte{unit, 0, n, 0, n, 0, 0})), b.Bytes()[2:]...)
	}
	for name, c := range map[string]struct {
		b             []byte
		width, height float64
	}{
		"PNG":             {[]byte(PNG(96, 48)), 25.4, 12.7},
		"dense PNG":       {dense, 25.4, 12.7},
		"JPEG":            {b.Bytes(), 25.4, 12.7},
		"JPEG by inch":    {jfif(1, 192), 12.7, 6.35},
		"JPEG by cm":      {jfif(2, 96), 10, 5},
		"JPEG, ratio":     {jfif(0, 1), 25.4, 12.7},
		"JPEG of nothing": {jfif(1, 0), 25.4, 12.7},
		"no picture":      {[]byte("what"), 0, 0},
	} {
		w, h := source.Millimetres(c.b)
		if math.Abs(w-c.width) > 0.01 || math.Abs(h-c.height) > 0.01 {
			t.Errorf("%s: %.2f by %.2f, want %.2f by %.2f", name, w, h, c.width, c.height)
		}
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain":              "plain",
		"a\x00b\x1fc":        "abc",
		"a\tb":               "a\tb",
		"a\r\nb":             "a  b",
		"u\u0308":            "ü",
		"\u0085\u2028":       "",
		"\u00ad\u200b\u00a0": "\u00ad\u200b\u00a0",
		"a\xffb":             "a\ufffdb",
	} {
		if got := source.Clean(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestInlinesJoinWhatLooksTheSame(t *testing.T) {
	var b source.Inlines
	b.Text("a", 0, "")
	b.Text("u", 0, "")
	b.Text("\u0308", 0, "")
	b.Text("i", manuscript.Italic, "")
	b.Link("#x")
	b.Text("l", 0, "")
	if got := b.Tail(3); got != "ü" && got != "il" && !strings.HasSuffix(got, "l") {
		t.Errorf("tail %q", got)
	}
	b.Link("")
	b.Link("#y")
	b.Text("", 0, "")
	in := b.Take()
	if len(in) != 3 || in[0] != (manuscript.Text{S: "aü"}) || in[1] != (manuscript.Text{S: "i", Style: manuscript.Italic}) {
		t.Errorf("got %+v", in)
	}
	if l := in[2].(manuscript.Link); l.Href != "#x" || manuscript.Line(in) != "aüil" {
		t.Errorf("got %+v", l)
	}
}

func TestLanguages(t *testing.T) {
	for in, want := range map[string]string{"de_at": "de-AT", "EN": "en", "zh-hant-tw": "zh-Hant-TW", "x-none": "", "de-1901": "de-1901",
		"": "", "und": "", "e n": "", "german": ""} {
		if got := source.Tag(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	l := source.Languages{}
	l.Count("en-US", "aaaa")
	l.Count("de-DE", "aaa")
	l.Count("de-AT", "aaaaa 123 !!!")
	l.Count("fr", "123456789")
	if got := l.Main(); got != "de-AT" {
		t.Errorf("main language %q, want de-AT", got)
	}
	if source.Differs("de-DE", "de-AT") != "" || source.Differs("fr-FR", "de-AT") != "fr-FR" || source.Differs("x-none", "de") != "" {
		t.Error("languages that differ")
	}
}

func TestLogCountsWhatItDoesNotTell(t *testing.T) {
	l := source.Default()
	l.Findings = 2
	g := source.NewLog(l)
	for range 5 {
		g.Add(finding.Comment, manuscript.Place{}, "  a \n b ", strings.Repeat("long ", 100))
		g.Add(finding.HiddenText, manuscript.Place{}, "x", "")
	}
	if len(g.Found) != 4 || g.Found[2].Count != 4 || g.Found[3].Count != 4 || g.Found[0].Excerpt != "a b" {
		t.Errorf("got %+v", g.Found)
	}
}
