import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.ai.openai.OpenAiChatOptions;
import org.springframework.ai.tool.function.FunctionToolCallback;
import tools.jackson.databind.ObjectMapper;

/** What Spring AI makes of the base /openai/v1: a line of JSON for each thing tried. */
class Try {
    record Place(String town) {}

    public static void main(String[] arguments) throws Exception {
        var tried = List.of(
                List.of("an answer", "text", "ensemble", "QUESTION"), List.of("a stream", "text", "ensemble", "QUESTION"),
                List.of("a call", "call", "scripted", "WEATHER_QUESTION"),
                List.of("a streamed call", "call", "scripted", "WEATHER_QUESTION"),
                List.of("a stream that breaks", "fault", "scripted", "BREAKING_QUESTION"));
        for (var each : tried) {
            var options = OpenAiChatOptions.builder().baseUrl(System.getenv("BASE_URL").replace("/v1", "/openai/v1"))
                    .apiKey(System.getenv("API_KEY")).model(each.get(2)).maxRetries(0);
            var weather = FunctionToolCallback.builder("weather", (Place place) -> "rain in " + place.town()).inputType(Place.class).build();
            if (each.get(1).equals("call")) options.toolCallbacks(weather);
            var model = OpenAiChatModel.builder().options(options.build()).build();
            var prompt = new Prompt(System.getenv(each.get(3)), options.build());
            String outcome;
            try {
                var replies = each.get(0).contains("stream") ? model.stream(prompt).collectList().block() : List.of(model.call(prompt));
                outcome = replies.stream().map(Try::said).collect(Collectors.joining());
            } catch (Exception error) {
                outcome = error.toString();
            }
            var line = Map.of("kind", each.get(1), "outcome", outcome);
            System.out.println("{\"tried\":\"" + each.get(0) + "\"," + new ObjectMapper().writeValueAsString(line).substring(1));
        }
    }

    static String said(ChatResponse reply) {
        var said = new StringBuilder();
        for (var result : reply.getResults()) {
            var message = result.getOutput();
            said.append(message.getText() == null ? "" : message.getText());
            for (var call : message.getToolCalls()) said.append(call.name()).append(call.arguments());
        }
        return said.toString();
    }
}
