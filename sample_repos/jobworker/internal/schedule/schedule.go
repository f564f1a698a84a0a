// Package schedule says when recurring jobs are due.
package schedule

import (
	"fmt"
	"strings"
	"time"
)

// Schedule is a series of points in time.
type Schedule interface {
	// Next returns the first point after t.
	Next(t time.Time) time.Time
}

// Every recurs after a fixed time.
type Every time.Duration

func (e Every) Next(t time.Time) time.Time {
	d := time.Duration(e)
	return t.Truncate(d).Add(d)
}

// Daily recurs at a time of day, in UTC.
type Daily struct {
	Hour, Minute int
}

func (d Daily) Next(t time.Time) time.Time {
	next := time.Date(t.Year(), t.Month(), t.Day(), d.Hour, d.Minute, 0, 0, time.UTC)
	if !next.After(t) {
		next = next.AddDate(0, 0, 1)
	}
	return next
}

// Weekdays is Daily without Saturdays and Sundays.
type Weekdays struct {
	Daily
}

// Next skips the weekend.
func (w Weekdays) Next(t time.Time) time.Time {
	next := w.Daily.Next(t)
	if isWeekend(next.Weekday()) {
		return w.Next(next)
	}
	return next
}

func isWeekend(day time.Weekday) bool { return day == time.Saturday || day == time.Sunday }

// Earliest is due whenever one of its schedules is.
type Earliest []Schedule

func (all Earliest) Next(t time.Time) time.Time {
	var first time.Time
	for i, s := range all {
		if next := s.Next(t); i == 0 || next.Before(first) {
			first = next
		}
	}
	return first
}

// parsers by the first word of a schedule's text.
var parsers = map[string]func(rest string) (Schedule, error){
	"every":    parseEvery,
	"daily":    func(rest string) (Schedule, error) { return parseDaily(rest) },
	"weekdays": parseWeekdays,
}

// Parse reads "every 5m", "daily 03:30", "weekdays 08:00", or several of them separated by commas.
func Parse(text string) (Schedule, error) {
	if first, rest, several := strings.Cut(text, ","); several {
		return parseSeveral(first, rest)
	}
	word, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	parse, ok := parsers[word]
	if !ok {
		return nil, fmt.Errorf("schedule %q: begin with every, daily or weekdays", text)
	}
	return parse(strings.TrimSpace(rest))
}

func parseSeveral(first, rest string) (Schedule, error) {
	head, err := Parse(first)
	if err != nil {
		return nil, err
	}
	tail, err := Parse(rest)
	if err != nil {
		return nil, err
	}
	return Earliest{head, tail}, nil
}

func parseEvery(rest string) (Schedule, error) {
	d, err := time.ParseDuration(rest)
	if err != nil || d < time.Second {
		return nil, fmt.Errorf("schedule: %q is not a duration of a second or more", rest)
	}
	return Every(d), nil
}

func parseDaily(rest string) (Daily, error) {
	t, err := time.Parse("15:04", rest)
	if err != nil {
		return Daily{}, fmt.Errorf("schedule: %q is not a time of day", rest)
	}
	return Daily{t.Hour(), t.Minute()}, nil
}

func parseWeekdays(rest string) (Schedule, error) {
	daily, err := parseDaily(rest)
	return Weekdays{daily}, err
}
