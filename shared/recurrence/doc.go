// Package recurrence owns what a recurrence rule means: RFC 5545 rules and POSIX cron expressions over IANA
// zones become exact instants, and wherever a clock changes the answer says so. Expand is a pure function:
// no clock, no files, no network; the zone data is embedded (package zones).
//
// A rule is expanded in floating wall time by the package's own generator, over day masks of the fourteen
// kinds of year there are; each wall time is then resolved by RFC 5545 3.3.5 over the zone's own
// transitions. Every search is bounded by counted steps, and rules that provably match nothing are not
// searched at all. docs/recurrence.md has the semantics. It is called by the expander and its commands.
package recurrence
