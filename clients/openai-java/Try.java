import com.fasterxml.jackson.databind.ObjectMapper;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import java.util.List;
import java.util.Map;

/** What openai-java makes of the base /openai/v1: a line of JSON for each thing tried. */
class Try {
    static final OpenAIClient CLIENT = OpenAIOkHttpClient.builder()
            .baseUrl(System.getenv("BASE_URL").replace("/v1", "/openai/v1"))
            .apiKey(System.getenv("API_KEY"))
            .maxRetries(0)
            .build();

    public static void main(String[] arguments) throws Exception {
        var tried = List.of(
                List.of("an answer", "text", "ensemble", "QUESTION"), List.of("a stream", "text", "ensemble", "QUESTION"),
                List.of("a call", "call", "scripted", "WEATHER_QUESTION"),
                List.of("a streamed call", "call", "scripted", "WEATHER_QUESTION"),
                List.of("a stream that breaks", "fault", "scripted", "BREAKING_QUESTION"));
        for (var each : tried) {
            var request = ChatCompletionCreateParams.builder().model(each.get(2)).addUserMessage(System.getenv(each.get(3)));
            if (each.get(1).equals("call")) request.addFunctionTool(FunctionDefinition.builder().name("weather").parameters(schema()).build());
            String outcome;
            try {
                outcome = said(each.get(0).contains("stream") ? streamed(request.build()) : CLIENT.chat().completions().create(request.build()));
            } catch (Exception error) {
                outcome = error.toString();
            }
            System.out.println("{\"tried\":" + new ObjectMapper().writeValueAsString(each.get(0)) + ",\"kind\":\"" + each.get(1)
                    + "\",\"outcome\":" + new ObjectMapper().writeValueAsString(outcome) + "}");
        }
    }

    static FunctionParameters schema() {
        return FunctionParameters.builder().putAdditionalProperty("type", JsonValue.from("object"))
                .putAdditionalProperty("properties", JsonValue.from(Map.of("town", Map.of("type", "string")))).build();
    }

    static ChatCompletion streamed(ChatCompletionCreateParams request) {
        var accumulator = ChatCompletionAccumulator.create();
        try (var stream = CLIENT.chat().completions().createStreaming(request)) {
            stream.stream().forEach(accumulator::accumulate);
        }
        return accumulator.chatCompletion();
    }

    static String said(ChatCompletion completion) {
        var message = completion.validate().choices().get(0).message();
        var said = new StringBuilder(message.content().orElse(""));
        for (var call : message.toolCalls().orElse(List.of())) said.append(call.asFunction().function().name()).append(call.asFunction().function().arguments());
        return said.toString();
    }
}
