// Registers a file by a client that was generated from the OpenAPI document, follows its live events and reads its text.
//
// Arguments: the address of the service and an API key. Prints one JSON object.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"mime/multipart"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"
	"story/warehouse"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	outcome, err := story(ctx, os.Args[1], os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	json.NewEncoder(os.Stdout).Encode(outcome)
}

func story(ctx context.Context, address, key string) (map[string]any, error) {
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	client, err := warehouse.NewClientWithResponses(address, warehouse.WithRequestEditorFn(authorize))
	if err != nil {
		return nil, err
	}
	readiness, err := client.CheckReadinessWithResponse(ctx)
	if err != nil || readiness.JSON200 == nil {
		return nil, fmt.Errorf("the service is not ready: %v", err)
	}
	metrics, err := client.GetMetricsWithResponse(ctx)
	if err != nil || !strings.Contains(string(metrics.Body), "# HELP kw_") {
		return nil, fmt.Errorf("there are no metrics: %v", err)
	}
	resource, err := register(ctx, client, "letter.txt", "Grüße aus dem Archiv")
	if err != nil {
		return nil, err
	}
	status, err := follow(ctx, client, resource.Id)
	if err != nil {
		return nil, err
	}
	text, err := readText(ctx, client, resource.Id)
	if err != nil {
		return nil, err
	}
	missing, err := client.GetResourceWithResponse(ctx, uuid.New(), nil)
	if err != nil || missing.JSON404 == nil {
		return nil, fmt.Errorf("a missing resource was found: %v", err)
	}
	refusal := []any{missing.StatusCode(), missing.JSON404.Error.Code}
	return map[string]any{"status": status, "text": text, "refusal": refusal}, nil
}

func register(ctx context.Context, client *warehouse.ClientWithResponses, name, content string) (*warehouse.Resource, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	form.WriteField("name", "Letter")
	form.WriteField("type", "document")
	file, err := form.CreateFormFile("file", name)
	if err != nil {
		return nil, err
	}
	io.WriteString(file, content)
	form.Close()
	key := uuid.NewString()
	params := &warehouse.RegisterResourceParams{IdempotencyKey: &key}
	answer, err := client.RegisterResourceWithBodyWithResponse(ctx, params, form.FormDataContentType(), &body)
	if err != nil {
		return nil, err
	}
	if answer.JSON201 == nil {
		return nil, fmt.Errorf("not registered: %s", answer.Body)
	}
	return answer.JSON201, nil
}

// follow reads the events of a resource until it is settled, and returns its status.
func follow(ctx context.Context, client *warehouse.ClientWithResponses, id uuid.UUID) (warehouse.ResourceStatus, error) {
	stream, err := client.FollowResourceEvents(ctx, id, nil)
	if err != nil {
		return "", err
	}
	defer stream.Body.Close()
	frame := map[string]json.RawMessage{}
	lines := bufio.NewScanner(stream.Body)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch {
		case name == "data":
			frame["data"] = json.RawMessage(value)
		case name != "":
			frame[name], _ = json.Marshal(value)
		default:
			status, err := statusAfter(ctx, client, id, frame)
			if err != nil || status != warehouse.ResourceStatusPROCESSING {
				return status, err
			}
			frame = map[string]json.RawMessage{}
		}
	}
	return "", errors.Join(errors.New("the stream ended"), lines.Err())
}

// statusAfter returns the status of a resource after an event.
func statusAfter(ctx context.Context, client *warehouse.ClientWithResponses, id uuid.UUID, frame map[string]json.RawMessage) (warehouse.ResourceStatus, error) {
	if frame["event"] == nil {
		return warehouse.ResourceStatusPROCESSING, nil
	}
	encoded, err := json.Marshal(frame)
	if err != nil {
		return "", err
	}
	var event warehouse.ResourceStreamEvent
	if err := json.Unmarshal(encoded, &event); err != nil {
		return "", err
	}
	known, err := event.ValueByDiscriminator()
	if err != nil {
		return "", err
	}
	switch known := known.(type) {
	case warehouse.StreamFrame:
		// The stream begins here: what happened before is in the resource.
		answer, err := client.GetResourceWithResponse(ctx, id, nil)
		if err != nil || answer.JSON200 == nil {
			return "", fmt.Errorf("the resource cannot be read: %v", err)
		}
		return answer.JSON200.Status, nil
	case warehouse.ResourceFrame:
		return known.Data.Status, nil
	default:
		return warehouse.ResourceStatusPROCESSING, nil
	}
}

func readText(ctx context.Context, client *warehouse.ClientWithResponses, id uuid.UUID) (string, error) {
	answer, err := client.GetResourceWithResponse(ctx, id, nil)
	if err != nil || answer.JSON200 == nil {
		return "", fmt.Errorf("the resource cannot be read: %v", err)
	}
	for _, artifact := range answer.JSON200.Artifacts {
		if artifact.Type != "text" {
			continue
		}
		content, err := client.GetArtifactWithResponse(ctx, id, artifact.Id, nil)
		if err != nil || content.JSON200 == nil {
			return "", fmt.Errorf("the text cannot be read: %v", err)
		}
		known, err := content.JSON200.ValueByDiscriminator()
		if err != nil {
			return "", err
		}
		text, isText := known.(warehouse.TextArtifactContent)
		if !isText {
			return "", fmt.Errorf("the text is a %T", known)
		}
		return text.Content, nil
	}
	return "", errors.New("there is no text")
}
