package recurrence

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

func randomStart(r *rand.Rand) string {
	return time.Date(1997+r.IntN(40), 1, 1+r.IntN(365), r.IntN(24), r.IntN(60), r.IntN(60), 0, time.UTC).Format("2006-01-02T15:04:05")
}

// pick lists up to n different values of [low, high], with a sign at random where signed.
func pick(r *rand.Rand, n int, low, high int, signed bool) string {
	var list []string
	for range 1 + r.IntN(n) {
		v := low + r.IntN(high-low+1)
		if signed && r.IntN(3) == 0 {
			v = -v
		}
		if text := fmt.Sprint(v); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return strings.Join(list, ",")
}

// randomRule is a valid rule of RFC 5545 whose matches are not too far apart for the slowest peer.
func randomRule(r *rand.Rand) peerCase {
	c := peerCase{Start: randomStart(r), Count: 12}
	freq := frequency(r.IntN(7))
	if freq > daily && r.IntN(4) > 0 {
		freq = frequency(r.IntN(4)) // the peers need minutes for sparse rules of short periods
	}
	parts := []string{"FREQ=" + frequencies[freq]}
	by := false
	add := func(odds int, name, value string) {
		if r.IntN(odds) == 0 {
			parts = append(parts, name+"="+value)
			by = true
		}
	}
	if r.IntN(2) == 0 {
		parts = append(parts, fmt.Sprintf("INTERVAL=%d",
			1+r.IntN(map[frequency]int{yearly: 4, monthly: 14, weekly: 6, daily: 20, hourly: 30, minutely: 100, secondly: 200}[freq])))
	}
	if r.IntN(3) == 0 {
		parts = append(parts, "WKST="+weekdayCodes[r.IntN(7)])
	}
	add(4, "BYMONTH", pick(r, 4, 1, 12, false))
	days := r.IntN(5)
	weeks := freq == yearly && r.IntN(5) == 0
	if weeks {
		add(1, "BYWEEKNO", pick(r, 4, 1, 53, true))
		days = 0
	}
	if days == 1 && freq != weekly {
		add(1, "BYMONTHDAY", pick(r, 4, 1, 31, true))
	}
	if days == 2 && (freq == yearly || freq > daily) {
		add(1, "BYYEARDAY", pick(r, 4, 1, 366, true))
	}
	if weeks || days == 0 || days == 3 || days == 1 && r.IntN(3) == 0 {
		var list []string
		for range 1 + r.IntN(4) {
			item := weekdayCodes[r.IntN(7)]
			if freq <= monthly && days == 3 && !weeks {
				item = fmt.Sprint([]int{1, 2, 3, 4, 5, -1, -2}[r.IntN(7)]) + item
			}
			if !slices.Contains(list, item) {
				list = append(list, item)
			}
		}
		add(1, "BYDAY", strings.Join(list, ","))
	}
	add(5, "BYHOUR", pick(r, 3, 0, 23, false))
	add(5, "BYMINUTE", pick(r, 3, 0, 59, false))
	add(6, "BYSECOND", pick(r, 2, 0, 59, false))
	timed := strings.Contains(strings.Join(parts, ";"), "BYHOUR") || strings.Contains(strings.Join(parts, ";"), "BYMINUTE")
	if by && (freq < daily || freq == daily && timed) && r.IntN(5) == 0 {
		parts = append(parts, "BYSETPOS="+pick(r, 2, 1, 4, true))
	}
	switch r.IntN(6) {
	case 0:
		parts = append(parts, "COUNT=7")
	case 1:
		start, _ := time.Parse("2006-01-02T15:04:05", c.Start)
		until := start.Add(time.Duration(r.Int64N(int64(map[frequency]int{yearly: 4000, monthly: 600, weekly: 120, daily: 60, hourly: 8,
			minutely: 2, secondly: 1}[freq]*24))) * time.Hour)
		parts = append(parts, "UNTIL="+until.Format("20060102T150405Z"))
	}
	c.RRule = strings.Join(parts, ";")
	return c
}

func randomCron(r *rand.Rand) string {
	field := func(low, high int) string {
		a, b := low+r.IntN(high-low+1), low+r.IntN(high-low+1)
		a, b = min(a, b), max(a, b)
		switch r.IntN(6) {
		case 0:
			return fmt.Sprintf("*/%d", 1+r.IntN(high-low))
		case 1:
			return fmt.Sprint(a)
		case 2:
			return fmt.Sprintf("%d-%d", a, b)
		case 3:
			return fmt.Sprintf("%d-%d/%d", a, b, 1+r.IntN(5))
		case 4:
			return pick(r, 4, low, high, false)
		}
		return "*"
	}
	return strings.Join([]string{field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 7)}, " ")
}
