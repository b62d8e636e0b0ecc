// Package view is how a request sees the published data: one generation, pinned for the whole request, or
// the snapshots of a date in it. It owns how a KG is opened and how an answer says what is missing from it,
// the parameter version=, and what an ETag derives from. Every family that reads KGs calls it; lists of
// rows are functions/core/rows, which most endpoints call instead.
//
//	v, err := view.Of(ctx)                      // the generation that the service pinned (functions/core/generation)
//	var gaps view.Missing
//	f, err := v.Read(ctx, code, &gaps)          // nil where the KG is cold or damaged: gaps says which and why
//	...
//	return gaps.Mark(&reply.Rows{...}), nil     // meta.ready, kgs_warming, kgs_unavailable; never cached
//
// An endpoint that reads parcels, address points or footprints is declared through Versioned, which adds
// version= to it; Of then gives the view of that date. Its Depends names the KGs that decide its answer with
// View.Depends.
//
// Why a KG is missing is one type, Absence, and what follows from it one table beside it: the flags, the status of an
// answer about that KG alone, whether the answer is cached. An error of the store is no absence: it ends the request.
package view
