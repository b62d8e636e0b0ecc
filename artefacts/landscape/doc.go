// Package landscape is what analysis makes of KGs: the record that the search index has of each, and the objects on it. It owns
// the tables of columns (names, units, meanings, values), from which answers, files, filters and orders are made, and two files in
// parts (artefacts/sectionfile): that of a KG, and the index of the country. builders/landscape writes them, functions/landscape/index
// reads them.
//
// # The file of a KG, family "lkg1"
//
//	head            1 row a section of a layer: text code of the KG, fingerprint · text layer · text id of the first row ·
//	                box of the rows (2 places) · ints rows
//	buildings-NNNNN, changes-, infrastructure-, new_buildings-, parcels-, samples-, segments-, trees-
//	                rows of a layer, at most as many as the layer allows: its columns, its lists, its outlines
//	record          1 row: the columns of the record, then landcover, loss of forest, classification, divergence
//
// # The index of the country, family "lid1"
//
//	buildings-KKKKK, parcels-KKKKK   rows of KG KKKKK: the columns of Built, of Land
//	figures-buildings-NN             columns of Figured and the form of the roof (0 none, else 1 and its place in RoofTypes) of the
//	                                 buildings of FigureKGs KGs, in the order of ranges-buildings
//	kgs                              1 row a KG: texts file and fingerprint, the columns of the record, then its lists
//	ranges-buildings, -parcels       1 row a KG that has some: text code · ints rows · least and greatest of each numeric column
//	top-NAME, top-objects-TTT        the first of the country: text code of the KG and the columns of the thing
//	worth-parcels                    1 row a KG with parcels: text code · ints greatest worth in hundredths
//
// A section is columns as artefacts/internal/column draws them. A number is ints: 0 none, else 1 and the zigzag of the value in
// units of its last decimal. A place is signed longitude and latitude against the row before. A list is: many entries · ints
// entries a row · the columns of the entries. Outlines are: signed corner · many bytes · ints bytes a row · frame.
//
// Parcels stand by number as text; all else stands by cells of 0.005 degree from the north, then from the west, so that a box
// asks for few sections.
package landscape
