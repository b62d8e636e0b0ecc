// Package query answers filters over all parcels of the country and what they sum to: /query, /stats and
// /landuse/distribution. It owns the filters, the order of answers, the rules of the statistics and their
// snapshots. What is filtered by are the columns of artefacts/columns, by district; rows of a page are drawn from
// the KG files, of which only those on the page are opened.
//
//	request ─▶ plan (KGs, filter) ─▶ scan (columns of a few districts at a time) ─▶ hits of the page, totals
//	                                                                     └─▶ KG files of the page ─▶ rows
//
// A KG whose summary rules every row out is passed over, one whose summary lets every row in is counted from it.
// With version= the columns are made from the KG files of that date, by the same scan.
package query
