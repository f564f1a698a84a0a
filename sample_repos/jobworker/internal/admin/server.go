// Package admin serves the HTTP interface.
package admin

import (
	"encoding/json"
	"net/http"
	"strings"

	"example.org/jobworker/internal/job"
	"example.org/jobworker/internal/queue"
)

// Stats gives the numbers for /stats.
type Stats interface {
	Snapshot() map[string]int64
}

// Server is the HTTP interface: /jobs, /stats and /control.
type Server struct {
	queue   queue.Inspector
	stats   Stats
	control *Control
	mux     *http.ServeMux
}

// NewServer joins the interface to a queue and a pool.
func NewServer(q queue.Inspector, stats Stats, control *Control) *Server {
	s := &Server{queue: q, stats: stats, control: control, mux: http.NewServeMux()}
	s.mux.HandleFunc("/jobs", s.jobs)
	s.mux.HandleFunc("/stats", s.counters)
	s.mux.Handle("/control/", s.only(http.MethodPost, s.command))
	return s
}

// ServeHTTP makes Server an http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// jobs lists the queue or adds to it.
func (s *Server) jobs(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodGet:
		reply(w, http.StatusOK, s.queue.Snapshot())
	case http.MethodPost:
		s.enqueue(w, r)
	default:
		http.Error(w, "GET or POST", http.StatusMethodNotAllowed)
	}
}

func (s *Server) enqueue(w http.ResponseWriter, r *http.Request) {
	var wanted struct {
		Kind     string          `json:"kind"`
		Payload  json.RawMessage `json:"payload"`
		Priority int             `json:"priority"`
	}
	if err := json.NewDecoder(r.Body).Decode(&wanted); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	j, err := job.New(wanted.Kind, wanted.Payload, job.WithPriority(wanted.Priority))
	if err == nil {
		err = s.queue.Push(j)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	reply(w, http.StatusCreated, j)
}

func (s *Server) counters(w http.ResponseWriter, _ *http.Request) {
	numbers := s.stats.Snapshot()
	numbers["waiting"] = int64(s.queue.Len())
	reply(w, http.StatusOK, numbers)
}

// command runs /control/<name>.
func (s *Server) command(w http.ResponseWriter, r *http.Request) {
	answer, err := s.control.Run(strings.TrimPrefix(r.URL.Path, "/control/"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	reply(w, http.StatusOK, answer)
}

// only refuses requests with any other method.
func (s *Server) only(method string, next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != method {
			http.Error(w, method+" only", http.StatusMethodNotAllowed)
			return
		}
		next(w, r)
	})
}

func reply(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // the client is gone if this fails
}
