import com.fasterxml.jackson.databind.ObjectMapper;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What langchain4j makes of the base /openai/v1: a line of JSON for each thing tried. */
class Try {
    static final String BASE = System.getenv("BASE_URL").replace("/v1", "/openai/v1");
    static final String KEY = System.getenv("API_KEY");

    public static void main(String[] arguments) throws Exception {
        var tried = List.of(
                List.of("an answer", "text", "ensemble", "QUESTION"), List.of("a stream", "text", "ensemble", "QUESTION"),
                List.of("a call", "call", "scripted", "WEATHER_QUESTION"),
                List.of("a streamed call", "call", "scripted", "WEATHER_QUESTION"),
                List.of("a stream that breaks", "fault", "scripted", "BREAKING_QUESTION"));
        for (var each : tried) {
            var request = ChatRequest.builder().modelName(each.get(2)).messages(UserMessage.from(System.getenv(each.get(3))));
            var schema = JsonObjectSchema.builder().addStringProperty("town").build();
            if (each.get(1).equals("call")) request.toolSpecifications(ToolSpecification.builder().name("weather").parameters(schema).build());
            String outcome;
            try {
                outcome = said(each.get(0).contains("stream") ? streamed(request.build()) : whole(request.build()));
            } catch (Exception error) {
                outcome = error.toString();
            }
            System.out.println("{\"tried\":" + new ObjectMapper().writeValueAsString(each.get(0)) + ",\"kind\":\"" + each.get(1)
                    + "\",\"outcome\":" + new ObjectMapper().writeValueAsString(outcome) + "}");
        }
    }

    static AiMessage whole(ChatRequest request) {
        return OpenAiChatModel.builder().baseUrl(BASE).apiKey(KEY).maxRetries(0).build().chat(request).aiMessage();
    }

    static AiMessage streamed(ChatRequest request) throws Exception {
        var answer = new CompletableFuture<ChatResponse>();
        OpenAiStreamingChatModel.builder().baseUrl(BASE).apiKey(KEY).build().chat(request, new StreamingChatResponseHandler() {
            public void onCompleteResponse(ChatResponse response) { answer.complete(response); }
            public void onError(Throwable error) { answer.completeExceptionally(error); }
        });
        return answer.get().aiMessage();
    }

    static String said(AiMessage message) {
        var said = new StringBuilder(message.text() == null ? "" : message.text());
        for (var call : message.toolExecutionRequests()) said.append(call.name()).append(call.arguments());
        return said.toString();
    }
}
