// Package config reads the program's configuration.
package config

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"time"

	"example.org/jobworker/internal/schedule"
)

// Config is everything that can be set. Durations are given as "30s" or "5m".
type Config struct {
	Workers   int              `json:"workers"`
	Journal   string           `json:"journal"` // file of the queue; empty keeps it in memory
	Listen    string           `json:"listen"`
	TimeLimit Duration         `json:"time_limit"`
	Schedule  []schedule.Entry `json:"schedule"`
}

// Duration is a time.Duration that is written as text in JSON.
type Duration time.Duration

// UnmarshalText is called by encoding/json.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	*d = Duration(parsed)
	return err
}

// setters by environment variable, each for one field.
var setters = map[string]func(*Config, string) error{
	"JOBWORKER_WORKERS": setWorkers,
	"JOBWORKER_LISTEN":  setListen,
	"JOBWORKER_JOURNAL": (*Config).setJournal,
}

// Load reads a file (none when path is empty) and lets environment variables override it.
func Load(path string, lookup func(string) (string, bool)) (Config, error) {
	c := Config{Workers: 4, Listen: "localhost:9090", TimeLimit: Duration(time.Minute)}
	if path != "" {
		content, err := os.ReadFile(path)
		if err != nil {
			return c, err
		}
		if err := json.Unmarshal(content, &c); err != nil {
			return c, fmt.Errorf("%s: %w", path, err)
		}
	}
	for name, set := range setters {
		if value, ok := lookup(name); ok {
			if err := set(&c, value); err != nil {
				return c, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return c, c.validate()
}

func (c *Config) validate() error {
	if c.Workers < 1 {
		return fmt.Errorf("%d workers are too few", c.Workers)
	}
	return nil
}

func (c *Config) setJournal(path string) error {
	c.Journal = path
	return nil
}

func setWorkers(c *Config, text string) (err error) {
	c.Workers, err = strconv.Atoi(text)
	return err
}

func setListen(c *Config, text string) error {
	c.Listen = text
	return nil
}
