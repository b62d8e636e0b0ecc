package search

import (
	"context"
	"slices"
	"sort"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/generation"
	"mappe/functions/core/rows"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

var (
	gemeinde = endpoint.String("gemeinde", "Only KGs of this municipality: its code, or its name in any of its spellings.",
		endpoint.Between(1, 100), endpoint.Example("59902"))
	folio = endpoint.Int("ez", "Folio number (Einlagezahl). With it rows have their parcels, address points and land use.",
		endpoint.Between(1, 1<<32-1), endpoint.Example("7"))
	wait = endpoint.Int("wait", "With ez: how long to wait for KGs that are being loaded; at most 25 s are waited. 0 does not wait.",
		endpoint.Between(0, 60), endpoint.Unit("s"), endpoint.Default("3"))
)

const (
	// waitPoll and waitMax are how a request waits for cold KGs.
	waitPoll = 250 * time.Millisecond
	waitMax  = 25 * time.Second
)

// ezMeta is what meta holds beside the common, for the description of the service.
type ezMeta struct {
	view.GapsMeta
	Verified bool     `json:"buildings_coords_verified"`
	Pending  []string `json:"buildings_repair_pending_kgs"`
}

func (s *service) ez() endpoint.Endpoint {
	e := rows.List(endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/search/ez", ID: "search_ez", Tag: tag,
		Summary: "Land-register folios of a KG or a municipality",
		Doc: `With ez: the folio of that number in the KG, or in each KG of the municipality, with parcels[], buildings[],
landuse_area_breakdown (code to m², from land-use polygons) and landuse_breakdown[]. The request waits up to wait seconds for KGs that
are being loaded. Without ez: the summaries of all folios, which never waits. Order: KG code, folio number.
meta.buildings_coords_verified is false while address points of a KG of the answer are not joined to their parcels: the KG is being
loaded, or its data is of an ingest generation before the join; meta.buildings_repair_pending_kgs lists these KGs. Repeat the request
for those of them that meta.kgs_warming lists; the others need a reprocess. Geographic forms draw the centre of the folio's box.`,
		Params:  []endpoint.AnyParam{kg, gemeinde, folio, wait},
		Answer:  endpoint.Answer{Rows: []*format.RowType{rowschema.FolioDetail.RowType}, Meta: ezMeta{}},
		Example: "/api/v1/search/ez?kg=99101",
	}, s.folios)
	return e
}

func (s *service) folios(ctx context.Context, v *view.View, r *endpoint.Request) (*rows.Query, error) {
	if !kg.Given(r) && !gemeinde.Given(r) {
		return nil, fault.New(fault.Missing, "no KG is named: expected one of kg, gemeinde")
	}
	single := folio.Given(r)
	codes := s.named(v, r)
	if single {
		var err error
		if v, err = s.awaited(ctx, v, codes, min(time.Duration(wait.Of(r))*time.Second, waitMax)); err != nil {
			return nil, err
		}
	}
	joined := joins{}
	layer := rows.Layer{Source: rows.Folios(rowschema.Folio.Record()), Match: joined.all, Hits: counted(v, joined.ofKG)}
	if single {
		layer = rows.Layer{Source: rows.FolioDetails(rowschema.FolioDetail.Record()), Match: joined.only(austria.EZ(folio.Of(r)))}
	}
	q, err := over(ctx, v, codes, layer)
	if err == nil {
		q.NoGeometry, q.Meta = true, joined.meta
	}
	return q, err
}

// named are the KGs that kg and gemeinde select, by rising code.
func (s *service) named(v *view.View, r *endpoint.Request) []austria.KGCode {
	if !gemeinde.Given(r) {
		return []austria.KGCode{kg.Of(r)}
	}
	in := s.names.of(v.Register()).inMunicipality(gemeinde.Of(r))
	var codes []austria.KGCode
	for i := range v.Register().KGs() {
		if k := &v.Register().KGs()[i]; in(k) && (!kg.Given(r) || kg.Of(r) == k.Code) {
			codes = append(codes, k.Code)
		}
	}
	return codes
}

// awaited gives a view in which none of the KGs is being loaded, or the newest when the time is over. It reads
// them: where a KG has left the store only a read tells.
func (s *service) awaited(ctx context.Context, v *view.View, codes []austria.KGCode, most time.Duration) (*view.View, error) {
	for start := s.Now(); ; {
		var gaps view.Missing
		reads := v.Ahead(codes)
		for _, code := range codes {
			reads.Next(ctx)
			if v.Register().KG(code) == nil {
				continue
			}
			if _, err := v.Read(ctx, code, &gaps); err != nil {
				return nil, err
			}
		}
		if len(gaps.Warming()) == 0 || s.Now().Sub(start) >= most {
			return v, nil
		}
		if err := s.Pause(ctx, waitPoll); err != nil {
			return nil, err
		}
		newest, err := s.Library.View(ctx)
		if err != nil {
			return nil, generation.Fault(ctx, err)
		}
		v = view.At(ctx, newest)
	}
}

// joins notes the KGs whose address points are not joined to their parcels while their folios are matched.
type joins struct{ missing []austria.KGCode }

func (j *joins) note(f *kgfile.File) {
	if !rowschema.EpochID(f.Build().IngestGeneration).Has(rowschema.AddressPointJoin) {
		j.missing = append(j.missing, f.KG().Code)
	}
}

// ofKG is the number of folios of a KG as the register has it, which says how its data was made, too; -1 where it does not.
func (j *joins) ofKG(k *register.KG) int {
	if k.Ingest == "" {
		return -1
	}
	if !rowschema.EpochID(k.Ingest).Has(rowschema.AddressPointJoin) {
		j.missing = append(j.missing, k.Code)
	}
	return k.EZCount
}

// all matches every folio.
func (j *joins) all(_ *rows.Candidate, f *kgfile.File, found []int32) ([]int32, error) {
	j.note(f)
	table, err := f.Folios()
	for i := range table {
		found = append(found, int32(i))
	}
	return found, err
}

// only matches the folio of a number.
func (j *joins) only(ez austria.EZ) rows.Match {
	return func(_ *rows.Candidate, f *kgfile.File, found []int32) ([]int32, error) {
		j.note(f)
		table, err := f.Folios()
		i, ok := sort.Find(len(table), func(i int) int { return int(int64(ez) - int64(table[i].EZ)) })
		if ok {
			found = append(found, int32(i))
		}
		return found, err
	}
}

// meta is what the answer says of the address points.
func (j *joins) meta(q *rows.Query) []reply.Member {
	pending := slices.Concat(j.missing, q.Missing.Warming())
	slices.Sort(pending)
	if pending == nil {
		pending = []austria.KGCode{}
	}
	return []reply.Member{
		{Name: "buildings_coords_verified", Value: len(pending) == 0 && q.Missing.Ready()},
		{Name: "buildings_repair_pending_kgs", Value: slices.Compact(pending)},
	}
}
