// Package exact runs the functions of template.yaml as the cloud runs them: their real bootstraps, as
// child processes behind the Lambda Runtime API, behind an edge that routes and limits as the template's
// CloudFront distribution and Function URLs do.
//
// It emulates what decides whether a request that works here works there: path patterns, methods, the
// origin secret and its rotation (a stand-in for Secrets Manager on 127.0.0.1), the client's address,
// environment, time-outs, concurrency, one invocation per process at a time, body and answer limits,
// streaming with its error trailers. It does not emulate IAM, caching at the edge,
// bandwidth and memory (memory is measured and reported). What it does not know and what would change
// behaviour stops Start with file and line; nothing is silently left out.
package exact
