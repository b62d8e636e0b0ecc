// Package archtest holds the house to its rules: who may import whom, where heavy dependencies live, how
// large a bootstrap may be, and that the template, the state machine and the code speak of the same
// things. It has tests only and is imported by none.
package archtest
