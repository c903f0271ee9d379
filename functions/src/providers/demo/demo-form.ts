import { parsedJson } from '../../lib/json';
import type { ProviderCall } from '../../models/model';
import { isJsonObject, type JsonObject } from '../../prompting/json-schema/canonical-json';
import { instanceOf } from './demo-instance';
import { lastTurnOf, messageOf } from './demo-prompt';

const NO_MODEL = 'Scripted demo answer: no language model was called.';
const ANY_OBJECT = JSON.stringify({ answer: 'demo', note: NO_MODEL });

/** Behind these words everybody is shown the schema of the answer, on a line of its own. */
const SCHEMA_SHOWN = / that fits this JSON Schema:\n(\{.*)$/m;
const OBJECT_WANTED = "The answer to the user's message has to be one JSON object.";

/** Forms that users ask for in a message, and a text that has each. */
const WISHES: readonly (readonly [asked: RegExp, text: string])[] = [
  [/\b(?:one|single) word\b/i, 'Demo'],
  [/\b(?:only|nothing but)\b[^.\n]{0,20}\bjson\b|\bjson only\b/i, ANY_OBJECT],
  [/\b(?:only|nothing but)\b[^.\n]{0,20}\bcode\b|\bcode only\b/i, `\`\`\`\n// ${NO_MODEL}\n\`\`\``],
];

/** An answer in the form that the request or the user's message asks for; undefined where any will do. */
export function answerInForm(call: ProviderCall): string | undefined {
  const asked = call.purpose === 'answer' ? call.outputSchema : undefined;
  const schema = asked?.schema ?? shownSchema(call);
  if (schema) return JSON.stringify(instanceOf(schema));
  if (asked || lastTurnOf(call).includes(OBJECT_WANTED)) return ANY_OBJECT;
  const message = messageOf(call);
  return WISHES.find(([wish]) => wish.test(message))?.[1];
}

function shownSchema(call: ProviderCall): JsonObject | undefined {
  const [, json] = SCHEMA_SHOWN.exec(lastTurnOf(call)) ?? [];
  const schema = parsedJson(json ?? 'null');
  return isJsonObject(schema) ? schema : undefined;
}
