package schedule

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"time"

	"example.org/jobworker/internal/clock"
	"example.org/jobworker/internal/job"
)

// Entry is a recurring job.
type Entry struct {
	When    string          `json:"when"`
	Kind    string          `json:"kind"`
	Payload json.RawMessage `json:"payload"`
}

// pusher is the part of a queue that the scheduler needs.
type pusher interface {
	Push(j *job.Job) error
}

// Scheduler pushes recurring jobs when they are due.
type Scheduler struct {
	queue  pusher
	clock  clock.Clock
	logger *log.Logger
	timed  []timedEntry
}

type timedEntry struct {
	Entry
	schedule Schedule
	due      time.Time
}

// New prepares a scheduler. It fails on the first entry whose schedule can't be read.
func New(queue pusher, c clock.Clock, logger *log.Logger, entries []Entry) (*Scheduler, error) {
	s := &Scheduler{queue: queue, clock: c, logger: logger}
	for _, entry := range entries {
		parsed, err := Parse(entry.When)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", entry.Kind, err)
		}
		s.timed = append(s.timed, timedEntry{Entry: entry, schedule: parsed, due: parsed.Next(c.Now())})
	}
	return s, nil
}

// Run looks for due jobs every second until the context ends.
func (s *Scheduler) Run(ctx context.Context) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			s.PushDue()
		}
	}
}

// PushDue pushes what is due now and returns how many jobs that were.
func (s *Scheduler) PushDue() int {
	now, pushed := s.clock.Now(), 0
	for i := range s.timed {
		entry := &s.timed[i]
		if entry.due.After(now) {
			continue
		}
		entry.due = entry.schedule.Next(now)
		if err := s.push(entry.Entry); err != nil {
			s.logger.Printf("scheduled %s: %v", entry.Kind, err)
			continue
		}
		pushed++
	}
	return pushed
}

func (s *Scheduler) push(entry Entry) error {
	j, err := job.New(entry.Kind, entry.Payload)
	if err != nil {
		return err
	}
	return s.queue.Push(j)
}
