// Package job defines what the worker works on.
package job

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Status is where a job is in its life.
type Status string

const (
	Queued  Status = "queued"
	Running Status = "running"
	Done    Status = "done"
	Dead    Status = "dead" // used up its attempts
)

// Final reports whether nothing more will happen to a job with this status.
func (s Status) Final() bool { return s == Done || s == Dead }

const (
	defaultAttempts = 5
	maxPayload      = 64 << 10
)

// Job is one piece of work. Kind chooses the handler, Payload is for the handler alone.
type Job struct {
	ID          string          `json:"id"`
	Kind        string          `json:"kind"`
	Payload     json.RawMessage `json:"payload"`
	Priority    int             `json:"priority"`
	Status      Status          `json:"status"`
	Attempts    int             `json:"attempts"`
	MaxAttempts int             `json:"max_attempts"`
	RunAt       time.Time       `json:"run_at"`
	LastError   string          `json:"last_error,omitempty"`
}

// Option changes a job while it is made.
type Option func(*Job)

// WithPriority puts a job before those with lower priority. The default is 0.
func WithPriority(priority int) Option {
	return func(j *Job) { j.Priority = priority }
}

// WithMaxAttempts sets how often a job is tried.
func WithMaxAttempts(n int) Option {
	return func(j *Job) { j.MaxAttempts = n }
}

// At delays a job.
func At(t time.Time) Option {
	return func(j *Job) { j.RunAt = t }
}

// New makes a job that is ready to be queued. The payload is encoded as JSON.
func New(kind string, payload any, options ...Option) (*Job, error) {
	encoded, err := json.Marshal(payload)
	if err != nil {
		return nil, fmt.Errorf("payload of %s: %w", kind, err)
	}
	j := &Job{ID: newID(), Kind: kind, Payload: encoded, Status: Queued, MaxAttempts: defaultAttempts}
	for _, option := range options {
		option(j)
	}
	return j, j.Validate()
}

// Validate returns an error for a job that no queue should accept.
func (j *Job) Validate() error {
	switch {
	case j.Kind == "":
		return errors.New("a job needs a kind")
	case len(j.Payload) > maxPayload:
		return fmt.Errorf("the payload of %s is larger than %d bytes", j, maxPayload)
	case j.MaxAttempts < 1:
		return fmt.Errorf("%s may not be tried at all", j)
	}
	return nil
}

// Start marks the beginning of an attempt.
func (j *Job) Start() {
	j.Status = Running
	j.Attempts++
}

// Fail marks the end of an attempt that went wrong and decides what follows: another one at retryAt, or none.
func (j *Job) Fail(err error, retryAt time.Time) {
	j.LastError = err.Error()
	if j.exhausted() {
		j.Status = Dead
		return
	}
	j.Status = Queued
	j.RunAt = retryAt
}

func (j Job) exhausted() bool { return j.Attempts >= j.MaxAttempts }

// Bury makes an attempt the last one.
func (j *Job) Bury() { j.MaxAttempts = j.Attempts }

func (j Job) String() string { return j.Kind + "/" + j.ID }

func newID() string {
	raw := make([]byte, 6)
	if _, err := rand.Read(raw); err != nil {
		panic(err)
	}
	return hex.EncodeToString(raw)
}
