// Package feedback takes in reports about a service and lists them: POST and GET /api/v1/feedback. It owns the form
// of a report, its limits and its records in the ledger; each service that has the endpoints takes them from New and
// says which categories it has. Text is stored and returned as text: nothing of it is ever written as HTML.
//
// # Records
//
// A report is one record of the partition feedback/<service>, under its number in 12 digits. Numbers are dense: a
// writer reads the newest record and writes the next number where no record has it, again where another was faster.
// So the newest number is the count of reports, and the report of 1,000 numbers ago says whether a day was full.
package feedback
