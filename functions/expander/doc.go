// Package expander is the HTTP service over shared/recurrence: recurrence rules and cron expressions to
// exact instants, three occurrences of one rule for free, 25 rules of 500 for a payment. It owns paths,
// the form of errors and answers, the page a person types a rule into, and what discovery documents say.
// It does not own what a rule means (shared/recurrence) nor how a payment is made (shared/cloud/pay): the
// gate comes in through Deps, and without one the paid route is closed.
//
// localdev and functions/expander/lambda mount it; localdev's expand command writes its bodies.
package expander
