package raster

import "fmt"

// Sample is the form in which a value of a raster is kept.
type Sample interface {
	uint8 | uint16 | int16 | float32
}

// Samples are values of several bands on the cells of a grid, as a file keeps them: whole numbers beside float32. What
// number says that nothing is known is the business of who holds them; of float32 it is NaN.
type Samples[T Sample] struct {
	West, North float64 // of the corner of the north-western cell, in metres
	Step        float64 // side of a cell, in metres
	Cols, Rows  int
	Bands       int
	Pix         []T // rows from the north, each from the west, the bands of a cell beside each other
}

// MaxSamples bounds what NewSamples makes: a square of 1 km in cells of 0.2 m with five bands.
const MaxSamples = 128 << 20

// SamplesOver are samples of 0 over an aligned box; an error where they are more than MaxSamples.
func SamplesOver[T Sample](b Box, step float64, bands int) (*Samples[T], error) {
	cols, rows := cells(b.West, b.East, step), cells(b.South, b.North, step)
	if cols < 1 || rows < 1 || bands < 1 || cols*rows*float64(bands) > MaxSamples {
		return nil, fmt.Errorf("raster: %.0f x %.0f cells of %d bands, at most %d samples in all", cols, rows, bands, MaxSamples)
	}
	return &Samples[T]{West: b.West, North: b.North, Step: step, Cols: int(cols), Rows: int(rows), Bands: bands, Pix: make([]T,
		int(cols)*int(rows)*bands)}, nil
}

// Row are the samples of a row.
func (s *Samples[T]) Row(row int) []T {
	n := s.Cols * s.Bands
	return s.Pix[row*n : (row+1)*n]
}

// Grid is where the cells lie, without values.
func (s *Samples[T]) Grid() *Grid {
	return &Grid{West: s.West, North: s.North, Step: s.Step, Cols: s.Cols, Rows: s.Rows}
}

// SamplesOf are the values of a grid as samples of one band, which share its memory.
func SamplesOf(g *Grid) *Samples[float32] {
	return &Samples[float32]{West: g.West, North: g.North, Step: g.Step, Cols: g.Cols, Rows: g.Rows, Bands: 1, Pix: g.Z}
}
