package recurrence

import (
	"math/rand/v2"
	"testing"
)

// The next allowed day is the same whatever was asked before: an earlier day, a later one, one of another
// year or of one far off. years counts the years that were looked at.
func TestNextDayWhateverWasAskedBefore(t *testing.T) {
	start, err := ParseWall("2026-01-01T00:00:00")
	if err != nil {
		t.Fatal(err)
	}
	r, faults := parseRRule("FREQ=YEARLY;BYMONTH=2,3,12;BYMONTHDAY=1,29,31")
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	kept := r.plan(start).days
	allowed := func(day int64) bool {
		_, month, of := civil(day)
		return (month == 2 || month == 3 || month == 12) && (of == 1 || of == 29 || of == 31)
	}
	random := rand.New(rand.NewPCG(5, 8))
	day := int64(20_454) // 2026-01-01
	for range 3000 {
		switch random.IntN(4) {
		case 0:
			day += random.Int64N(3)
		case 1:
			day += random.Int64N(800) - 400
		case 2:
			day = random.Int64N(100_000)
		default:
			day += []int64{-366, -365, 364, 365, 366, 730}[random.IntN(6)]
		}
		day = max(day, 0)
		want, years := day, 1
		for ; !allowed(want); want++ {
			if this, _, _ := civil(want); this != yearOf(want+1) {
				years++
			}
		}
		if got, looked, ok := kept.next(day); !ok || got != want || looked != years {
			t.Fatalf("from day %d: want day %d after %d years, got %d after %d, %t", day, want, years, got, looked, ok)
		}
		if got := kept.has(day); got != allowed(day) {
			t.Fatalf("day %d: want it allowed %t", day, !got)
		}
	}
}
