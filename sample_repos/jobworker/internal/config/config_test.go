package config

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestEnvironmentOverridesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	content := `{"workers": 2, "time_limit": "30s", "schedule": [{"when": "daily 03:30", "kind": "cleanup"}]}`
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	environment := map[string]string{"JOBWORKER_WORKERS": "8", "JOBWORKER_JOURNAL": "jobs.log"}
	got, err := Load(path, func(name string) (string, bool) {
		value, ok := environment[name]
		return value, ok
	})
	if err != nil {
		t.Fatal(err)
	}
	if got.Workers != 8 || got.Journal != "jobs.log" || time.Duration(got.TimeLimit) != 30*time.Second || len(got.Schedule) != 1 {
		t.Errorf("got %+v", got)
	}
}

func TestNoWorkersIsAnError(t *testing.T) {
	if _, err := Load("", func(name string) (string, bool) { return "0", name == "JOBWORKER_WORKERS" }); err == nil {
		t.Error("zero workers were accepted")
	}
}
