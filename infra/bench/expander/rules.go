package main

import "encoding/json"

// The loads: 25 rules of 500 occurrences each, over zones with and without clock changes, all beginning in
// a winter of the north. Every rule has its 500 occurrences.
var zones = []string{"Europe/Vienna", "America/New_York", "Australia/Sydney", "Asia/Kolkata", "America/Sao_Paulo"}

var rrules = []string{
	"FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "FREQ=MONTHLY;BYDAY=2TU", "FREQ=MONTHLY;BYMONTHDAY=-1",
	"FREQ=DAILY;INTERVAL=3;BYHOUR=9,14;BYMINUTE=30",
}

var crons = []string{"*/15 * * * *", "0 9 * * 1-5", "30 2 * * *", "0 0 1 * *", "15 6,18 * * SUN"}

type rule struct {
	RRule string `json:"rrule,omitempty"`
	Cron  string `json:"cron,omitempty"`
	TZ    string `json:"tz"`
	Start string `json:"start"`
	Count int    `json:"count"`
}

// request is the body of a load. Part of its rules are cron expressions.
func request(isCron func(i int) bool) []byte {
	var r struct {
		Rules []rule `json:"rules"`
	}
	for i := range 25 {
		one := rule{TZ: zones[i/5], Start: "2026-01-15T09:00:00", Count: 500}
		if isCron(i) {
			one.Cron = crons[i%5]
		} else {
			one.RRule = rrules[i%5]
		}
		r.Rules = append(r.Rules, one)
	}
	b, err := json.Marshal(r)
	if err != nil { // texts and numbers marshal
		panic(err)
	}
	return b
}
