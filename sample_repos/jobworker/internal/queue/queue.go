// Package queue keeps jobs until someone works on them.
package queue

import (
	"context"
	"errors"

	"example.org/jobworker/internal/job"
)

// ErrUnknown is returned for a job that the queue has never seen, or has already forgotten.
var ErrUnknown = errors.New("queue: unknown job")

// Queue hands out jobs, each to one worker at a time.
type Queue interface {
	// Push adds a job.
	Push(j *job.Job) error
	// Pop waits for the next job that is due. It returns the context's error when that ends first.
	Pop(ctx context.Context) (*job.Job, error)
	// Ack forgets a job that is done.
	Ack(id string) error
	// Nack takes a job back after a failed attempt. Dead jobs are kept, but not handed out again.
	Nack(j *job.Job) error
}

// Inspector is a queue that can be looked into.
type Inspector interface {
	Queue
	Len() int
	Snapshot() []job.Job
}

// PushAll pushes jobs until one is refused.
func PushAll(q Queue, jobs ...*job.Job) error {
	for _, j := range jobs {
		if err := q.Push(j); err != nil {
			return err
		}
	}
	return nil
}

// Requeue gives every dead job another chance. An operator's tool, not used by the program yet.
func Requeue(q Inspector) (int, error) {
	revived := 0
	for _, j := range q.Snapshot() {
		if j.Status != job.Dead {
			continue
		}
		revivedJob := j
		revivedJob.Status, revivedJob.Attempts = job.Queued, 0
		if err := q.Push(&revivedJob); err != nil {
			return revived, err
		}
		revived++
	}
	return revived, nil
}
