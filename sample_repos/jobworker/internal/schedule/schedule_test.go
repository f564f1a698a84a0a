package schedule

import (
	"encoding/json"
	"log"
	"testing"
	"time"

	"example.org/jobworker/internal/clock"
	"example.org/jobworker/internal/job"
)

// friday noon.
var noon = time.Date(2024, 3, 1, 12, 0, 0, 0, time.UTC)

func TestNext(t *testing.T) {
	for text, want := range map[string]string{
		"every 5m":                    "Mar 1 12:05",
		"daily 03:30":                 "Mar 2 03:30",
		"weekdays 08:00":              "Mar 4 08:00",
		"daily 03:30, weekdays 15:00": "Mar 1 15:00",
	} {
		s, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Next(noon).Format("Jan 2 15:04"); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestNonsenseIsRefused(t *testing.T) {
	for _, text := range []string{"", "hourly", "every now and then", "daily 25:00", "every 5m, sometimes"} {
		if s, err := Parse(text); err == nil {
			t.Errorf("%q became %v", text, s)
		}
	}
}

// recorder is the least that a scheduler can push to.
type recorder struct{ kinds []string }

func (r *recorder) Push(j *job.Job) error {
	r.kinds = append(r.kinds, j.Kind)
	return nil
}

func TestSchedulerPushesWhatIsDue(t *testing.T) {
	fake := clock.NewFake(noon)
	pushed := &recorder{}
	entries := []Entry{
		{When: "every 10m", Kind: "cleanup", Payload: json.RawMessage(`{"hours": 1}`)},
		{When: "daily 18:00", Kind: "email"},
	}
	s, err := New(pushed, fake, log.Default(), entries)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		wait time.Duration
		want int
	}{{0, 0}, {10 * time.Minute, 1}, {time.Minute, 0}, {6 * time.Hour, 2}} {
		fake.Advance(step.wait)
		if got := s.PushDue(); got != step.want {
			t.Errorf("after %v: pushed %d, want %d", step.wait, got, step.want)
		}
	}
}
