// Package verify judges a KG build before it is served: what the source held against what the
// snapshot serves, validity, how the parcels fill their outline, areas against the register, nothing
// lost against the live build. It fills the quality report and says pass, warn or refuse;
// builders/national acts on it. It measures, it never mends.
package verify

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
	"mappe/builders/kg"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// The limits of the gate. A first build of a KG has no live one to lose against.
const (
	// maxLostShare is the share of the live parcels that may disappear: divisions and mergers of a
	// year touch under one per cent of a KG's numbers.
	maxLostShare = 0.02
	// fewLost parcels may always disappear, for KGs of a few dozen.
	fewLost = 3
	// maxWorseSqm and maxWorseShare bound how much gaps or overlaps may grow against the live build.
	maxWorseSqm   = 100
	maxWorseShare = 0.001
	// maxElsewhereShare is the share of the address points named for a KG that may stand in another's
	// parcels: registers book some by the entrance and some by the house.
	maxElsewhereShare = 0.1
	// minCovered is the share of the source's outline that parcels must fill. Lakes and roads are parcels
	// too, so a whole KG fills nearly all of it, however coarsely it is drawn.
	minCovered = 0.2
	// maxAreaShare is how far the sum of the parcels' areas may be from what their geometries measure;
	// besides, each area is rounded to 0.01 m², up to roundedSqm away.
	maxAreaShare = 1e-4
	roundedSqm   = 0.005
	// warnPercent is the difference to the register's area that a person should look at.
	warnPercent = 5
)

// Input is one build and what it is judged by.
type Input struct {
	Snapshot     *kgfile.Snapshot
	RegisterSqm  float64 // area the register states, 0 when it states none
	Live         *kgfile.Snapshot
	FormsDiffer  error // nil when the five forms were found equal
	AcceptLosses bool  // an operator has looked and accepts what is lost
	AcceptGaps   bool  // and that parts of the source are missing

	// What the source says apart from the build; nil where it is not at hand.
	Addresses []kg.Address      // all points near the KG
	Outline   geom.MultiPolygon // as the source draws the KG
	Assembly  *kg.Report        // what the assembly met and could not use
}

// KG makes the report and the verdict.
func KG(in Input) rowschema.Quality {
	s := in.Snapshot
	q := rowschema.Quality{
		KGCode: s.KG.Code, KGName: s.KG.Name, Stichtag: s.Build.Stichtag,
		Snapshot:   name(s),
		Reasons:    []rowschema.Reason{},
		Parcels:    rowschema.Count{Source: s.Build.SourceParcels, Served: len(s.Parcels)},
		Labels:     rowschema.Count{Source: s.Build.SourceLabels, Served: labels(s)},
		Footprints: len(s.Footprints), LandUse: len(s.LandUse), Symbols: len(s.Symbols), Tiles: s.Build.SourceTiles,
		Coverage: coverage(s), Given: given(in.Outline, s), Validity: validity(s), Inexact: inexact(in), Repairs: repairs(s),
		Area: area(in), Address: addresses(s),
		Forms: rowschema.FormsCheck{Equal: in.FormsDiffer == nil}, Live: compare(in),
	}
	b := buildings(in)
	q.Buildings = b.count
	if in.FormsDiffer != nil {
		q.Forms.Difference = in.FormsDiffer.Error()
	}
	judge(&q, in, b)
	return q
}

// judge collects the reasons, worst first.
func judge(q *rowschema.Quality, in Input, b addressCheck) {
	say := func(v rowschema.Verdict, code, format string, args ...any) {
		q.Reasons = append(q.Reasons, rowschema.Reason{Code: code, Verdict: v, Message: fmt.Sprintf(format, args...)})
	}
	if q.Parcels.Served == 0 {
		say(rowschema.Refuse, "no_parcels", "the build holds no parcel")
	}
	if q.Parcels.Served < q.Parcels.Source {
		say(rowschema.Refuse, "parcels_missing", "the source holds %d parcels, the build %d", q.Parcels.Source, q.Parcels.Served)
	}
	if q.Labels.Served < q.Labels.Source {
		say(rowschema.Refuse, "labels_missing", "the labels of the source bear %d numbers, those of the build %d", q.Labels.Source,
			q.Labels.Served)
	}
	b.judge(say)
	judgeArea(q, in, say)
	if q.Validity.Invalid > 0 {
		say(rowschema.Refuse, "invalid_geometry", "%d geometries are not valid, the first is %s", q.Validity.Invalid, q.Validity.Which[0])
	}
	if !q.Forms.Equal {
		say(rowschema.Refuse, "forms_differ", "the five forms differ: %s", q.Forms.Difference)
	}
	if d := q.Area.DiffPercent; d != nil && math.Abs(*d) > warnPercent {
		say(rowschema.Warn, "register_area", "the drawn area differs from the register's by %.1f %%", *d)
	}
	judgeSource(in, say)
	judgeLive(q, in, say)
	slices.SortStableFunc(q.Reasons, func(a, b rowschema.Reason) int { return cmp.Compare(rank(b.Verdict), rank(a.Verdict)) })
	q.Verdict = rowschema.Pass
	if len(q.Reasons) > 0 {
		q.Verdict = q.Reasons[0].Verdict
	}
}

// judgeSource tells what the source lacks and what of it could not be used. An incomplete source is refused:
// only an operator knows that it is all there is.
func judgeSource(in Input, say func(rowschema.Verdict, string, string, ...any)) {
	incomplete := rowschema.Refuse
	if in.AcceptGaps {
		incomplete = rowschema.Warn
	}
	if n := cut(in.Snapshot); n > 0 {
		v := incomplete
		if in.Live != nil && n <= cut(in.Live) {
			v = rowschema.Warn // what is served has been accepted
		}
		say(v, "missing_tile", "%d parcels are cut where tiles of the source are missing; what lay wholly in those tiles is not known", n)
	}
	r := in.Assembly
	if r == nil {
		return
	}
	if r.LandUseCut > 0 {
		say(incomplete, "missing_landuse_tile",
			"%d land-use shapes are cut where tiles of the source are missing; what lay wholly in those tiles is not known", r.LandUseCut)
	}
	if len(r.Inexact) > 0 {
		p := r.Inexact[0]
		say(rowschema.Warn, "inexact_parcels",
			"the rings of %d parcels cross and enclose another area when they are repaired, the first is %s: drawn %.1f m², published %.1f m²", len(r.Inexact), austria.ParcelID{KG: in.Snapshot.KG.Code, GNR: p.GNR}, p.DrawnSqm, p.Sqm)
	}
	for _, c := range []struct {
		n             int
		code, message string
	}{
		{r.BrokenTiles, "broken_tiles", "%d tiles of the source are no vector tiles and were taken for empty ones"},
		{r.BadNumbers, "bad_numbers", "%d pieces of the source bear a number that no parcel can have"},
		{r.Unnumbered, "unnumbered", "%d areas of the source have neither a number nor a label and are in no parcel"},
		{r.BadCodes, "bad_codes", "%d land-use features and symbols have no readable code and are left out"},
		{r.Unrepaired, "landuse_unrepaired", "%d land-use shapes cross themselves too often to be repaired and are left out"},
		{r.Apart, "pieces_apart", "%d shapes are published in pieces: the tiles draw them so differently that they could not be united"},
	} {
		if c.n > 0 {
			say(rowschema.Warn, c.code, c.message, c.n)
		}
	}
}

// judgeLive refuses a build that is worse than the one it would replace.
func judgeLive(q *rowschema.Quality, in Input, say func(rowschema.Verdict, string, string, ...any)) {
	if in.Live == nil {
		slack := max(maxWorseSqm, maxWorseShare*in.Snapshot.KG.TotalAreaSqm)
		if q.Coverage.OverlapSqm > slack {
			say(rowschema.Warn, "coverage_overlap", "parcels overlap on %.0f m²", q.Coverage.OverlapSqm)
		}
		if q.Coverage.GapSqm > slack {
			say(rowschema.Warn, "coverage_gap", "%.0f m² within the parcels' outline are in no parcel", q.Coverage.GapSqm)
		}
		return
	}
	worse := rowschema.Refuse
	if in.AcceptLosses {
		worse = rowschema.Warn
	}
	if limit := max(fewLost, int(maxLostShare*float64(q.Live.Parcels))); q.Live.LostCount > limit {
		say(worse, "parcels_lost", "%d of %d live parcels are lost, at most %d may be; the first is %s", q.Live.LostCount, q.Live.Parcels,
			limit, q.Live.LostParcels[0])
	}
	if was := len(in.Live.Buildings); -q.Live.BuildingsDelta > max(fewLost, int(maxLostShare*float64(was))) {
		say(worse, "buildings_lost", "the live build holds %d address points, this one %d", was, was+q.Live.BuildingsDelta)
	}
	if n, was := cut(in.Snapshot), cut(in.Live); n > was {
		say(worse, "tiles_lost", "%d parcels are cut where tiles of the source are missing, %d in the live build", n, was)
	}
	if limit := max(maxWorseSqm, maxLostShare*in.Live.KG.TotalAreaSqm); -q.Live.AreaChangeSqm > limit {
		say(worse, "area_lost", "the parcels cover %.0f m² less than the live ones, at most %.0f m² may be lost", -q.Live.AreaChangeSqm,
			limit)
	}
	before, slack := coverage(in.Live), max(maxWorseSqm, maxWorseShare*in.Live.KG.TotalAreaSqm)
	if q.Coverage.GapSqm > before.GapSqm+slack {
		say(worse, "coverage_gap", "gaps grow from %.0f to %.0f m²", before.GapSqm, q.Coverage.GapSqm)
	}
	if q.Coverage.OverlapSqm > before.OverlapSqm+slack {
		say(worse, "coverage_overlap", "overlaps grow from %.0f to %.0f m²", before.OverlapSqm, q.Coverage.OverlapSqm)
	}
}

// cut counts the parcels whose area ends at a missing tile.
func cut(s *kgfile.Snapshot) int {
	n := 0
	for i := range s.Parcels {
		if s.Parcels[i].Repairs&kgfile.RepairMissingTile != 0 {
			n++
		}
	}
	return n
}

func rank(v rowschema.Verdict) int { return slices.Index(rowschema.AllVerdicts(), v) }
