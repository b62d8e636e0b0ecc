package main

import (
	"archive/zip"
	"bytes"
	"debug/buildinfo"
	"io"
	"io/fs"

	"mappe/infra/pack"
)

// advisories are those of the bootstrap in an archive.
func advisories(db fs.FS, archive string) ([]pack.Advisory, error) {
	z, err := zip.OpenReader(archive)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	f, err := z.Open("bootstrap")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	body, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	info, err := buildinfo.Read(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	return pack.Advisories(db, info)
}
