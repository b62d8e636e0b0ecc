// Package ask asks the services of a running Mappe from the command line: an operation of the endpoint table becomes a
// request, the answer a table for people, JSON or CSV. It owns what stands where on a command line and how answers are
// shown; the operations, their parameters and what is allowed are those of the endpoint table, and what a service refuses
// is told in the service's words. localdev/command/ask makes commands of it.
package ask
