// What async-openai makes of the base /openai/v1: a line of JSON for each thing tried.
use async_openai::types::chat::*;
use async_openai::{Client, config::OpenAIConfig, error::OpenAIError};
use futures::StreamExt;
use serde_json::{from_value, json};
use std::env::var;

const TRIED: [(&str, &str, &str, &str); 5] = [
    ("an answer", "text", "ensemble", "QUESTION"),
    ("a stream", "text", "ensemble", "QUESTION"),
    ("a call", "call", "scripted", "WEATHER_QUESTION"),
    ("a streamed call", "call", "scripted", "WEATHER_QUESTION"),
    ("a stream that breaks", "fault", "scripted", "BREAKING_QUESTION"),
];

#[tokio::main]
async fn main() {
    let base = var("BASE_URL").unwrap().replace("/v1", "/openai/v1");
    let client = Client::with_config(OpenAIConfig::new().with_api_base(base).with_api_key(var("API_KEY").unwrap()));
    for (tried, kind, model, asked) in TRIED {
        let mut request = json!({ "model": model, "messages": [{ "role": "user", "content": var(asked).unwrap() }] });
        if kind == "call" {
            let parameters = json!({ "type": "object", "properties": { "town": { "type": "string" } } });
            request["tools"] = json!([{ "type": "function", "function": { "name": "weather", "parameters": parameters } }]);
        }
        let request: CreateChatCompletionRequest = from_value(request).unwrap();
        let asked = if tried.contains("stream") { streamed(&client, request).await } else { whole(&client, request).await };
        let outcome = asked.unwrap_or_else(|error| error.to_string());
        println!("{{\"tried\":{},\"kind\":{},\"outcome\":{}}}", json!(tried), json!(kind), json!(outcome));
    }
}

async fn whole(client: &Client<OpenAIConfig>, request: CreateChatCompletionRequest) -> Result<String, OpenAIError> {
    let message = client.chat().create(request).await?.choices.remove(0).message;
    let mut text = message.content.unwrap_or_default();
    for call in message.tool_calls.unwrap_or_default() {
        if let ChatCompletionMessageToolCalls::Function(call) = call {
            text += &(call.function.name + &call.function.arguments);
        }
    }
    Ok(text)
}

async fn streamed(client: &Client<OpenAIConfig>, request: CreateChatCompletionRequest) -> Result<String, OpenAIError> {
    let mut stream = client.chat().create_stream(request).await?;
    let mut text = String::new();
    while let Some(chunk) = stream.next().await {
        let delta = chunk?.choices.remove(0).delta;
        text += &delta.content.unwrap_or_default();
        for function in delta.tool_calls.unwrap_or_default().into_iter().filter_map(|call| call.function) {
            text += &(function.name.unwrap_or_default() + &function.arguments.unwrap_or_default());
        }
    }
    Ok(text)
}
