// Package pmt is the PMTiles archive, version 3: one immutable file of map tiles that a client or a CDN
// reads by ranges. It owns the bytes (header, directories, tile order) and both directions, and works on
// byte slices and io.ReaderAt only. It does not know what a tile holds (builders/tiles does).
//
// Layout of an archive as written here, all numbers little-endian:
//
//	offset  bytes  content
//	0       127    header (Header)
//	127     n      root directory, gzip; header and root end within the first 16,384 bytes
//	...     n      metadata, one JSON object, gzip
//	...     n      leaf directories, gzip each; none when the root holds all entries
//	...     n      tile contents, in rising tile id ("clustered"), equal contents stored once
//
// A directory is columns of varints: number of entries; tile id deltas; run lengths (0 marks a leaf
// directory); lengths; offsets, where 0 means "right behind the one before" and anything else is offset+1.
// A tile id counts the tiles of all lower zooms and then along the Hilbert curve of its own zoom.
package pmt
