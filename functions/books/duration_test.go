package books

import (
	"testing"
	"time"
)

func TestDurationsAsText(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "1 minute", time.Second: "1 minute", time.Minute: "1 minute", 61 * time.Second: "2 minutes", 59 * time.Minute: "59 minutes",
		time.Hour: "1 hour", 24 * time.Hour: "24 hours", 61 * time.Minute: "1 hour and 1 minute",
		3*time.Hour + 20*time.Minute: "3 hours and 20 minutes",
	} {
		if got := durationText(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}
