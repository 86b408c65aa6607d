// Command client drives agents by the official A2A SDK of Go, as its documents use it, by their cards alone. Tells of each check in a line:
// `ok NAME`, or `not ok NAME` and why behind it.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
	"github.com/a2aproject/a2a-go/v2/a2aclient/agentcard"
)

const answer = "The answer is 42."

var agents map[string]string

// key sends the API key with every call.
type key struct {
	a2aclient.PassthroughInterceptor
}

func (key) Before(ctx context.Context, request *a2aclient.Request) (context.Context, any, error) {
	request.ServiceParams["Authorization"] = []string{"Bearer " + os.Getenv("STUDIO_KEY")}
	return ctx, nil, nil
}

// way is what a client prefers of what the card offers. Those of 0.3 are left out: their package brings gRPC, which takes longer to
// compile than all else.
type way struct {
	name    string
	options []a2aclient.FactoryOption
}

var ways = []way{
	{name: "as the card says"},
	{name: "HTTP+JSON", options: []a2aclient.FactoryOption{
		a2aclient.WithConfig(a2aclient.Config{PreferredTransports: []a2a.TransportProtocol{a2a.TransportProtocolHTTPJSON}}),
	}},
}

func (w way) client(ctx context.Context, agent string) (*a2aclient.Client, error) {
	url := os.Getenv("STUDIO_BASE") + "/api/v1/external/agents/" + agents[agent]
	authorization := agentcard.WithRequestHeader("Authorization", "Bearer "+os.Getenv("STUDIO_KEY"))
	card, err := agentcard.DefaultResolver.Resolve(ctx, url, authorization)
	if err != nil {
		return nil, err
	}
	return a2aclient.NewFromCard(ctx, card, append(w.options, a2aclient.WithCallInterceptors(key{}))...)
}

// told is what a turn came to, by its task or by the events of its stream.
type told struct {
	task   a2a.TaskInfo
	state  a2a.TaskState
	status string
	answer string
	pieces int
}

func text(parts a2a.ContentParts) string {
	var joined strings.Builder
	for _, part := range parts {
		joined.WriteString(part.Text())
	}
	return joined.String()
}

func (t *told) hear(status a2a.TaskStatus) {
	t.state = status.State
	if status.Message != nil {
		t.status = text(status.Message.Parts)
	}
}

func say(ctx context.Context, client *a2aclient.Client, message *a2a.Message) (told, error) {
	result, err := client.SendMessage(ctx, &a2a.SendMessageRequest{Message: message})
	if err != nil {
		return told{}, err
	}
	task, ok := result.(*a2a.Task)
	if !ok {
		return told{}, fmt.Errorf("not a task but %T", result)
	}
	heard := told{task: task.TaskInfo()}
	heard.hear(task.Status)
	for _, artifact := range task.Artifacts {
		heard.answer += text(artifact.Parts)
	}
	return heard, nil
}

func stream(ctx context.Context, client *a2aclient.Client, message *a2a.Message) (told, error) {
	heard := told{}
	for event, err := range client.SendStreamingMessage(ctx, &a2a.SendMessageRequest{Message: message}) {
		if err != nil {
			return heard, err
		}
		heard.task = event.TaskInfo()
		switch event := event.(type) {
		case *a2a.Task:
			heard.hear(event.Status)
		case *a2a.TaskStatusUpdateEvent:
			heard.hear(event.Status)
		case *a2a.TaskArtifactUpdateEvent:
			if piece := text(event.Artifact.Parts); piece != "" {
				// The model goes on once its first word has arrived here.
				if heard.pieces == 0 {
					fmt.Println("heard " + piece)
				}
				heard.pieces++
				heard.answer += piece
			}
		}
	}
	return heard, nil
}

type speak func(context.Context, *a2aclient.Client, *a2a.Message) (told, error)

func user(words string) *a2a.Message {
	return a2a.NewMessage(a2a.MessageRoleUser, a2a.NewTextPart(words))
}

func expect(right bool, what string, heard told) error {
	if right {
		return nil
	}
	return fmt.Errorf("%s: %+v", what, heard)
}

func answers(ctx context.Context, w way, send speak, streamed bool) error {
	client, err := w.client(ctx, "plain")
	if err != nil {
		return err
	}
	words := "What is the capital?"
	if streamed {
		words = "Word by word, please"
	}
	heard, err := send(ctx, client, user(words))
	if err != nil {
		return err
	}
	if err := expect(!streamed || heard.pieces > 1, "came in one piece", heard); err != nil {
		return err
	}
	return expect(heard.state == a2a.TaskStateCompleted && heard.answer == answer, "not the answer", heard)
}

func asks(ctx context.Context, w way, send speak, _ bool) error {
	client, err := w.client(ctx, "asking")
	if err != nil {
		return err
	}
	asked, err := send(ctx, client, user("A car"))
	if err != nil {
		return err
	}
	right := asked.state == a2a.TaskStateInputRequired && asked.status == "Which colour?" && asked.answer == ""
	if err := expect(right, "not the question", asked); err != nil {
		return err
	}
	message := a2a.NewMessageForTask(a2a.MessageRoleUser, asked.task, a2a.NewTextPart("Red"))
	done, err := send(ctx, client, message)
	if err != nil {
		return err
	}
	right = done.state == a2a.TaskStateCompleted && done.answer == "A car in Red" && done.task.TaskID == asked.task.TaskID
	return expect(right, "not what follows it", done)
}

func fails(ctx context.Context, w way, send speak, _ bool) error {
	client, err := w.client(ctx, "failing")
	if err != nil {
		return err
	}
	heard, err := send(ctx, client, user("x"))
	if err != nil {
		return err
	}
	return expect(heard.state == a2a.TaskStateFailed && strings.Contains(heard.status, "broken"), "not the failure", heard)
}

// forgets asks for a task that there is none of: an error of the SDK's own.
func forgets(ctx context.Context, w way) error {
	client, err := w.client(ctx, "plain")
	if err != nil {
		return err
	}
	_, err = client.GetTask(ctx, &a2a.GetTaskRequest{ID: a2a.TaskID(strings.Repeat("0", 32))})
	if !errors.Is(err, a2a.ErrTaskNotFound) {
		return fmt.Errorf("not a task that is not found: %w", err)
	}
	return nil
}

func main() {
	if err := json.Unmarshal([]byte(os.Getenv("STUDIO_AGENTS")), &agents); err != nil {
		panic(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	failed := false
	report := func(name string, err error) {
		if err == nil {
			fmt.Println("ok " + name)
			return
		}
		failed = true
		fmt.Printf("not ok %s\n%v\n", name, err)
	}
	for _, w := range ways {
		for name, send := range map[string]speak{"whole": say, "streamed": stream} {
			streamed := name == "streamed"
			report(fmt.Sprintf("an answer, %s, %s", name, w.name), answers(ctx, w, send, streamed))
			report(fmt.Sprintf("a question and its answer, %s, %s", name, w.name), asks(ctx, w, send, streamed))
			report(fmt.Sprintf("a failure, %s, %s", name, w.name), fails(ctx, w, send, streamed))
		}
		report("a task that there is none of, "+w.name, forgets(ctx, w))
	}
	if failed {
		os.Exit(1)
	}
}
