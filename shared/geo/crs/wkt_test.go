package crs

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mappe/infra/oracles"
)

const (
	gcsMGI  = `GEOGCS["GCS_MGI",DATUM["D_MGI",SPHEROID["Bessel_1841",6377397.155,299.1528128]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]`
	gcsETRS = `GEOGCS["GCS_ETRS_1989",DATUM["D_ETRS_1989",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]`
	gcsWGS  = `GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]`
	gkEast  = `PROJCS["MGI_Austria_GK_East",` + gcsMGI +
		`,PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",-5000000.0],PARAMETER["Central_Meridian",16.3333333333333],PARAMETER["Scale_Factor",1.0],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]`
	lambertM = `PROJCS["MGI_Austria_Lambert",` + gcsMGI +
		`,PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",400000.0],PARAMETER["False_Northing",400000.0],PARAMETER["Central_Meridian",13.3333333333333],PARAMETER["Standard_Parallel_1",49.0],PARAMETER["Standard_Parallel_2",46.0],PARAMETER["Latitude_Of_Origin",47.5],UNIT["Meter",1.0]]`
)

// Every system is known in the spelling of ESRI and of GDAL; what else PROJ knows is not taken for one of them.
func TestWKTOfGDAL(t *testing.T) {
	tool, dir := oracles.Program(t, "ogrinfo"), t.TempDir()
	source := filepath.Join(dir, "a.csv")
	if err := os.WriteFile(source, []byte("x,y\n1,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	systems := map[string]System{
		"4326": WGS84, "4258": WGS84, "3857": WebMercator, "3035": LAEA, "31287": LambertMGI, "31297": LambertMGI, "3416": LambertETRS89,
		"31254": GaussKruegerWest, "31255": GaussKruegerMid, "31256": GaussKruegerEast, "31257": MeldenetzWest, "31258": MeldenetzMid,
		"31259": MeldenetzEast,
		// their neighbours: MGI and NAD83 in degrees, UTM, strips with other origins or from Ferro, other LAEA and Lambert, Mercator of the
		// ellipsoid, feet
		"25832": UTM32, "25833": UTM33, "32632": UTM32WGS, "32633": UTM33WGS,
		"4312": 0, "4269": 0, "25831": 0, "25834": 0, "32733": 0, "31284": 0, "3034": 0, "3395": 0, "3906": 0, "3908": 0, "2263": 0,
	}
	file, layers := filepath.Join(dir, "a.vrt"), "" // one of each system, which one run tells of
	for code := range systems {
		layers += fmt.Sprintf(`<OGRVRTLayer name="EPSG-%s"><SrcDataSource>%s</SrcDataSource><SrcLayer>a</SrcLayer><LayerSRS>EPSG:%[1]s</LayerSRS><GeometryType>wkbPoint</GeometryType><GeometryField encoding="PointFromColumns" x="x" y="y"/></OGRVRTLayer>`, code, source)
	}
	if err := os.WriteFile(file, []byte("<OGRVRTDataSource>"+layers+"</OGRVRTDataSource>"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{"WKT1_ESRI", "WKT1", "WKT2_2019", "WKT2_2015"} {
		out, err := exec.Command(tool, "-so", "-al", "-wkt_format", form, file).Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", form, err, out)
		}
		told := strings.Split(string(out), "Layer name: EPSG-")[1:]
		if len(told) != len(systems) {
			t.Fatalf("%s: %d layers, expected %d\n%s", form, len(told), len(systems), out)
		}
		for _, layer := range told {
			code, rest, _ := strings.Cut(layer, "\n")
			_, text, ok := strings.Cut(rest, "Layer SRS WKT:\n")
			text, _, known := strings.Cut(text, "]\nData axis")
			if !ok || !known {
				t.Fatalf("EPSG:%s as %s:\n%s", code, form, layer)
			}
			want := systems[code]
			if got, err := FromWKT(text + "]"); got != want || (err == nil) != (want != 0) {
				t.Errorf("EPSG:%s as %s: want %d, got %d (%v)", code, form, int(want), int(got), err)
			}
		}
	}
}

func TestFromWKT(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want System
	}{
		"meridian of eight digits": {strings.Replace(gkEast, "16.3333333333333", "16.33333333", 1), GaussKruegerEast},
		"meridian of four digits":  {strings.Replace(gkEast, "16.3333333333333", "16.3333", 1), 0},
		"Gauss-Krüger":             {strings.Replace(gkEast, "Transverse_Mercator", "Gauss_Kruger", 1), GaussKruegerEast},
		"no scale":                 {strings.Replace(gkEast, `PARAMETER["Scale_Factor",1.0],`, "", 1), GaussKruegerEast},
		"another scale":            {strings.Replace(gkEast, `"Scale_Factor",1.0`, `"Scale_Factor",0.9996`, 1), 0},
		"another northing":         {strings.Replace(gkEast, "-5000000.0", "0", 1), 0},
		"strip on GRS80":           {strings.Replace(gkEast, gcsMGI, gcsETRS, 1), 0},
		"feet":                     {strings.Replace(gkEast, `UNIT["Meter",1.0]`, `UNIT["Foot",0.3048]`, 1), 0},
		"a parameter twice": {strings.Replace(gkEast, `PARAMETER["Scale`,
			`PARAMETER["Central_Meridian",16.3333333333333],PARAMETER["Scale`, 1), 0},
		"an unknown parameter":    {strings.Replace(gkEast, `PARAMETER["Scale`, `PARAMETER["Azimuth",45],PARAMETER["Scale`, 1), 0},
		"no number":               {strings.Replace(gkEast, "-5000000.0", "x", 1), 0},
		"parallels the other way": {strings.NewReplacer(`_1",49`, `_1",46`, `_2",46`, `_2",49`).Replace(lambertM), LambertMGI},
		"Lambert on ETRS89":       {strings.Replace(lambertM, gcsMGI, gcsETRS, 1), LambertETRS89},
		"Lambert on WGS84":        {strings.Replace(lambertM, gcsMGI, gcsWGS, 1), LambertETRS89},
		"the name of another":     {strings.Replace(lambertM, "MGI_Austria_Lambert", "unnamed", 1), LambertMGI},
		"a name without its numbers": {`PROJCS["MGI_Austria_Lambert",` + gcsMGI +
			`,PROJECTION["Lambert_Conformal_Conic"],UNIT["Meter",1.0]]`, 0},
		"round brackets":          {strings.NewReplacer("[", "(", "]", ")").Replace(gcsWGS), WGS84},
		"byte-order mark, blanks": {"\ufeff " + strings.ReplaceAll(gcsWGS, ",", " ,\r\n ") + " \n", WGS84},
		"meridian of Ferro":       {strings.Replace(gcsWGS, `"Greenwich",0.0`, `"Ferro",-17.6666666666667`, 1), 0},
		"gon":                     {strings.Replace(gcsWGS, "0.0174532925199433", "0.0157079632679489", 1), 0},
		"name of WGS84 on Bessel": {strings.NewReplacer("6378137.0", "6377397.155", "298.257223563", "299.1528128").Replace(gcsWGS),
			0},
		"a vertical system":            {`VERTCS["x",UNIT["Meter",1.0]]`, 0},
		"empty":                        {"", 0},
		"not closed":                   {gcsWGS[:len(gcsWGS)-1], 0},
		"with something behind":        {gcsWGS + "]", 0},
		"a text that is not closed":    {`GEOGCS["WGS`, 0},
		"deep":                         {strings.Repeat("A[", 10_000), 0},
		"more than 16 KB":              {strings.Replace(gcsWGS, "GCS_WGS_1984", strings.Repeat("x", 16<<10), 1), 0},
		"a page of something else":     {"<html>404</html>", 0},
		"nothing in the brackets":      {"GEOGCS[]", 0},
		"a text where a comma belongs": {`GEOGCS["a" "b"]`, 0},
	} {
		if got, err := FromWKT(c.text); got != c.want || (err == nil) != (c.want != 0) {
			t.Errorf("%s: want %d, got %d (%v)", name, int(c.want), int(got), err)
		}
	}
	if _, err := FromWKT(strings.Replace(gkEast, "-5000000.0", "0", 1)); err == nil ||
		!strings.Contains(err.Error(), `"MGI_Austria_GK_East"`) || !strings.Contains(err.Error(), "31256") {
		t.Errorf("the system and what is read are not named: %v", err)
	}
}

func FuzzFromWKT(f *testing.F) {
	for _, s := range []string{gkEast, lambertM, gcsWGS, "A[", `A["`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, err := FromWKT(s); (got == 0) == (err == nil) || got != 0 && got.Name() == "" {
			t.Errorf("%d %v", int(got), err)
		}
	})
}

// The text of each system is that of GDAL, and names the system it came from.
func TestESRI(t *testing.T) {
	for _, s := range AllSystems() {
		if got, err := FromWKT(s.ESRI()); err != nil || got != s {
			t.Errorf("%v: %v, %v", s, got, err)
		}
	}
	tool := oracles.Program(t, "ogrinfo")
	dir := t.TempDir()
	for _, s := range AllSystems() {
		file := filepath.Join(dir, fmt.Sprintf("%d.vrt", s))
		layer := fmt.Sprintf(`<OGRVRTDataSource><OGRVRTLayer name="a"><SrcDataSource>%s/a.csv</SrcDataSource><LayerSRS>EPSG:%d</LayerSRS>`+
			`<GeometryType>wkbPoint</GeometryType><GeometryField encoding="PointFromColumns" x="x" y="y"/></OGRVRTLayer></OGRVRTDataSource>`, dir, s)
		if err := errors.Join(os.WriteFile(filepath.Join(dir, "a.csv"), []byte("x,y\n1,2\n"), 0o600),
			os.WriteFile(file, []byte(layer), 0o600)); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(tool, "-so", "-al", "-wkt_format", "WKT1_ESRI", file).Output()
		_, text, _ := strings.Cut(string(out), "Layer SRS WKT:\n")
		text, _, _ = strings.Cut(text, "\nData axis")
		if text = strings.NewReplacer("\n", "", " ", "").Replace(text); err != nil || text != s.ESRI() {
			t.Errorf("%v: GDAL says %s, %v\nwant %s", s, text, err, s.ESRI())
		}
	}
}
