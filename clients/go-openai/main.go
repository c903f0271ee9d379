// What go-openai makes of the base /openai/v1: a line of JSON for each thing tried.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	openai "github.com/sashabaranov/go-openai"
)

func main() {
	config := openai.DefaultConfig(os.Getenv("API_KEY"))
	config.BaseURL = strings.TrimSuffix(os.Getenv("BASE_URL"), "/v1") + "/openai/v1"
	client := openai.NewClientWithConfig(config)
	for _, each := range []struct{ tried, kind, model, asked string }{
		{"an answer", "text", "ensemble", "QUESTION"}, {"a stream", "text", "ensemble", "QUESTION"},
		{"a call", "call", "scripted", "WEATHER_QUESTION"}, {"a streamed call", "call", "scripted", "WEATHER_QUESTION"},
		{"a stream that breaks", "fault", "scripted", "BREAKING_QUESTION"},
	} {
		message := openai.ChatCompletionMessage{Role: "user", Content: os.Getenv(each.asked)}
		request := openai.ChatCompletionRequest{Model: each.model, Messages: []openai.ChatCompletionMessage{message}}
		if each.kind == "call" {
			parameters := json.RawMessage(`{"type":"object","properties":{"town":{"type":"string"}}}`)
			request.Tools = []openai.Tool{{Type: "function", Function: &openai.FunctionDefinition{Name: "weather", Parameters: parameters}}}
		}
		outcome, err := ask(client, request, strings.Contains(each.tried, "stream"))
		if err != io.EOF && err != nil {
			outcome = err.Error()
		}
		line, _ := json.Marshal(map[string]string{"kind": each.kind, "outcome": outcome})
		fmt.Printf("{\"tried\":%q,%s\n", each.tried, line[1:])
	}
}

func ask(client *openai.Client, request openai.ChatCompletionRequest, streamed bool) (text string, err error) {
	if !streamed {
		reply, err := client.CreateChatCompletion(context.Background(), request)
		if err != nil {
			return "", err
		}
		return said(reply.Choices[0].Message.Content, reply.Choices[0].Message.ToolCalls), nil
	}
	stream, err := client.CreateChatCompletionStream(context.Background(), request)
	for err == nil {
		var chunk openai.ChatCompletionStreamResponse
		if chunk, err = stream.Recv(); err == nil {
			text += said(chunk.Choices[0].Delta.Content, chunk.Choices[0].Delta.ToolCalls)
		}
	}
	return text, err
}

func said(text string, calls []openai.ToolCall) string {
	for _, call := range calls {
		text += call.Function.Name + call.Function.Arguments
	}
	return text
}
