package admin

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.org/jobworker/client"
	"example.org/jobworker/internal/clock"
	"example.org/jobworker/internal/queue"
)

type fakePool struct{ paused, stopped bool }

func (p *fakePool) Pause()                     { p.paused = true }
func (p *fakePool) Resume()                    { p.paused = false }
func (p *fakePool) Snapshot() map[string]int64 { return map[string]int64{"done": 3} }

func newTestServer() (*Server, *fakePool) {
	pool := &fakePool{}
	control := NewControl(pool, func() { pool.stopped = true })
	return NewServer(queue.NewMemory(clock.System{}), pool, control), pool
}

func ask(s *Server, method, path, body string) (int, string) {
	answer := httptest.NewRecorder()
	s.ServeHTTP(answer, httptest.NewRequest(method, path, strings.NewReader(body)))
	return answer.Code, strings.TrimSpace(answer.Body.String())
}

func TestStats(t *testing.T) {
	s, _ := newTestServer()
	if code, body := ask(s, "POST", "/jobs", `{"kind": "noop", "payload": null}`); code != http.StatusCreated {
		t.Fatal(body)
	}
	if _, body := ask(s, "GET", "/stats", ""); body != `{"done":3,"waiting":1}` {
		t.Error(body)
	}
}

func TestBadRequests(t *testing.T) {
	s, _ := newTestServer()
	for body, want := range map[string]int{"{": 400, `{"kind": ""}`: 422} {
		if code, answer := ask(s, "POST", "/jobs", body); code != want {
			t.Errorf("%s: %d %s", body, code, answer)
		}
	}
	if code, _ := ask(s, "DELETE", "/jobs", ""); code != http.StatusMethodNotAllowed {
		t.Error(code)
	}
}

func TestCommands(t *testing.T) {
	s, pool := newTestServer()
	if _, body := ask(s, "POST", "/control/pause", ""); body != `"paused"` || !pool.paused {
		t.Error(body)
	}
	if _, body := ask(s, "POST", "/control/stop", ""); body != `"stopping"` || !pool.stopped {
		t.Error(body)
	}
	if code, _ := ask(s, "POST", "/control/explode", ""); code != http.StatusNotFound {
		t.Error(code)
	}
	if code, _ := ask(s, "GET", "/control/pause", ""); code != http.StatusMethodNotAllowed {
		t.Error(code)
	}
}

func TestTheClientEnqueues(t *testing.T) {
	s, _ := newTestServer()
	running := httptest.NewServer(s)
	defer running.Close()
	id, err := client.New(running.URL, client.WithDoer(running.Client())).Enqueue(context.Background(), "noop", nil)
	if err != nil || id != s.queue.Snapshot()[0].ID {
		t.Errorf("%q: %v", id, err)
	}
}
