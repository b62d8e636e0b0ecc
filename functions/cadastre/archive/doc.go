// Package archive is the part of the cadastre that starts work on KGs and tells of it: processing from the source, joining
// of address points, loading of KGs before they are asked for, the state of the archive in the research repository, and
// what this process is doing. It orders jobs (shared/cloud/processing) and builds nothing: builders/processing does.
//
//	POST /api/inspire/process/{kg_code}    a job, or why none
//	GET  /api/inspire/status/{kg_code}     the newest job of the KG
//	GET  /api/inspire/list                 the KGs that were processed
//	GET  /api/archive/status               what is archived
//	POST /api/v1/buildings/repair          a job for each KG that needs it
//	GET  /api/v1/buildings/repair/stats
//	POST /api/v1/prewarm                   warm-up requests
//	GET  /api/v1/prewarm/stats
//	GET  /api/v1/debug/inflight            requests that this process answers now
//
// What starts work and debug/inflight ask for the operator's token where one is set up.
package archive
