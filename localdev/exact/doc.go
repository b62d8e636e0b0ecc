// Package exact runs the functions of template.yaml as the cloud runs them: their real bootstraps, as
// child processes behind the Lambda Runtime API, behind an edge that routes and limits as the template's
// CloudFront distribution and Function URLs do. Objects and records are in folders and SQLite files, or in servers of S3
// and DynamoDB (Servers; package servers starts some), with buckets and tables as the template declares them.
//
// It emulates what decides whether a request that works here works there: path patterns, methods, origin secrets and
// their rotation, the client's address, environment, time-outs, memory (on Linux), concurrency, limits of bodies and
// answers, streaming with its error trailers; Faults break it on purpose. It does not emulate IAM, caching at the edge
// and bandwidth. What it does not know and what would change behaviour stops Start with file and line.
package exact
