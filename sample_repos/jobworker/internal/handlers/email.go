package handlers

import (
	"context"
	"errors"
	"io"
	"strings"
	"text/template"

	"example.org/jobworker/internal/job"
	"example.org/jobworker/internal/worker"
)

func init() { Register("email", newEmail) }

// Sender sends one mail.
type Sender interface {
	Send(to, subject, body string) error
}

// WriterSender writes mails down instead of sending them; for development.
type WriterSender struct {
	Out io.Writer
}

func (s WriterSender) Send(to, subject, body string) error {
	_, err := io.WriteString(s.Out, "To: "+to+"\nSubject: "+subject+"\n\n"+body+"\n")
	return err
}

type emailPayload struct {
	To      string            `json:"to"`
	Subject string            `json:"subject"`
	Body    string            `json:"body"` // a text/template
	Values  map[string]string `json:"values"`
}

// Email sends mails.
type Email struct {
	sender Sender
}

func newEmail(env Environment) worker.Handler { return &Email{sender: env.Sender} }

// Handle fills in the template and sends the mail.
func (e *Email) Handle(_ context.Context, j *job.Job) error {
	payload, err := decode[emailPayload](j)
	if err != nil {
		return err
	}
	if !strings.Contains(payload.To, "@") {
		return worker.Permanent(errors.New("no address"))
	}
	body, err := e.render(payload)
	if err != nil {
		return worker.Permanent(err)
	}
	return e.sender.Send(payload.To, payload.Subject, body)
}

func (e *Email) render(payload emailPayload) (string, error) {
	parsed, err := template.New("body").Funcs(template.FuncMap{"title": titleCase}).Parse(payload.Body)
	if err != nil {
		return "", err
	}
	var body strings.Builder
	err = parsed.Execute(&body, payload.Values)
	return body.String(), err
}

// titleCase may be used in templates: {{title .name}}.
func titleCase(text string) string {
	words := strings.Fields(text)
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, " ")
}
