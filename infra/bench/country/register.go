package main

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"os"
	"slices"

	"mappe/shared/austria"
)

// kg is a KG by the register.
type kg struct {
	Code         austria.KGCode
	Name         string
	GemeindeCode austria.GemeindeCode
	GemeindeName string
	StateName    string
}

// country is what is made: its KGs, rising.
type country struct {
	kgs   []kg
	later bool // its second date
}

// districtKGs is the mean of the country: 7,850 KGs in some 94 districts.
const districtKGs = 80

// made is a made-up register.
func made(n int) []kg {
	out := make([]kg, n)
	for i := range out {
		d := i / districtKGs
		g := austria.GemeindeCode(fmt.Sprintf("%d%02d%02d", 1+d%9, 1+d/9, 1+i%districtKGs/4))
		out[i] = kg{austria.KGCode(fmt.Sprintf("%05d", 10_000+i)), fmt.Sprintf("Musterdorf %d", i), g, "Gemeinde " + string(g),
			"Land " + string(g.State())}
	}
	return out
}

// registered are the first n KGs of a register that the statistics office handed out: kg_code, kg_name, gemeinde_code,
// gemeinde_name, state_name.
func registered(file string, n int) ([]kg, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var out []kg
	for _, r := range rows[1:] {
		if len(r) < 5 {
			return nil, fmt.Errorf("%s: expected kg_code, kg_name, gemeinde_code, gemeinde_name, state_name, got %q", file, r)
		}
		code, err := austria.ParseKGCode(r[0])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		of, err := austria.ParseGemeindeCode(r[2])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		out = append(out, kg{code, r[1], of, r[3], r[4]})
	}
	slices.SortFunc(out, func(a, b kg) int { return cmp.Compare(a.Code, b.Code) })
	return out[:min(n, len(out))], nil
}

// marker is the file that says that the sources are whole.
func (c *country) marker() string { return fmt.Sprintf("made-%d-%s", len(c.kgs), c.kgs[0].Code) }

// seed is what the ground of KG i is made from.
func (c *country) seed(i int) uint64 {
	if c.later && changes(i) {
		return uint64(i) + 1<<32
	}
	return uint64(i)
}

// progress says how far a stage is, every hundredth.
func progress(stage string, done, all int) {
	if step := max(all/100, 1); done%step == 0 || done == all {
		fmt.Fprintf(os.Stderr, "\r%s: %d of %d ", stage, done, all)
		if done == all {
			fmt.Fprintln(os.Stderr)
		}
	}
}
