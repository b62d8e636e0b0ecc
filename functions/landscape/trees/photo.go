package trees

import (
	"math"
	"sync"

	"mappe/artefacts/rasters"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/canopy"
)

// photo is an orthophoto as it is stored, of which the near infrared is the last band, and 0 where the source has none.
type photo struct {
	*raster.Samples[uint8]
	values [][256]float32 // of the samples of each band
}

// photoOf are samples of a layer as an orthophoto; nil of fewer bands than it has.
func photoOf(l *rasters.Layer, s *raster.Samples[uint8]) canopy.Photo {
	if s.Bands <= nearInfrared || len(l.Bands) != s.Bands {
		return nil
	}
	p := photo{s, make([][256]float32, s.Bands)}
	for band := range p.values {
		for i := range p.values[band] {
			v := float64(i)
			switch {
			case l.NoData != nil && v == *l.NoData, i == 0 && band == s.Bands-1:
				v = math.NaN()
			case l.Bands[band].Scale != 0:
				v *= l.Bands[band].Scale
			}
			p.values[band][i] = float32(v)
		}
	}
	return p
}

// nearInfrared is the number of that band.
const nearInfrared = 3

// Lattice implements canopy.Photo.
func (p photo) Lattice() *raster.Grid { return p.Grid() }

// Row implements canopy.Photo.
func (p photo) Row(band, row int, room []float32) []float32 {
	pix, values := p.Samples.Row(row), &p.values[band]
	for col := range room {
		room[col] = values[pix[col*p.Bands+band]]
	}
	return room
}

// finders are what squares are searched with, one after another, of which each has the room of a square.
type finders struct {
	mu   sync.Mutex
	idle []*canopy.Finder
}

func (f *finders) take() *canopy.Finder {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := len(f.idle)
	if n == 0 {
		return &canopy.Finder{}
	}
	out := f.idle[n-1]
	f.idle = f.idle[:n-1]
	return out
}

func (f *finders) give(one *canopy.Finder) {
	one.Off()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.idle = append(f.idle, one)
}

// forget gives back their room.
func (f *finders) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.idle = nil
}
