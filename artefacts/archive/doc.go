// Package archive is what is noted of the snapshots in the research repository, as JSON documents in the object store:
//
//	archive/kg/{code}.json    Journal: the records of a KG, and the one that is being made
//	archive/{set}/{code}.json Journal of the products of a KG, one for each licence
//	archive/manifest.json     Manifest: a line for each archived KG, and the totals; public
//
// Both are replaced with If-Match. A journal is written before and after each step in the repository whose outcome must
// not be lost (builders/archive), so that a worker which dies is gone on from, and nothing is archived twice.
//
// A record holds one dated snapshot of one KG under the names <kg>-<date>.<form>. Records of one KG are versions of one
// concept: the address of the concept leads to the latest, and none ever changes. Which snapshot a record holds says the
// SHA-256 of its .kgs: data that did not change under a new date is not archived again. Of products it is that of the STAC
// item, which names all others.
package archive
