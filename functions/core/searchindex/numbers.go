package searchindex

import (
	"context"
	"slices"
	"sort"
	"strings"

	"mappe/artefacts/directory"
	"mappe/shared/austria"
)

// together is how many blocks of parcel numbers are decoded at once; what is held stays small.
const together = 64

// Having are the KGs that have a parcel of a number, spelled so, as numbers in the head.
func (x *Index) Having(ctx context.Context, number austria.GNR) ([]uint32, error) {
	at, ok := directory.NumberBlock(x.Parts.Directory, string(number))
	if !ok {
		return nil, nil
	}
	got, err := x.numbers(ctx, []int{at})
	if err != nil {
		return nil, err
	}
	i, ok := got[0].Find(string(number))
	if !ok {
		return nil, nil
	}
	return got[0].KGs(i), nil
}

// Beginning visits the parcel numbers of the country that begin so, in the order of their bytes, with the KGs that have each.
func (x *Index) Beginning(ctx context.Context, prefix string, visit func(number austria.GNR, kgs []uint32)) error {
	lo, hi := directory.NumberBlocks(x.Parts.Directory, prefix)
	for ; lo < hi; lo += together {
		var list []int
		for i := lo; i < min(lo+together, hi); i++ {
			list = append(list, i)
		}
		blocks, err := x.numbers(ctx, list)
		if err != nil {
			return err
		}
		for _, b := range blocks {
			for i := sort.SearchStrings(b.Texts, prefix); i < len(b.Texts) && strings.HasPrefix(b.Texts[i], prefix); i++ {
				visit(austria.GNR(b.Texts[i]), b.KGs(i))
			}
		}
	}
	return nil
}

// Blocks is how many blocks Beginning reads for these prefixes together.
func (x *Index) Blocks(prefixes ...string) int {
	var all []int
	for _, p := range prefixes {
		lo, hi := directory.NumberBlocks(x.Parts.Directory, p)
		for ; lo < hi; lo++ {
			all = append(all, lo)
		}
	}
	slices.Sort(all)
	return len(slices.Compact(all))
}

func (x *Index) numbers(ctx context.Context, blocks []int) ([]*directory.Numbers, error) {
	return Sections(ctx, x, blocks, func(_ int, body []byte) (*directory.Numbers, int64, error) {
		return directory.DecodeNumbers(x.Head, body)
	})
}
