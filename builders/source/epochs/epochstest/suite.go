// Package epochstest is the one contract suite of epochs.Reader. Every implementation runs it.
package epochstest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"mappe/builders/source/epochs"
	"mappe/shared/austria"
)

// Open gives a reader of a source that holds these files, by path.
type Open func(t *testing.T, files map[string]string) (epochs.Reader, error)

// Run holds an implementation to the contract.
func Run(t *testing.T, open Open) {
	for _, c := range []struct {
		name string
		run  func(t *testing.T, open Open)
	}{
		{"the snapshots of a KG are listed by date", byDate},
		{"a source without snapshots lists no snapshot", nothing},
		{"other files are passed over", otherFiles},
		{"a date that does not exist is an error that names the file", badDate},
		{"a snapshot that was listed is read whole, as often as it is opened", readTwice},
		{"a snapshot that does not exist is an error", missing},
		{"the list belongs to the caller", ownList},
		{"a cancelled context stops both", cancelled},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, open) })
	}
}

func must(t *testing.T, open Open, files map[string]string) epochs.Reader {
	t.Helper()
	r, err := open(t, files)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func list(t *testing.T, r epochs.Reader, code austria.KGCode) []epochs.File {
	t.Helper()
	files, err := r.Of(t.Context(), code)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func file(code austria.KGCode, date string) epochs.File {
	return epochs.File{Code: code, Date: date, Path: fmt.Sprintf("%s/%s-%s.geojson", epochs.Dir, code, date)}
}

// snapshots are files of two KGs; each holds its own path.
func snapshots() map[string]string {
	files := map[string]string{}
	for _, f := range []epochs.File{file("01004", "2025-10-01"), file("01004", "2024-02-29"), file("01005", "2025-04-01"),
		file("01004", "2025-04-01")} {
		files[f.Path] = f.Path
	}
	return files
}

func byDate(t *testing.T, open Open) {
	r := must(t, open, snapshots())
	for code, want := range map[austria.KGCode][]epochs.File{
		"01004": {file("01004", "2024-02-29"), file("01004", "2025-04-01"), file("01004", "2025-10-01")},
		"01005": {file("01005", "2025-04-01")},
		"01006": nil,
		"0100":  nil,
		"":      nil,
	} {
		if got := list(t, r, code); !slices.Equal(got, want) {
			t.Errorf("KG %q: want %v, got %v", code, want, got)
		}
	}
}

func nothing(t *testing.T, open Open) {
	r := must(t, open, map[string]string{"source.json": "{}"})
	if got := list(t, r, "01004"); len(got) > 0 {
		t.Errorf("got %v", got)
	}
	if in, err := r.Open(t.Context(), file("01004", "2025-10-01")); err == nil {
		in.Close()
		t.Error("a snapshot is opened")
	}
}

func otherFiles(t *testing.T, open Open) {
	files := snapshots()
	for _, name := range []string{"README.md", "01004.geojson", "1004-2025-07-01.geojson", "01004-2025-7-1.geojson",
		"01004-2025-07-01.geojson.part", "01004-2025-07-02.json", "01004-old/01004-2025-07-03.geojson", "01004-2025-07-04.geojson/part"} {
		files[epochs.Dir+"/"+name] = name
	}
	files["01004-2025-07-05.geojson"] = "beside the folder"
	if got := list(t, must(t, open, files), "01004"); len(got) != 3 {
		t.Errorf("want the 3 snapshots, got %v", got)
	}
}

// Whether the source or the KG is refused is the implementation's choice.
func badDate(t *testing.T, open Open) {
	files := snapshots()
	bad := file("01004", "2025-02-29")
	files[bad.Path] = ""
	r, err := open(t, files)
	if err == nil {
		_, err = r.Of(t.Context(), "01004")
	}
	if err == nil || !strings.Contains(err.Error(), bad.Path) {
		t.Errorf("want an error that names %s, got %v", bad.Path, err)
	}
}

func readTwice(t *testing.T, open Open) {
	r := must(t, open, snapshots())
	for _, f := range list(t, r, "01004") {
		for range 2 {
			in, err := r.Open(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(in)
			if err != nil || string(body) != f.Path {
				t.Errorf("%s: got %q, %v", f.Path, body, err)
			}
			if err := in.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func missing(t *testing.T, open Open) {
	r := must(t, open, snapshots())
	if in, err := r.Open(t.Context(), file("01004", "2020-10-01")); err == nil {
		in.Close()
		t.Error("a snapshot that does not exist is opened")
	}
}

func ownList(t *testing.T, open Open) {
	r := must(t, open, snapshots())
	first := list(t, r, "01004")
	want := slices.Clone(first)
	slices.Reverse(first)
	if got := list(t, r, "01004"); !slices.Equal(got, want) {
		t.Errorf("the list was changed by a caller: %v", got)
	}
}

func cancelled(t *testing.T, open Open) {
	r := must(t, open, snapshots())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Of(ctx, "01004"); !errors.Is(err, context.Canceled) {
		t.Errorf("listed: want %v, got %v", context.Canceled, err)
	}
	in, err := r.Open(ctx, file("01004", "2025-10-01"))
	if err == nil {
		in.Close()
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("opened: want %v, got %v", context.Canceled, err)
	}
}
