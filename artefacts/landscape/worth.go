package landscape

import (
	"math"
	"unsafe"

	"mappe/artefacts/internal/column"
	"mappe/shared/austria"
)

// Worth is what analysis says for the conservation of a parcel, in hundredths of a point of the score of 100: vegetation up to 20
// points, the index of vegetation up to 15, reached at 0.8, and canopy up to 15, by the logarithm of its area, reached at a
// hectare. UnknownWorth stands for what nobody knows.
type Worth struct{ Vegetation, NDVI, Canopy int }

// UnknownWorth is a part of the worth that nobody knows: it counts nothing.
const UnknownWorth = -1

// fullCanopy is the area of crowns that is worth most, in m².
const fullCanopy = 10_000

// WorthOf is the worth of a parcel.
func WorthOf(p *Parcel) Worth {
	return Worth{
		Vegetation: hundredths(20 * min(max(float64(p.VegetatedFraction), 0), 1)),
		NDVI:       hundredths(15 * min(max(float64(p.NDVIMean), 0), 0.8) / 0.8),
		Canopy:     hundredths(min(15*math.Log10(1+max(p.TreeCanopySqm, 0))/math.Log10(1+fullCanopy), 15)),
	}
}

func hundredths(points float64) int {
	if points != points {
		return UnknownWorth
	}
	return int(math.Round(100 * points))
}

// Sum is the worth of what is known.
func (w Worth) Sum() int { return max(w.Vegetation, 0) + max(w.NDVI, 0) + max(w.Canopy, 0) }

// Best is the greatest worth of a parcel of a KG.
type Best struct {
	Code austria.KGCode
	Sum  int
}

// WorthSection is the section of the greatest worth in each KG with parcels. An index of an earlier program has none.
const WorthSection = "worth-parcels"

// stored are columns that decide the worth; a parcel has them as they are after they were stored.
var stored = pick(ParcelColumns, "vegetated_fraction", "ndvi_mean", "tree_canopy_sqm")

func bestOf(code austria.KGCode, parcels []Parcel) Best {
	b := Best{Code: code}
	for i := range parcels {
		var p Parcel
		for k := range stored {
			stored[k].set(&p, stored[k].Round(stored[k].get(&parcels[i])))
		}
		b.Sum = max(b.Sum, WorthOf(&p).Sum())
	}
	return b
}

func encodeBest(list []Best) ([]byte, error) {
	return column.EncodeAlone("landscape", "worth", len(list), func(w *column.Writer) {
		column.Texts(w, list, func(b *Best) string { return string(b.Code) })
		v := make([]uint64, len(list))
		for i := range list {
			v[i] = uint64(list[i].Sum)
		}
		w.Ints(v)
	})
}

// DecodeBest reads the section of the greatest worth of any bytes, and says what it takes in memory.
func DecodeBest(b []byte) (list []Best, cost int64, err error) {
	err = column.DecodeAlone("landscape", "worth", b, func(r *column.Reader, n int) {
		list = make([]Best, n)
		r.EachText(n, func(i int, s string) { list[i].Code = austria.KGCode(s) })
		for i, v := range column.Ints[uint32](r, n) {
			if v > 100*100 {
				r.Fail("a worth of %d hundredths", v)
				return
			}
			list[i].Sum = int(v)
		}
	})
	if err != nil {
		return nil, 0, err
	}
	return list, int64(len(list)) * int64(unsafe.Sizeof(Best{})), nil
}
