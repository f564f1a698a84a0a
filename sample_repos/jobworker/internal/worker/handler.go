// Package worker runs jobs.
package worker

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"example.org/jobworker/internal/job"
	"example.org/jobworker/internal/redact"
)

// Handler does the work of one kind of job.
type Handler interface {
	Handle(ctx context.Context, j *job.Job) error
}

// HandlerFunc makes a Handler of a function.
type HandlerFunc func(ctx context.Context, j *job.Job) error

// Handle calls f.
func (f HandlerFunc) Handle(ctx context.Context, j *job.Job) error { return f(ctx, j) }

// Middleware puts something around a handler.
type Middleware func(next Handler) Handler

// Chain wraps a handler; the first middleware becomes the outermost.
func Chain(h Handler, middleware ...Middleware) Handler {
	if len(middleware) == 0 {
		return h
	}
	return middleware[0](Chain(h, middleware[1:]...))
}

// Logged writes a line about every attempt that failed. Payloads are redacted.
func Logged(logger *log.Logger) Middleware {
	return func(next Handler) Handler {
		return HandlerFunc(func(ctx context.Context, j *job.Job) error {
			err := next.Handle(ctx, j)
			if err != nil {
				logger.Printf("%s, attempt %d: %v; payload %s", j, j.Attempts, err, redact.JSON(j.Payload))
			}
			return err
		})
	}
}

// TimeLimit cancels the context of attempts that take too long.
func TimeLimit(limit time.Duration) Middleware {
	return func(next Handler) Handler {
		return HandlerFunc(func(ctx context.Context, j *job.Job) error {
			ctx, cancel := context.WithTimeout(ctx, limit)
			defer cancel()
			return next.Handle(ctx, j)
		})
	}
}

// Recovered is a middleware that turns a panic into an error.
func Recovered(next Handler) Handler {
	return HandlerFunc(func(ctx context.Context, j *job.Job) (err error) {
		defer func() {
			if cause := recover(); cause != nil {
				err = fmt.Errorf("panic: %v", cause)
			}
		}()
		return next.Handle(ctx, j)
	})
}

// permanentError marks an error after which trying again is pointless.
type permanentError struct {
	cause error
}

func (e *permanentError) Error() string { return "permanent: " + e.cause.Error() }

func (e *permanentError) Unwrap() error { return e.cause }

// Permanent wraps an error so that the job is not tried again.
func Permanent(cause error) error { return &permanentError{cause} }

func isPermanent(err error) bool {
	var permanent *permanentError
	return errors.As(err, &permanent)
}
