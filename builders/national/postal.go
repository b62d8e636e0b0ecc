package national

import (
	"maps"
	"math"
	"slices"
	"strings"

	"mappe/artefacts/register"
	"mappe/builders/source/addresses"
	"mappe/builders/source/registers"
	"mappe/shared/austria"
)

// weigh says of each postal place how much of its postal code lies there. Where the address register has addresses of the
// code these are counted, those of a locality for the place of its name, the others of a municipality evenly for its places
// under the code; else the people of a municipality are divided among all places that it has under whatever code. A
// municipality has most of its people under one code, its own; under others lie its edges, which count a quarter.
func weigh(places []register.PostalPlace, kgs []registers.KG, posted *addresses.Register) []register.PostalPlace {
	out := slices.Clone(places)
	var counted map[addresses.Posted]int
	if posted != nil {
		counted = posted.Posted()
	}
	byCode := map[austria.PLZ]map[addresses.Posted]int{}
	for k, n := range counted {
		if byCode[k.PLZ] == nil {
			byCode[k.PLZ] = map[addresses.Posted]int{}
		}
		byCode[k.PLZ][k] = n
	}
	people, names := map[austria.GemeindeCode]int{}, map[austria.GemeindeCode]string{}
	for i := range kgs {
		people[kgs[i].GemeindeCode] += kgs[i].People
		names[kgs[i].GemeindeCode] = spelt(kgs[i].GemeindeName)
	}
	of, own := ownCodes(places, names)
	for rest := out; len(rest) > 0; {
		end := 1
		for end < len(rest) && rest[end].PLZ == rest[0].PLZ {
			end++
		}
		if !byAddresses(rest[:end], byCode[rest[0].PLZ]) {
			for i := range rest[:end] {
				g, among := rest[i].GemeindeCode, of[rest[i].GemeindeCode]
				if own[g] != rest[i].PLZ {
					among *= 4
				}
				rest[i].Weight = shareOf(people[g], among)
			}
		}
		rest = rest[end:]
	}
	return out
}

// spelt is a name as it is compared: registers and postal files shorten Sankt or do not.
func spelt(name string) string {
	return strings.ReplaceAll(strings.ToLower(name), "sankt ", "st. ")
}

// ownCodes gives of each municipality how many places it has, and its own code: under which a place has its name, then which
// most of its places have, then the lowest.
func ownCodes(places []register.PostalPlace, names map[austria.GemeindeCode]string) (of map[austria.GemeindeCode]int,
	own map[austria.GemeindeCode]austria.PLZ) {
	of, own = map[austria.GemeindeCode]int{}, map[austria.GemeindeCode]austria.PLZ{}
	under := map[austria.GemeindeCode]map[austria.PLZ]int{}
	for i := range places { // by rising codes
		p := &places[i]
		if of[p.GemeindeCode]++; under[p.GemeindeCode] == nil {
			under[p.GemeindeCode] = map[austria.PLZ]int{}
		}
		under[p.GemeindeCode][p.PLZ]++
		if spelt(p.Place) == names[p.GemeindeCode] {
			under[p.GemeindeCode][p.PLZ] += len(places)
		}
	}
	for i := range places {
		p := &places[i]
		if n := under[p.GemeindeCode]; n[p.PLZ] > n[own[p.GemeindeCode]] {
			own[p.GemeindeCode] = p.PLZ
		}
	}
	return of, own
}

// byAddresses weighs the places of one postal code; false where no address lies in a municipality of theirs.
func byAddresses(places []register.PostalPlace, counted map[addresses.Posted]int) bool {
	at, under := map[addresses.Posted]int{}, map[austria.GemeindeCode]int{}
	for i := range places {
		at[addresses.Posted{PLZ: places[i].PLZ, GemeindeCode: places[i].GemeindeCode, Ort: spelt(places[i].Place)}] = i
		under[places[i].GemeindeCode]++
	}
	own, others := make([]int, len(places)), map[austria.GemeindeCode]int{}
	found := false
	for k, n := range maps.All(counted) {
		k.Ort = spelt(k.Ort)
		if i, ok := at[k]; ok {
			own[i] += n
			found = true
		} else if under[k.GemeindeCode] > 0 {
			others[k.GemeindeCode] += n
			found = true
		}
	}
	if !found {
		return false
	}
	for i := range places {
		g := places[i].GemeindeCode
		places[i].Weight = uint32(own[i]) + shareOf(others[g], under[g])
	}
	return true
}

// shareOf is a share of several, at least 1 where there is anything to share.
func shareOf(n, among int) uint32 {
	if n <= 0 || among <= 0 {
		return 0
	}
	return uint32(max(1, math.Round(float64(n)/float64(among))))
}
