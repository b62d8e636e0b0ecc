package build

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mappe/builders/source/outlines"
	"mappe/builders/source/remote"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/raster"
)

func rastersCommand() *cobra.Command {
	var template, area, source, date string
	c := &cobra.Command{
		Use:   "rasters --template URL --area AREA --source DIR",
		Short: "Take the rasters of an area out of large files on a server, by range",
		Long: `Take the rasters of an area out of files of 50 km on a server, by range, into the folder rasters/ of a raw source. A town
needs some MB of a file of 12 GB.

{N} and {E} in the address stand for the metres of a file's south-western corner in EPSG:3035. At most two requests are under way at once. A run
that was stopped goes on where it was; a file that has not changed is not read again. Files that the server does not have are named.`,
		Example: `  go run ./localdev rasters --template 'https://data.example/20240915/ALS_DTM_CRS3035RES50000mN{N}E{E}.tif' --area kg:99201 --source raw
  go run ./localdev rasters --template 'https://data.example/dsm/N{N}E{E}_DSM.tif' --date 20240915 --area 13.20,47.30,13.25,47.34 --source raw`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			box, err := areaOf(area, source)
			if err != nil {
				return err
			}
			if date, err = dateOf(date, template); err != nil {
				return err
			}
			client := remote.Client{Cache: filepath.Join(source, "rasters", ".parts")}
			done, err := client.Take(c.Context(), remote.Request{Template: template, Area: box, Out: filepath.Join(source,
				"rasters", date)})
			for _, t := range done {
				switch {
				case t.Missing:
					fmt.Fprintf(c.OutOrStdout(), "%s: the server has no such file\n", t.URL)
				case t.Kept:
					fmt.Fprintf(c.OutOrStdout(), "%s: unchanged\n", t.File)
				default:
					fmt.Fprintf(c.OutOrStdout(), "%s: %.1f MB\n", t.File, float64(t.Bytes)/1e6)
				}
			}
			return err
		},
	}
	c.Flags().StringVar(&template, "template", "", "address of the files, with {N} and {E}")
	c.Flags().StringVar(&area, "area", "",
		"kg:CODE or gemeinde:CODE, whose outlines the source has, or a box of degrees lon_min,lat_min,lon_max,lat_max")
	c.Flags().StringVar(&source, "source", "", "directory of the raw source")
	c.Flags().StringVar(&date, "date", "", "date of the layer as YYYYMMDD, where the address does not hold it")
	for _, name := range []string{"template", "area", "source"} {
		_ = c.MarkFlagRequired(name) // the flags exist: they are declared above
	}
	_ = c.MarkFlagDirname("source")
	return c
}

var dateIn = regexp.MustCompile(`(?:^|[^0-9])((?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01]))(?:[^0-9]|$)`)

// dateOf is the date that is given, or that an address holds.
func dateOf(given, template string) (string, error) {
	if given == "" {
		m := dateIn.FindStringSubmatch(template)
		if m == nil {
			return "", errors.New("the address holds no date: give it as --date YYYYMMDD")
		}
		given = m[1]
	}
	if _, err := time.Parse("20060102", given); err != nil {
		return "", fmt.Errorf("--date is %q: expected YYYYMMDD", given)
	}
	return given, nil
}

// areaOf is the box of an area in EPSG:3035.
func areaOf(area, source string) (raster.Box, error) {
	kind, code, named := strings.Cut(area, ":")
	if !named {
		return boxOf(area)
	}
	kgs, gemeinden, _, err := outlines.Read(os.DirFS(source))
	if err != nil {
		return raster.Box{}, err
	}
	switch kind {
	case "kg":
		for _, k := range kgs {
			if string(k.Code) == code {
				return around(k.Geometry.Bounds()), nil
			}
		}
	case "gemeinde":
		for _, g := range gemeinden {
			if string(g.Code) == code {
				return around(g.Geometry.Bounds()), nil
			}
		}
	default:
		return raster.Box{}, fmt.Errorf("--area is %q: expected kg:CODE, gemeinde:CODE or a box", area)
	}
	return raster.Box{}, fmt.Errorf("--area is %q: %s has no outline of it", area, source)
}

// boxOf reads lon_min,lat_min,lon_max,lat_max.
func boxOf(text string) (raster.Box, error) {
	var d [4]float64
	parts := strings.Split(text, ",")
	for i := range min(len(parts), 4) {
		v, err := strconv.ParseFloat(strings.TrimSpace(parts[i]), 64)
		if err != nil || !(math.Abs(v) <= 180) {
			parts = nil
			break
		}
		d[i] = v
	}
	if len(parts) != 4 || d[0] >= d[2] || d[1] >= d[3] || d[1] < -90 || d[3] > 90 {
		return raster.Box{}, fmt.Errorf("--area is %q: expected lon_min,lat_min,lon_max,lat_max in degrees", text)
	}
	unit := func(v float64) int32 { return int32(math.Round(v * geom.Scale)) }
	return around(geom.Box{MinX: unit(d[0]), MinY: unit(d[1]), MaxX: unit(d[2]), MaxY: unit(d[3])}), nil
}

// around is the box in the plane that holds one of degrees.
func around(b geom.Box) raster.Box {
	var ring []raster.XY
	const parts = 8 // of each side: a parallel is curved in the plane
	for i := range parts + 1 {
		for j := range parts + 1 {
			x, y := crs.EqualArea(geom.Point{X: b.MinX + int32(int64(b.MaxX-b.MinX)*int64(i)/parts),
				Y: b.MinY + int32(int64(b.MaxY-b.MinY)*int64(j)/parts)})
			ring = append(ring, raster.XY{X: x, Y: y})
		}
	}
	return raster.BoxOf([]raster.Polygon{{ring}})
}
