// Package mirror keeps a directory like the cells that a service publishes: the container of every KG and the dictionaries
// that they are packed with, each held to its digests, by the deltas of the manifest.
//
//	DIR/mirror.json        what is here: service, publication, and the generation of each KG
//	DIR/kg/{code}.ne       the container of a KG
//	DIR/dict/{id}.zdict    a dictionary
//
// A run that was stopped goes on where it was: containers that are here are not asked for again, and one that was cut short
// is continued by Range.
package mirror
