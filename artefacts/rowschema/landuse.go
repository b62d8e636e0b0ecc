package rowschema

import (
	"strconv"

	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/web/format"
)

// landUseCode is null for "none".
func landUseCode(c austria.LandUse) format.Value {
	if c == 0 {
		return format.Null
	}
	return format.Int(int64(c))
}

// AppendLandUseCodes appends the codes of a parcel's symbols and land-use areas, rising, comma-separated.
func AppendLandUseCodes(b []byte, p *kgfile.Parcel) []byte {
	return appendCodes(b, p.SymbolCounts, p.UseAreas)
}

func appendCodes(b []byte, symbols []kgfile.CodeCount, areas []kgfile.CodeArea) []byte {
	start := len(b)
	eachCode(symbols, areas, func(c austria.LandUse, _ int, _ float64) {
		if len(b) > start {
			b = append(b, ',')
		}
		b = strconv.AppendUint(b, uint64(c), 10)
	})
	return b
}

// AppendLandUseSummary appends the JSON object of the symbol count per code, "{}" without symbols.
func AppendLandUseSummary(b []byte, counts []kgfile.CodeCount) []byte {
	b = append(b, '{')
	for i, c := range counts {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '"')
		b = strconv.AppendUint(b, uint64(c.Code), 10)
		b = append(b, '"', ':')
		b = strconv.AppendInt(b, int64(c.N), 10)
	}
	return append(b, '}')
}

// eachUse gives symbol count and area (-1 where no polygon says it) per code of the parcel, rising.
func eachUse(p *kgfile.Parcel, yield func(c austria.LandUse, symbols int, sqm float64)) {
	eachCode(p.SymbolCounts, p.UseAreas, yield)
}

// eachCode is eachUse of counts and areas that are not one parcel's.
func eachCode(s []kgfile.CodeCount, a []kgfile.CodeArea, yield func(c austria.LandUse, symbols int, sqm float64)) {
	for len(s) > 0 || len(a) > 0 {
		switch {
		case len(a) == 0 || len(s) > 0 && s[0].Code < a[0].Code:
			yield(s[0].Code, s[0].N, -1)
			s = s[1:]
		case len(s) == 0 || a[0].Code < s[0].Code:
			yield(a[0].Code, 0, a[0].Sqm)
			a = a[1:]
		default:
			yield(a[0].Code, s[0].N, a[0].Sqm)
			s, a = s[1:], a[1:]
		}
	}
}
