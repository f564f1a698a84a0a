package handlers

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.org/jobworker/internal/job"
	"example.org/jobworker/internal/worker"
)

// outbox remembers mails.
type outbox []string

func (o *outbox) Send(to, subject, body string) error {
	*o = append(*o, to+"|"+subject+"|"+body)
	return nil
}

// handle builds all handlers and runs one job with them.
func handle(t *testing.T, env Environment, kind string, payload any) error {
	t.Helper()
	j, err := job.New(kind, payload)
	if err != nil {
		t.Fatal(err)
	}
	return Build(env)(kind).Handle(context.Background(), j)
}

func TestKinds(t *testing.T) {
	if got, want := Kinds(), []string{"batch", "cleanup", "email", "noop"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestMiddlewareGoesAroundEveryHandler(t *testing.T) {
	for _, m := range []worker.Middleware{worker.Recovered, worker.Logged(log.Default()), worker.TimeLimit(time.Second)} {
		lookup := Build(Environment{}, m)
		for _, kind := range Kinds() {
			if _, wrapped := lookup(kind).(worker.HandlerFunc); !wrapped {
				t.Errorf("%s is bare", kind)
			}
		}
	}
}

func TestEmailFillsInItsTemplate(t *testing.T) {
	var sent outbox
	payload := emailPayload{To: "ada@example.org", Subject: "hi", Body: "Dear {{title .name}}", Values: map[string]string{"name": "ada king"}}
	if err := handle(t, Environment{Sender: &sent}, "email", payload); err != nil {
		t.Fatal(err)
	}
	if want := (outbox{"ada@example.org|hi|Dear Ada King"}); !reflect.DeepEqual(sent, want) {
		t.Errorf("sent %v", sent)
	}
	var text strings.Builder
	if err := handle(t, Environment{Sender: WriterSender{&text}}, "email", payload); err != nil || text.Len() == 0 {
		t.Errorf("%v: %q", err, text.String())
	}
}

func TestBadAddressesAreNotTriedAgain(t *testing.T) {
	err := handle(t, Environment{}, "email", emailPayload{To: "nobody"})
	if err == nil || !strings.HasPrefix(err.Error(), "permanent:") {
		t.Errorf("got %v", err)
	}
}

func TestBatchesMayContainBatches(t *testing.T) {
	var sent outbox
	mail, err := json.Marshal(emailPayload{To: "a@b", Subject: "s"})
	if err != nil {
		t.Fatal(err)
	}
	inner := []job.Job{{Kind: "email", Payload: mail}, {Kind: "noop", Payload: json.RawMessage("null")}}
	nested, err := json.Marshal(inner)
	if err != nil {
		t.Fatal(err)
	}
	outer := []job.Job{{Kind: "email", Payload: mail}, {Kind: "batch", Payload: nested}}
	if err := handle(t, Environment{Sender: &sent}, "batch", outer); err != nil || len(sent) != 2 {
		t.Errorf("%v after %v", err, sent)
	}
}

func TestCleanupRemovesOldFilesOnly(t *testing.T) {
	dir := t.TempDir()
	for name, age := range map[string]time.Duration{"old": 48 * time.Hour, "new": time.Minute} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Now(), time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if err := handle(t, Environment{TempDir: dir}, "cleanup", map[string]int{"hours": 24}); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(left) != 1 || filepath.Base(left[0]) != "new" {
		t.Errorf("left %v, %v", left, err)
	}
}
