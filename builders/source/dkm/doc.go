// Package dkm reads the survey office's cadastral map (DKM) as it is handed out, as GeoPackages of the whole
// country, and answers like a server of vector tiles: Source is a kg.TileReader. Assembly, repair, fingerprint
// and recorder of builders/kg and builders/national thus stay as they are, a KG is built from the few tiles
// around it, and the file is never in memory.
//
// A tile is made when it is asked for: the layer's R-tree finds the features in the tile's box, their vertices
// are projected to the grid of the zoom, and each feature that touches the tile stands in it whole, unclipped.
// The grid is 2^31 wide, 1.3 cm in Austria, at every zoom: the extent of a tile is 2^(31-zoom). Vertices that
// two parcels share in the file fall on one grid position.
//
//	file     KAT_DKM_GST_epsg31287_YYYYMMDD.gpkg, and further files of the same form (NFL, GNR, NSY)
//	layers   of all files together, found by name, by what they draw and by their columns, in any letter case:
//	         GST  areas   KG GNR [EZ RSTATUS]  parcels            -> kataster, gst (every zoom)
//	         NFL  areas   NS                   land use           -> kataster, nfl
//	         GNR  points  GNR [KG RSTATUS ROT] number labels      -> kataster, gnr
//	         NSY  points  NS [ROT]             land-use symbols   -> symbole, nsy
//
// Only GST must be there; without the others the land use, the labels' places and the symbols are missing. A
// feature that cannot be read (curves, broken bytes) is left out and counted once: Problems tells.
package dkm
