package queue

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"example.org/jobworker/internal/clock"
	"example.org/jobworker/internal/job"
)

var noon = time.Date(2024, 3, 1, 12, 0, 0, 0, time.UTC)

func mustJob(t *testing.T, kind string, options ...job.Option) *job.Job {
	t.Helper()
	j, err := job.New(kind, nil, options...)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func popKind(t *testing.T, q Queue) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	j, err := q.Pop(ctx)
	if err != nil {
		return err.Error()
	}
	return j.Kind
}

func TestJobsComeByTimeThenPriority(t *testing.T) {
	fake := clock.NewFake(noon)
	q := NewMemory(fake)
	err := PushAll(q,
		mustJob(t, "later", job.At(noon.Add(time.Hour))),
		mustJob(t, "low", job.At(noon)),
		mustJob(t, "high", job.At(noon), job.WithPriority(9)),
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"high", "low", context.DeadlineExceeded.Error()} {
		if got := popKind(t, q); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	fake.Advance(time.Hour)
	if got := popKind(t, q); got != "later" {
		t.Errorf("got %q, want the delayed job", got)
	}
}

func TestDeadJobsAreKeptButNotHandedOut(t *testing.T) {
	q := NewMemory(clock.NewFake(noon))
	j := mustJob(t, "email", job.WithMaxAttempts(1))
	if err := q.Push(j); err != nil {
		t.Fatal(err)
	}
	popKind(t, q)
	j.Start()
	j.Fail(errors.New("no route"), noon)
	if err := q.Nack(j); err != nil {
		t.Fatal(err)
	}
	if got := popKind(t, q); got != context.DeadlineExceeded.Error() {
		t.Errorf("a dead job was handed out: %q", got)
	}
	if q.Len() != 1 || q.Snapshot()[0].Status != job.Dead {
		t.Errorf("the dead job is gone: %d jobs", q.Len())
	}
}

func TestJournalSurvivesARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	first, err := OpenJournal(path, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	done, open := mustJob(t, "done"), mustJob(t, "open")
	if err := PushAll(first, done, open); err != nil {
		t.Fatal(err)
	}
	if err := first.Ack(done.ID); err != nil {
		t.Fatal(err)
	}
	if err := first.Ack(done.ID); err != ErrUnknown {
		t.Errorf("got %v, want ErrUnknown", err)
	}
	first.Close()

	second, err := OpenJournal(path, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if second.Len() != 1 || popKind(t, second) != "open" {
		t.Errorf("the journal has %d jobs", second.Len())
	}
}
