// Package kg puts one Katastralgemeinde together from the survey office's vector tiles and makes its
// snapshot (kgfile.Snapshot) with every derived field. It owns the assembly, the repairs and the metrics;
// it reads tiles through an interface and writes nothing.
//
// A polygon arrives cut into pieces, one in each tile it touches, each a little larger than the tile (the
// buffer), with vertices of its own where it was cut. How the pieces become the polygon again:
//
//  1. All work is on the integer grid of the zoom (tile * extent + pixel), where a vertex has one name in
//     every tile that shows it.
//  2. A vertex is true when the tile in whose own half-open square it lies shows it. Cutting happens a
//     buffer away from that square, so a vertex made by cutting is never true, and every true vertex is
//     found exactly once.
//  3. A piece's ring that lies in its tile's own square is a whole ring and is taken as it is.
//  4. Else the edge that leaves a true vertex is followed: to the next vertex when that is true too, or to
//     the place where the buffer cuts it. The tile that owns that place goes on drawing the same edge (it
//     starts in the same vertex, or in a cut of its own near the line), and so on to the end of the edge,
//     which is true. The edge is thus the original one, without a kink, however many tiles it crosses.
//  5. Edges close to rings; holes go to the smallest exterior around them. Both sides of a border find the
//     same vertices, so borders stay shared; where one side has a corner the other lacks, it is set in.
//  6. What does not close (a tile is missing, two tiles draw different things) is cut to the tiles' squares
//     and united by an overlay, and flagged. A parcel without area stays, with its label's position.
//
// Land-use shapes have no identity in the source; the pieces of one code form one pool, in which the same
// rule finds the edge that continues another. Thresholds of classes stand with parcelShape, footprintShape,
// footprintSize and typology. Footprints are the shapes of code 41; LandUse holds all other codes, and
// UseAreas of a parcel both.
package kg
