package export

import (
	"strconv"
	"strings"

	"mappe/artefacts/register"
	"mappe/shared/austria"
	"mappe/shared/web/fault"
)

// limits bound what is exported at once.
type limits struct {
	kgs   int
	bytes int64
	where string
}

// The limits of one answer, beyond which it is a job's work, and those of a job, beyond which it is refused: its
// worker has 900 s, 10 GB of disk and the time of one processor (BenchmarkJob says what it writes in a second).
var (
	inAnswer = limits{50, 200 << 20, "answer"}
	inJob    = limits{4000, 4 << 30, "job"}
)

// estimate says how large an answer is: bytes for each byte of a KG's snapshot, by layer. BenchmarkEstimate
// prints what the KGs of tests have; a KG with many buildings or long borders differs by some tens of percent.
type estimate []float64

// perByte are the estimates of the layers of GeoJSON.
var perByte = map[layer]float64{
	parcels: 14, buildings: 1.8, footprints: 2.2, labels: 3.2, landUsePolygons: 7.8, landUsePoints: 3.8, landUse: 12,
}

// pointsPerByte are those of layers that are drawn as points.
var pointsPerByte = map[layer]float64{
	parcels: 10, buildings: 1.8, footprints: 1.7, labels: 3.2, landUsePolygons: 3.7, landUsePoints: 3.8, landUse: 8,
}

// filePerByte is the estimate of a GeoPackage.
var filePerByte = estimate{19}

// sizeOf is the estimate of layers of GeoJSON.
func sizeOf(list []layer, points bool) estimate {
	var e estimate
	for _, l := range list {
		e = append(e, pick(points, pointsPerByte, perByte)[l])
	}
	return e
}

// of is the size of a KG in bytes, 0 where no snapshot says it.
func (e estimate) of(k *register.KG) int64 {
	sum := 0.0
	for _, factor := range e {
		sum += factor
	}
	return int64(sum * float64(k.Snapshot.Bytes))
}

// check refuses an export that is too large, with requests that together are the same.
func (e estimate) check(reg *register.Register, codes []austria.KGCode, most limits) error {
	parts, size := e.split(reg, codes, most)
	if len(codes) <= most.kgs && size <= most.bytes {
		return nil
	}
	f := fault.New(fault.TooLarge,
		"the export has %d KGs and about %d MB: expected at most %d KGs and %d MB in one %s; ask for the parts that split lists",
		len(codes), size>>20, most.kgs, most.bytes>>20, most.where)
	switch {
	case len(parts) > 1:
		f.Split = parts
	case len(e) > 1:
		f.Message = "the export has about " + mb(size) + ": expected at most " + mb(most.bytes) + " in one " + most.where +
			"; ask for one layer at a time"
	default:
		f.Message = "the export has about " + mb(size) + ": expected at most " + mb(most.bytes) + " in one " + most.where +
			"; fields= and include_geometry=false make it smaller"
	}
	return f
}

// maxListed bounds the KGs of one part: an address has at most 8,000 bytes.
const maxListed = 1000

// split are lists of KGs as parameters of a request, and the size of all. Each list is within the limits, unless it
// is a single KG, and short enough for an address.
func (e estimate) split(reg *register.Register, codes []austria.KGCode, most limits) (parts []string, total int64) {
	var list []string
	size := int64(0)
	end := func() {
		parts, list, size = append(parts, "kg="+strings.Join(list, ",")), nil, 0
	}
	for _, c := range codes {
		n := e.of(reg.KG(c))
		if len(list) == min(most.kgs, maxListed) || len(list) > 0 && size+n > most.bytes {
			end()
		}
		list, size, total = append(list, string(c)), size+n, total+n
	}
	if len(list) > 0 {
		end()
	}
	return parts, total
}

func mb(bytes int64) string { return strconv.FormatInt(bytes>>20, 10) + " MB" }
