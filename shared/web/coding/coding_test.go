package coding

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"compress/gzip" // another decoder than the encoder's

	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"mappe/infra/oracles"
)

func TestAccepted(t *testing.T) {
	for sent, want := range map[string]Coding{
		"":                               Identity,
		"gzip":                           Gzip,
		"x-gzip":                         Gzip,
		"zstd":                           Zstd,
		"gzip, deflate, br, zstd":        Zstd, // Chromium, Firefox
		"gzip, deflate, br":              Gzip, // Safari
		"*":                              Gzip,
		"*;q=0":                          Identity,
		"zstd;q=0, gzip":                 Gzip,
		"zstd;q=0.5, gzip":               Gzip,
		"zstd;q=0.5, gzip;q=0.5":         Zstd,
		"identity, gzip;q=0.5, zstd;q=0": Identity,
		"identity;q=0.5, gzip;q=0.6":     Gzip,
		"gzip;q=0":                       Identity,
		"gzip;q=2":                       Gzip, // what is no quality is 1
		"br, deflate":                    Identity,
		"GZIP; Q=0.3":                    Gzip,
		"br, gzip;q=0.5":                 Gzip,
		"gzip;q=0, *":                    Identity,
		"gzip;q=0.1, identity":           Identity,
		"identity, gzip":                 Gzip,
		"identity;q=0.5, *;q=0.2":        Identity,
		"x-gzip;q=0, gzip":               Gzip,
	} {
		h := http.Header{}
		if sent != "" {
			h.Set("Accept-Encoding", sent)
		}
		if got := Accepted(h); got != want {
			t.Errorf("%q: want %v, got %v", sent, want, got)
		}
	}
	h := http.Header{"Accept-Encoding": {"gzip;q=0.5", "zstd"}}
	if got := Accepted(h); got != Zstd {
		t.Errorf("two lines: got %v", got)
	}
}

func unpack(t *rapid.T, c Coding, b []byte) []byte {
	var r io.Reader
	var err error
	if c == Gzip {
		r, err = gzip.NewReader(bytes.NewReader(b))
	} else {
		r, err = zstd.NewReader(bytes.NewReader(b), zstd.WithDecoderMaxWindow(window))
	}
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// sample is a body of n bytes that compresses about as rows do.
func sample(n int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	var b bytes.Buffer
	for b.Len() < n {
		b.WriteString(`{"parcel_id":"01004-`)
		for range 3 {
			b.WriteByte(byte('0' + r.IntN(10)))
		}
		b.WriteString(`","coordinates":[[16.3`)
		for range 12 {
			b.WriteByte(byte('0' + r.IntN(10)))
		}
		b.WriteString("]]}\n")
	}
	return b.Bytes()[:n]
}

// Whatever the pieces are, the stream gives the body back, one after another from the same memory.
func TestStreamsAreRead(t *testing.T) {
	longest := sample(5*block+7, 2)
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom([]Coding{Gzip, Zstd}).Draw(t, "coding")
		body := longest[:rapid.SampledFrom([]int{0, 1, 1000, reach, block - 1, block, block + 1, len(longest)}).Draw(t, "size")]
		var out bytes.Buffer
		z := c.NewWriter(&out, rapid.Bool().Draw(t, "large"))
		for rest := body; len(rest) > 0; {
			n := min(len(rest), rapid.IntRange(1, 2*block).Draw(t, "piece"))
			piece := bytes.Clone(rest[:n])
			if got, err := z.Write(piece); got != n || err != nil {
				t.Fatalf("%d bytes taken, %v", got, err)
			}
			clear(piece) // the caller's memory is its own again
			rest = rest[n:]
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(unpack(t, c, out.Bytes()), body) {
			t.Fatalf("%v of %d bytes: another body came back", c, len(body))
		}
	})
}

// gzip(1) reads what several processors wrote, and checks its sum and size.
func TestGzipsProgramReadsIt(t *testing.T) {
	program := oracles.Program(t, "gzip")
	body := sample(5<<20, 7)
	var out bytes.Buffer
	z := Gzip.NewWriter(&out, true)
	z.Write(body)
	z.Close()
	cmd := exec.Command(program, "-dc")
	cmd.Stdin = &out
	got, err := cmd.Output()
	if err != nil || !bytes.Equal(got, body) {
		t.Errorf("gzip -dc: %d bytes, %v", len(got), err)
	}
}

type failing struct{ after int }

func (f *failing) Write(p []byte) (int, error) {
	if f.after -= len(p); f.after < 0 {
		return 0, errors.New("the line is cut")
	}
	return len(p), nil
}

// A client that leaves ends the stream with the writer's error.
func TestWritersErrorsCome(t *testing.T) {
	for _, c := range []Coding{Gzip, Zstd} {
		for _, after := range []int{0, 100, 300_000} {
			z := c.NewWriter(&failing{after}, true)
			var err error
			for seed := range uint64(30) {
				if _, err = z.Write(sample(block, seed)); err != nil {
					break
				}
			}
			if err == nil {
				err = z.Close()
			}
			if err == nil || !strings.Contains(err.Error(), "cut") {
				t.Errorf("%v after %d bytes: %v", c, after, err)
			}
		}
	}
}

func BenchmarkWriter(b *testing.B) {
	body := sample(6<<20, 3)
	for _, bench := range []struct {
		name  string
		c     Coding
		large bool
	}{{"gzip", Gzip, false}, {"gzip on all processors", Gzip, true}, {"zstd", Zstd, true}} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			var out bytes.Buffer
			for b.Loop() {
				out.Reset()
				z := bench.c.NewWriter(&out, bench.large)
				for rest := body; len(rest) > 0; rest = rest[block:] {
					z.Write(rest[:block])
				}
				z.Close()
			}
			b.ReportMetric(100*float64(out.Len())/float64(len(body)), "%size")
		})
	}
}

// A stored coding is sent to those who take it, liked best or not.
func TestTakes(t *testing.T) {
	for text, want := range map[string][2]bool{ // gzip, zstd
		"":                        {false, false},
		"gzip":                    {true, false},
		"x-gzip":                  {true, false},
		"zstd, gzip;q=0.1":        {true, true},
		"br":                      {false, false},
		"*":                       {true, false},
		"*;q=0":                   {false, false},
		"gzip;q=0, *":             {false, false},
		"identity;q=1, gzip;q=.5": {true, false},
	} {
		h := http.Header{}
		if text != "" {
			h.Set("Accept-Encoding", text)
		}
		if got := [2]bool{Takes(h, Gzip), Takes(h, Zstd)}; got != want {
			t.Errorf("%q: gzip and zstd are taken: %v, want %v", text, got, want)
		}
	}
}
