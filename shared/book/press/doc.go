// Package press is the whole way from the bytes of a manuscript to the files of a book: Open reads, repairs
// and examines, Build sets, writes and checks. The preflight report and the build use the same Manuscript,
// so the report tells what the build does. It owns the order of the steps, their names, and the words a
// failed build is explained with; what the steps do is in the packages it calls (Parts).
//
//	bytes ──Open──▶ Manuscript (book, findings, report) ──Build──▶ PDF and EPUB, each checked
//
// It does no I/O and reads no clock: the same bytes, specification and Job give the same files.
package press
