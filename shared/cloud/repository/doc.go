// Package repository is a client of a research repository that speaks Zenodo's REST API: it makes deposits, streams files
// into them, publishes them, makes new versions of what is published, and reads records back.
//
//	POST   /api/deposit/depositions                       201  a draft; links.bucket, links.publish, links.newversion
//	GET    /api/deposit/depositions?q=&size=&page=        200  the account's own
//	GET    /api/deposit/depositions/{id}                  200  state, submitted, files
//	PUT    /api/deposit/depositions/{id}                  200  its metadata
//	DELETE /api/deposit/depositions/{id}                  204  discards a draft
//	DELETE /api/deposit/depositions/{id}/files/{file}     204
//	PUT    {links.bucket}/{name}                          201  checksum "md5:..."
//	POST   /api/deposit/depositions/{id}/actions/publish  202  from now on nothing of it changes
//	POST   /api/deposit/depositions/{id}/actions/newversion 201  links.latest_draft; again gives the same draft
//	GET    /api/records/{id}                              200  a published record with its files
//
// What may be repeated (GET, PUT, DELETE) is repeated here after a break and a 5xx; a POST is not: its outcome is
// ErrUnknown, and the caller looks what became of it. A 429, which says that nothing was done, is waited for whatever
// the method, and so is a limit that X-RateLimit-Remaining says is used up. No file is ever held in memory.
//
// It knows nothing of what the files mean: builders/archive does.
package repository
