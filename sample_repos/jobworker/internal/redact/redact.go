// Package redact removes secrets from JSON before it is logged.
package redact

import (
	"encoding/json"
	"strings"
)

const mask = "[redacted]"

// secretWords mark the keys whose values are hidden.
var secretWords = []string{"password", "token", "secret", "authorization"}

// JSON returns the document with secret values masked. What is no JSON is masked as a whole.
func JSON(document []byte) string {
	var value any
	if err := json.Unmarshal(document, &value); err != nil {
		return mask
	}
	clean, err := json.Marshal(walk(value))
	if err != nil {
		return mask
	}
	return string(clean)
}

func walk(value any) any {
	switch v := value.(type) {
	case map[string]any:
		return walkObject(v)
	case []any:
		return walkList(v)
	default:
		return v
	}
}

func walkObject(object map[string]any) map[string]any {
	clean := make(map[string]any, len(object))
	for key, value := range object {
		if isSecret(key) {
			clean[key] = mask
		} else {
			clean[key] = walk(value)
		}
	}
	return clean
}

func walkList(list []any) []any {
	clean := make([]any, len(list))
	for i, value := range list {
		clean[i] = walk(value)
	}
	return clean
}

func isSecret(key string) bool {
	key = strings.ToLower(key)
	for _, word := range secretWords {
		if strings.Contains(key, word) {
			return true
		}
	}
	return false
}
