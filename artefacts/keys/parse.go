package keys

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"mappe/shared/austria"
)

// Parse reads a key; anything that String never writes is an error.
func Parse(s string) (Key, error) {
	k := parse(s)
	if k == nil || k.String() != s {
		return nil, fmt.Errorf("object key %q is not of a published kind", clip(s))
	}
	return k, nil
}

func parse(s string) Key {
	if s == "current.json" {
		return Current{}
	}
	if s == "availability.json" {
		return Availability{}
	}
	dir, rest, ok := strings.Cut(s, "/")
	if !ok {
		return nil
	}
	switch dir {
	case "manifests":
		return parseManifest(rest)
	case "register":
		if g, ok := strings.CutSuffix(rest, ".reg"); ok && isSum(g) {
			return Register{g}
		}
	case "national":
		if name, sum, ext, ok := parseKind(rest); ok {
			return National{name, sum, ext}
		}
	case "prices":
		if name, sum, ext, ok := parseKind(rest); ok {
			return Prices{name, sum, ext}
		}
	case "cells":
		return parseCells(rest)
	case "landscape":
		if code, date, sum, ok := parseDated(rest, ".parts"); ok {
			return Landscape{code, date, sum}
		}
	case "products":
		return parseProduct(rest)
	case "tables":
		return parseTable(rest)
	case "rasters":
		return parseRaster(rest)
	case "kg":
		return parseKG(rest)
	case "refused":
		if k, ok := parseKG(rest).(Snapshot); ok {
			return Refused{k}
		}
	case "latest":
		return parseLatest(rest)
	case "exports":
		return parseExport(rest)
	case "archive":
		return parseArchive(rest)
	case "digests":
		return parseDigest(rest)
	}
	return nil
}

// parseManifest reads {sum}.json and kgs-{sum}.json.
func parseManifest(s string) Key {
	if g, ok := strings.CutSuffix(s, ".json"); ok && isSum(g) {
		return Manifest{g}
	}
	if g, ok := strings.CutPrefix(strings.TrimSuffix(s, ".json"), "kgs-"); ok && isSum(g) {
		return ManifestPart{g}
	}
	return nil
}

// parseExport reads {run}/{name}.{ext}.
func parseExport(s string) Key {
	run, file, _ := strings.Cut(s, "/")
	name, ext, _ := strings.Cut(file, ".")
	if isPlain(run) && isPlain(name) && slices.Contains(ExportExts(), ext) {
		return Export{run, name, ext}
	}
	return nil
}

// parseArchive reads manifest.json, and the journals kg/{code}.json and {set}/{code}.json.
func parseArchive(s string) Key {
	if s == "manifest.json" {
		return ArchiveManifest{}
	}
	of, file, _ := strings.Cut(s, "/")
	c, err := austria.ParseKGCode(strings.TrimSuffix(file, ".json"))
	if err == nil && of == "kg" {
		return ArchiveJournal{Code: c}
	}
	if err == nil && slices.Contains(ProductSets(), of) {
		return ArchiveJournal{c, of}
	}
	return nil
}

func parseDigest(s string) Key {
	code, file, _ := strings.Cut(s, "/")
	c, err := austria.ParseKGCode(code)
	name, ok := strings.CutSuffix(file, ".json")
	if err != nil || !ok {
		return nil
	}
	if isSum(name) {
		return Digest{c, name}
	}
	if of, ok := strings.CutPrefix(name, "epoch-"); ok {
		if date, sum, ok := datedSum(of); ok {
			return Epoch{c, date, sum}
		}
	}
	return nil
}

func parseLatest(s string) Key {
	if s == "index.json" {
		return LatestIndex{}
	}
	file := s[strings.LastIndexByte(s, '/')+1:]
	code, ext, _ := strings.Cut(file, ".")
	c, err := austria.ParseKGCode(code)
	f := Form(ext)
	if err != nil || !slices.Contains(LatestForms(), f) {
		return nil
	}
	k := Latest{Code: c, Form: f}
	if _, of, ok := strings.Cut(s, "/district="); ok && (f == GeoParquet || f == CellsGeoParquet) {
		if d, err := austria.ParseDistrictCode(of[:max(strings.IndexByte(of, '/'), 0)]); err == nil {
			k.District = d
		}
	}
	return k
}

// maxPlain bounds the run and the name of an export.
const maxPlain = 100

// isPlain says whether a text is lower-case letters, digits and dashes.
func isPlain(s string) bool {
	return s != "" && len(s) <= maxPlain && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// endings of the artefacts that are named by their kind.
var endings = []string{"json", "json.gz", "pmtiles", "parts"}

func parseKind(s string) (name, sum, ext string, ok bool) {
	stem, ext, _ := strings.Cut(s, ".")
	at := strings.LastIndexByte(stem, '-')
	if at < 0 || !IsKind(stem[:at]) || !isSum(stem[at+1:]) || !slices.Contains(endings, ext) {
		return "", "", "", false
	}
	return stem[:at], stem[at+1:], ext, true
}

// maxKind bounds the name of a kind.
const maxKind = 40

// IsKind says whether a text is the name of a kind of artefacts: lower-case words with a dash between two.
func IsKind(s string) bool {
	if len(s) > maxKind {
		return false
	}
	for word := range strings.SplitSeq(s, "-") {
		if word == "" || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" {
			return false
		}
	}
	return true
}

func parseCells(s string) Key {
	if d, ok := strings.CutPrefix(s, "dict-"); ok {
		if sum, ok := strings.CutSuffix(d, ".zdict"); ok && isSum(sum) {
			return CellDict{sum}
		}
		return nil
	}
	if code, date, sum, ok := parseDated(s, ".ne"); ok {
		return Cells{code, date, sum}
	}
	if code, date, sum, ok := parseDated(s, ".changes.json"); ok {
		return CellChanges{code, date, sum}
	}
	if code, date, sum, ok := parseDated(s, ".parquet"); ok {
		return CellTable{code, date, sum}
	}
	if code, date, sum, ok := parseDated(s, ".coarse"); ok {
		return CellCoarse{code, date, sum}
	}
	return nil
}

// parseDated reads {code}/{code}-{date}-{sum} before an ending.
func parseDated(s, ending string) (code austria.KGCode, date, sum string, ok bool) {
	dir, file, _ := strings.Cut(s, "/")
	code, err := austria.ParseKGCode(dir)
	stem, ended := strings.CutSuffix(file, ending)
	rest, of := strings.CutPrefix(stem, string(code)+"-")
	if err != nil || !ended || !of {
		return "", "", "", false
	}
	date, sum, ok = datedSum(rest)
	return code, date, sum, ok
}

// datedSum takes {date}-{sum} apart.
func datedSum(s string) (date, sum string, ok bool) {
	const dateLength = len(time.DateOnly)
	if len(s) != dateLength+1+16 || s[dateLength] != '-' || !isSum(s[dateLength+1:]) {
		return "", "", false
	}
	_, err := time.Parse(time.DateOnly, s[:dateLength])
	return s[:dateLength], s[dateLength+1:], err == nil
}

// parseProduct reads {code}/{input}/{code}-{name}.
func parseProduct(s string) Key {
	parts := strings.Split(s, "/")
	if len(parts) != 3 || !isSum(parts[1]) {
		return nil
	}
	code, err := austria.ParseKGCode(parts[0])
	name, of := strings.CutPrefix(parts[2], string(code)+"-")
	word, ext, _ := strings.Cut(name, ".")
	if err != nil || !of || !isPlain(word) || !slices.Contains(ProductExts(), ext) {
		return nil
	}
	return Product{code, parts[1], name}
}

// parseTable reads {layer}/state={s}/kg={code}/{code}.parquet.
func parseTable(s string) Key {
	parts := strings.Split(s, "/")
	if len(parts) != 4 || !slices.Contains(Tables(), parts[0]) {
		return nil
	}
	state := austria.StateCode(strings.TrimPrefix(parts[1], "state="))
	if state == noPartition {
		state = ""
	}
	code, err := austria.ParseKGCode(strings.TrimPrefix(parts[2], "kg="))
	if err != nil || state != "" && !slices.Contains(austria.AllStates(), state) {
		return nil
	}
	return Table{parts[0], code, state}
}

// parseRaster reads {layer}/{date}/E{km}N{km}-{sum}.tif.
func parseRaster(s string) Key {
	parts := strings.Split(s, "/")
	if len(parts) != 3 || len(parts[0]) > maxKind || !isPlain(parts[0]) || strings.Contains(parts[0], "-") {
		return nil
	}
	k := Raster{Layer: parts[0], Date: parts[1]}
	if _, err := time.Parse(time.DateOnly, k.Date); err != nil {
		return nil
	}
	stem, ok := strings.CutSuffix(parts[2], ".tif")
	place, sum, of := strings.Cut(stem, "-")
	if _, err := fmt.Sscanf(place, "E%dN%d", &k.E, &k.N); err != nil || !ok || !of || !isSum(sum) {
		return nil
	}
	k.Sum = sum
	return k
}

func parseKG(s string) Key {
	dir, file, _ := strings.Cut(s, "/")
	code, err := austria.ParseKGCode(dir)
	if err != nil {
		return nil
	}
	rest, ok := strings.CutPrefix(file, string(code)+"-")
	if !ok {
		return nil
	}
	if v, ok := strings.CutPrefix(rest, "versions-"); ok {
		if sum, ok := strings.CutSuffix(v, ".json"); ok && isSum(sum) {
			return Versions{code, sum}
		}
		return nil
	}
	stem, ext, _ := strings.Cut(rest, ".")
	date, sum, ok := datedSum(stem)
	if f := Form(ext); ok && slices.Contains(AllForms(), f) {
		return Snapshot{code, date, sum, f}
	}
	return nil
}

func isSum(s string) bool {
	return len(s) == 16 && strings.Trim(s, "0123456789abcdef") == ""
}

func clip(s string) string {
	if len(s) > 80 {
		return s[:80] + "…"
	}
	return s
}
