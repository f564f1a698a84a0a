// Package client enqueues jobs from other programs.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// Doer sends a request; *http.Client is one.
type Doer interface {
	Do(request *http.Request) (*http.Response, error)
}

// Client talks to a jobworker.
type Client struct {
	base string
	doer Doer
}

// Option changes a client while it is made.
type Option func(*Client)

// WithDoer replaces http.DefaultClient.
func WithDoer(doer Doer) Option {
	return func(c *Client) { c.doer = doer }
}

// New returns a client for the worker at base, such as "http://localhost:9090".
func New(base string, options ...Option) *Client {
	c := &Client{base: base, doer: http.DefaultClient}
	for _, option := range options {
		option(c)
	}
	return c
}

// Enqueue adds a job and returns its id.
func (c *Client) Enqueue(ctx context.Context, kind string, payload any) (string, error) {
	body, err := json.Marshal(map[string]any{"kind": kind, "payload": payload})
	if err != nil {
		return "", err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+"/jobs", bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	response, err := c.doer.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusCreated {
		return "", fmt.Errorf("client: %s", response.Status)
	}
	var made struct {
		ID string `json:"id"`
	}
	err = json.NewDecoder(response.Body).Decode(&made)
	return made.ID, err
}
