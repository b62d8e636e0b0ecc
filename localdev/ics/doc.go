// Package ics reads the events of an iCalendar file (RFC 5545) as rules of shared/recurrence: DTSTART,
// RRULE, EXDATE, RDATE and RECURRENCE-ID. It owns the file's syntax and what its zone names mean; it does
// not own what a rule means. The expand command calls it.
//
// An event that cannot be read rightly has an error of its own and does not keep the others from being
// read. Zone names are IANA names, also behind a prefix (/mozilla.org/20050126_1/Europe/Berlin), the
// X-LIC-LOCATION of the file's VTIMEZONE, or the names Windows has; what a VTIMEZONE itself defines is not
// used.
//
// An UNTIL without Z, which RFC 5545 allows beside a DTSTART without zone only, is read as the wall time
// of the event's zone, and a date as its whole day: files that depart from the letter mean that.
package ics
