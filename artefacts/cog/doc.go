// Package cog reads and writes GeoTIFF files, the rasters of the project: cloud optimised ones (COG) of its own, whose
// directories and overviews stand in front of the tiles, so that a window costs a read of the front and one of
// neighbouring tiles; and those that other programs write, as sources are handed out.
//
// Written is a TIFF of bytes, whole numbers of 16 bits or float32, in one band or several beside each other, NaN or a number
// that is named where a value is not known; in square tiles of 512 cells with predictor 2, of float32 3, packed by zstd (50000)
// or deflate (8), both with a sum that readers hold the bytes to; little-endian, as a BigTIFF from 4 GiB on. The directory of the
// full resolution stands first, then those of the overviews (each half of the one before, a cell the mean of the known ones of
// four, or of classes the most frequent one, down to one tile), then the tiles of the smallest overview to those of the full
// resolution. A tile without a known value is not stored (offset and length 0). North is up, a pixel is an area; the plane is an
// EPSG code in the GeoKeys. A Writer takes rows one after the other and holds one row of tiles of each resolution.
//
// Read are TIFF and BigTIFF of either byte order, in tiles or strips, not packed, or by PackBits, LZW, deflate, zstd or, of bytes, JPEG,
// predictors 1 to 3, samples of 8 to 64 bits (unsigned, signed, float), several bands beside each other or apart, tiles that
// are not stored, south-up files, pixels that are points, overviews; masks inside the file or beside it, bands of opacity,
// and GDAL's scale and offset. Not read are LERC, LZMA, rotated files and colour maps.
//
// What it stands for: cogger re-lays files that exist, x/image/tiff reads no float32, no predictor 3 and no BigTIFF, GDAL
// needs cgo and 174 MB of libraries in a function.
package cog

import "errors"

// ErrFormat is the error of a file of another form than those that are read, or of a damaged one.
var ErrFormat = errors.New("not a GeoTIFF that is read")

// Limits of a file.
const (
	maxImages = 64       // directories
	maxSide   = 1 << 20  // cells
	maxTiles  = 1 << 20  // of an image
	maxTile   = 64 << 20 // bytes of a decoded tile or strip
	maxText   = 1 << 16  // bytes of a text tag
	maxBands  = 64
)

// The codes of the TIFF specification and its additions.
const (
	tagSubfile, tagWidth, tagHeight, tagBits       = 254, 256, 257, 258
	tagCompression, tagPhotometric, tagDescription = 259, 262, 270
	tagStripOffsets, tagSamples, tagRowsPerStrip   = 273, 277, 278
	tagStripBytes, tagPlanar, tagPredictor         = 279, 284, 317
	tagTileWidth, tagTileHeight                    = 322, 323
	tagTileOffsets, tagTileBytes, tagSampleFormat  = 324, 325, 339
	tagExtraSamples                                = 338
	tagScale, tagTiepoint, tagMatrix               = 33550, 33922, 34264
	tagGeoKeys, tagMetadata, tagNoData             = 34735, 42112, 42113
	keyModel, keyRaster, keyGeographic, keyProject = 1024, 1025, 2048, 3072
	keyVerticalUnit                                = 4099
	packNone, packLZW, packDeflate, packOldDeflate = 1, 5, 8, 32946
	packZstd, packBits, packJPEG                   = 50000, 32773, 7
	tagTables                                      = 347
	photometricPalette                             = 3
	formatUint, formatInt, formatFloat             = 1, 2, 3
)
