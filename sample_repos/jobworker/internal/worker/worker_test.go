package worker

import (
	"bytes"
	"context"
	"errors"
	"log"
	"strings"
	"testing"
	"time"

	"example.org/jobworker/internal/clock"
	"example.org/jobworker/internal/job"
	"example.org/jobworker/internal/queue"
)

// scripted fails with its errors one after the other, then succeeds.
type scripted struct {
	errs  []error
	calls int
}

func (s *scripted) Handle(context.Context, *job.Job) error {
	s.calls++
	if s.calls <= len(s.errs) {
		return s.errs[s.calls-1]
	}
	return nil
}

// runOne gives a single job to a pool and returns it when it is done or dead.
func runOne(t *testing.T, h Handler, attempts int) (*job.Job, map[string]int64) {
	t.Helper()
	q := queue.NewMemory(clock.System{})
	j, err := job.New("test", nil, job.WithMaxAttempts(attempts))
	if err == nil {
		err = q.Push(j)
	}
	if err != nil {
		t.Fatal(err)
	}
	pool := NewPool(Config{
		Queue:   q,
		Lookup:  func(string) Handler { return h },
		Clock:   clock.System{},
		Backoff: job.Constant(time.Millisecond),
		Logger:  log.Default(),
	})
	ctx, cancel := context.WithCancel(context.Background())
	pool.Start(ctx, 1)
	deadline := time.Now().Add(5 * time.Second)
	for counts := pool.Snapshot(); counts["done"]+counts["dead"] == 0; counts = pool.Snapshot() {
		if time.Now().After(deadline) {
			t.Fatal("the job never ended")
		}
		time.Sleep(time.Millisecond)
	}
	cancel()
	pool.Wait()
	return j, pool.Reset()
}

func TestFailedJobsAreTriedAgain(t *testing.T) {
	h := &scripted{errs: []error{errors.New("busy"), errors.New("busy")}}
	j, counts := runOne(t, h, 5)
	if j.Status != job.Done || counts["retried"] != 2 || h.calls != 3 {
		t.Errorf("%s: %v after %d calls", j.Status, counts, h.calls)
	}
}

func TestPermanentErrorsAreNot(t *testing.T) {
	h := &scripted{errs: []error{Permanent(errors.New("no such user"))}}
	j, _ := runOne(t, h, 5)
	if j.Status != job.Dead || j.LastError != "permanent: no such user" {
		t.Errorf("%s: %s", j.Status, j.LastError)
	}
}

func TestMiddleware(t *testing.T) {
	var out bytes.Buffer
	panics := HandlerFunc(explode)
	h := Chain(panics, Logged(log.New(&out, "", 0)), TimeLimit(time.Second), Recovered)
	j, err := job.New("test", map[string]string{"api_token": "12345", "user": "ada"})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Handle(context.Background(), j); err == nil || err.Error() != "panic: boom" {
		t.Errorf("got %v", err)
	}
	if line := out.String(); strings.Contains(line, "12345") || !strings.Contains(line, "ada") {
		t.Errorf("logged %q", line)
	}
}

func explode(context.Context, *job.Job) error { panic("boom") }

func TestAClosedGateHoldsWorkersBack(t *testing.T) {
	pool := NewPool(Config{})
	pool.Pause()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	if pool.gate.wait(ctx) == nil {
		t.Error("the gate was open")
	}
	pool.Resume()
	if err := pool.gate.wait(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestBackoffDoublesUpToItsLimit(t *testing.T) {
	backoff := job.Exponential(time.Second, 5*time.Second)
	now := time.Now()
	for attempt, want := range []time.Duration{1, 2, 4, 5, 5} {
		if got := backoff.RetryAt(now, attempt+1).Sub(now); got != want*time.Second {
			t.Errorf("attempt %d: %v", attempt+1, got)
		}
	}
}
