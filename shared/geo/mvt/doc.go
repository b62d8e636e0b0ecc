// Package mvt is the Mapbox vector tile format 2.1 in own code: a strict decoder for foreign bytes, a
// deterministic encoder, and the mathematics of the tile grid. It owns bytes and integers in tile
// pixels; it knows no layers, no attributes' meaning, no files and no network.
//
//	tile     field 3  layer, repeated
//	layer    15 version (1 or 2) · 1 name · 2 feature, repeated · 3 key · 4 value · 5 extent (4096 when absent)
//	feature  1 id · 2 tags (key index, value index)... · 3 type (1 point, 2 line, 3 polygon) · 4 geometry
//	value    1 string · 2 float · 3 double · 4 int · 5 uint · 6 sint · 7 bool
//	geometry command integers (id | count<<3): 1 MoveTo, 2 LineTo, 7 ClosePath; zigzag deltas
//
// Pixels run right and down from the tile's north-west corner. An exterior ring has positive area in
// that space (it runs clockwise on the screen), an interior ring negative. Rings are held without the
// repeated closing vertex.
//
// Grid positions: at zoom 15 with extent 4096 one pixel is 0.299 m on the equator and 0.2 m in Austria,
// so a vertex moves by at most half of that when it is snapped. Grid.Point and Grid.Snap are inverse on
// grid positions while a pixel is wider than two units of 1e-7 degree (zoom + log2 extent up to 29).
package mvt
