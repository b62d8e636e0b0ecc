package sample

import (
	"archive/zip"
	"bytes"
	"strings"
	"time"
)

// packed is a zip file that is written; files of the same content have the same bytes.
type packed struct {
	b bytes.Buffer
	z *zip.Writer
}

func newPacked() *packed {
	p := &packed{}
	p.z = zip.NewWriter(&p.b)
	return p
}

// day is the date of every entry.
var day = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func (p *packed) add(name, content string) { p.put(name, []byte(content), zip.Deflate) }

func (p *packed) put(name string, content []byte, method uint16) {
	w, err := p.z.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: day})
	if err == nil {
		_, err = w.Write(content)
	}
	if err != nil {
		panic(err) // a buffer takes everything
	}
}

func (p *packed) bytes() []byte {
	if err := p.z.Close(); err != nil {
		panic(err)
	}
	return p.b.Bytes()
}

var xmlText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

func esc(s string) string { return xmlText.Replace(s) }

const xmlHead = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
