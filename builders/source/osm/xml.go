package osm

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/klauspost/compress/gzip"
)

// maxXML bounds what an extract in XML unpacks to. Larger ones are handed out as PBF.
const maxXML = 4 << 30

func readGzip(r io.Reader, v *Visitor) error {
	z, err := gzip.NewReader(r)
	if err != nil {
		return err
	}
	defer z.Close()
	return readXML(z, v)
}

// xmlReader gathers one element at a time.
type xmlReader struct {
	v        *Visitor
	open     string // element that is being read: node, way, relation
	node     Node
	way      Way
	relation Relation
	tags     Tags
}

func readXML(r io.Reader, v *Visitor) error {
	limited := &io.LimitedReader{R: r, N: maxXML}
	d := xml.NewDecoder(limited)
	d.CharsetReader = func(charset string, _ io.Reader) (io.Reader, error) {
		return nil, fmt.Errorf("text in %.20q: UTF-8 is read", charset)
	}
	x := &xmlReader{v: v}
	root := false
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			if limited.N <= 0 {
				return fmt.Errorf("an extract of more than %d bytes", int64(maxXML))
			}
			if !root {
				return errors.New("the file has no element osm")
			}
			return nil
		}
		if err != nil {
			return err
		}
		switch e := t.(type) {
		case xml.StartElement:
			if !root {
				if e.Name.Local != "osm" {
					return fmt.Errorf("the file begins with <%.20s>: want <osm>", e.Name.Local)
				}
				root = true
			}
			err = x.start(&e)
		case xml.EndElement:
			err = x.end(e.Name.Local)
		}
		if err != nil {
			return err
		}
	}
}

func attribute(e *xml.StartElement, name string) string {
	for i := range e.Attr {
		if e.Attr[i].Name.Local == name {
			return e.Attr[i].Value
		}
	}
	return ""
}

func (x *xmlReader) start(e *xml.StartElement) error {
	switch e.Name.Local {
	case "osm", "meta":
		date := attribute(e, "timestamp") + attribute(e, "osm_base")
		if x.v.Date != nil && len(date) >= len("2026-10-01") {
			x.v.Date(date[:len("2026-10-01")])
		}
	case "node", "way", "relation":
		return x.begin(e)
	case "tag":
		if x.open == "" {
			return nil
		}
		if len(x.tags) == maxTags {
			return errTooMany
		}
		x.tags = append(x.tags, Tag{attribute(e, "k"), attribute(e, "v")})
	case "nd":
		id, err := strconv.ParseInt(attribute(e, "ref"), 10, 64)
		if err != nil || len(x.way.Nodes) == maxNodes {
			return fmt.Errorf("way %d: a node %.20q, or too many", x.way.ID, attribute(e, "ref"))
		}
		x.way.Nodes = append(x.way.Nodes, id)
	case "member":
		id, err := strconv.ParseInt(attribute(e, "ref"), 10, 64)
		kind, known := map[string]MemberType{"node": NodeMember, "way": WayMember, "relation": RelationMember}[attribute(e, "type")]
		if err != nil || !known || len(x.relation.Members) == maxMembers {
			return fmt.Errorf("relation %d: a member %.20q of the type %.20q, or too many", x.relation.ID, attribute(e, "ref"),
				attribute(e, "type"))
		}
		x.relation.Members = append(x.relation.Members, Member{kind, id, attribute(e, "role")})
	}
	return nil
}

func (x *xmlReader) begin(e *xml.StartElement) error {
	id, err := strconv.ParseInt(attribute(e, "id"), 10, 64)
	if err != nil {
		return fmt.Errorf("<%s id=%.20q>: want a number", e.Name.Local, attribute(e, "id"))
	}
	x.open, x.tags = e.Name.Local, x.tags[:0]
	x.node, x.way, x.relation = Node{ID: id}, Way{ID: id, Nodes: x.way.Nodes[:0]}, Relation{ID: id, Members: x.relation.Members[:0]}
	if x.open != "node" {
		return nil
	}
	lon, errLon := strconv.ParseFloat(attribute(e, "lon"), 64)
	lat, errLat := strconv.ParseFloat(attribute(e, "lat"), 64)
	if errLon != nil || errLat != nil || !(math.Abs(lon) <= 180 && math.Abs(lat) <= 90) {
		return fmt.Errorf("node %d: %w", id, errPosition)
	}
	x.node.At, err = positionOf(int64(math.Round(lon*1e7)), int64(math.Round(lat*1e7)))
	return err
}

func (x *xmlReader) end(name string) error {
	if name != x.open {
		return nil
	}
	x.open = ""
	switch {
	case name == "node" && x.v.Node != nil:
		x.node.Tags = x.tags
		return x.v.Node(&x.node)
	case name == "way" && x.v.Way != nil:
		x.way.Tags = x.tags
		return x.v.Way(&x.way)
	case name == "relation" && x.v.Relation != nil:
		x.relation.Tags = x.tags
		return x.v.Relation(&x.relation)
	}
	return nil
}
