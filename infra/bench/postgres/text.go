package postgres

import (
	"net"
	"strconv"
	"strings"

	"mappe/shared/geo/geom"
)

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

var escapes = strings.NewReplacer("\\", "\\\\", "\t", "\\t", "\n", "\\n", "\r", "\\r")

// Row is a line as COPY reads it; none stands for a column without a value.
func Row(columns ...string) string {
	for i, c := range columns {
		columns[i] = escapes.Replace(c)
	}
	return strings.Join(columns, "\t") + "\n"
}

// MultiPolygon is a geometry as PostGIS reads it, in WGS84, with all of its seven decimals.
func MultiPolygon(m geom.MultiPolygon) string {
	b := []byte("SRID=4326;MULTIPOLYGON(")
	for i, p := range m {
		b = append(separated(b, i), '(')
		for j, r := range p {
			b = append(separated(b, j), '(')
			for k := range len(r) + 1 {
				b = position(separated(b, k), r[k%len(r)])
			}
			b = append(b, ')')
		}
		b = append(b, ')')
	}
	return string(append(b, ')'))
}

// Line is a line as PostGIS reads it.
func Line(vertices []geom.Point) string {
	b := []byte("SRID=4326;LINESTRING(")
	for i, p := range vertices {
		b = position(separated(b, i), p)
	}
	return string(append(b, ')'))
}

// Point is a point as PostGIS reads it.
func Point(p geom.Point) string {
	return string(append(position([]byte("SRID=4326;POINT("), p), ')'))
}

func separated(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}

func position(b []byte, p geom.Point) []byte {
	b = strconv.AppendFloat(b, p.Lon(), 'f', 7, 64)
	return strconv.AppendFloat(append(b, ' '), p.Lat(), 'f', 7, 64)
}
