import type { ChatTurn } from '../../models/model';
import type { ToolOffer } from '../../models/tools';
import { argumentsObject, type CalledTools, newCallId } from '../transport/called-tools';
import type { LongTexts } from '../transport/long-texts';
import { argumentsText, type Fields, fieldsOf, textOf } from '../transport/reply-fields';

/**
 * Gemini wants back what it signed of its thoughts with a call. Clients keep nothing of a call but what OpenAI's API has, so
 * it travels in the id.
 */
const SIGNATURE_MARK = '__thought__';
const SIGNATURE_CHARACTERS_MAX = 16 * 1024;
/** Value that Gemini 3 takes in the place of a signature, as with calls that another model has made. */
const UNSIGNED = 'skip_thought_signature_validator';
const SIGNS_NOTHING = /^(?:models\/)?gemini-[12]/;

/** The fields of a request that offer tools. */
export function toolFields({ tools, choice }: ToolOffer): object {
  const config =
    choice === undefined
      ? undefined
      : typeof choice === 'object'
        ? { mode: 'ANY', allowedFunctionNames: [choice.name] }
        : { mode: { auto: 'AUTO', none: 'NONE', required: 'ANY' }[choice] };
  return {
    tools: [
      {
        functionDeclarations: tools.map(({ name, description, parameters }) => ({
          name,
          ...(description !== undefined && { description }),
          ...(parameters && { parametersJsonSchema: parameters }),
        })),
      },
    ],
    ...(config && { toolConfig: { functionCallingConfig: config } }),
  };
}

/** Calls and results of tools as parts of a turn. */
export function toolParts(
  { toolCalls = [], toolResults = [] }: ChatTurn,
  { providerModel, texts }: { readonly providerModel: string; readonly texts: LongTexts },
): object[] {
  const isSigned = !SIGNS_NOTHING.test(providerModel);
  const calls = toolCalls.map(({ id, name, arguments: text }, index) => {
    const at = id.indexOf(SIGNATURE_MARK);
    // Of calls made at once only the first is signed.
    const unsigned = isSigned && index === 0 ? UNSIGNED : '';
    const thoughtSignature = at < 0 ? unsigned : id.slice(at + SIGNATURE_MARK.length);
    return { functionCall: { name, args: argumentsObject(text) }, ...(thoughtSignature && { thoughtSignature }) };
  });
  const results = toolResults.map(({ name, text }) => ({
    functionResponse: { name, response: { result: texts.of({ text }) } },
  }));
  return [...calls, ...results];
}

/** Reads a part that calls a tool. */
export function readFunctionCall({ functionCall, thoughtSignature }: Fields, called: CalledTools) {
  const { name, args } = fieldsOf(functionCall);
  const signature = textOf(thoughtSignature);
  const isKept = signature !== '' && signature.length <= SIGNATURE_CHARACTERS_MAX;
  const id = isKept ? `${newCallId()}${SIGNATURE_MARK}${signature}` : newCallId();
  return called.take({ key: {}, id, name: textOf(name), arguments: argumentsText(args ?? {}) });
}
