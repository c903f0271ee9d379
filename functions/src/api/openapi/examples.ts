import { STRATEGY_NAMES } from '../../ensemble/strategies/strategies';
import { VIRTUAL_MODELS } from '../../ensemble/strategies/virtual-models';

/** A request that anybody may send as it is to a server with the demo models. */
export type Examples = Readonly<Record<string, { readonly summary: string; readonly value: object }>>;

const QUESTION = 'Should our clinic book appointments online?';
const MESSAGES = [{ role: 'user', content: QUESTION }];

/** Any but the default. */
const [, , STRATEGY] = STRATEGY_NAMES;
const VIRTUAL = VIRTUAL_MODELS.find(({ strategy }) => strategy)?.id;

/** Requests for chat completions. */
export const CHAT_EXAMPLES: Examples = {
  ensemble: { summary: 'The default panel', value: { model: 'ensemble', messages: MESSAGES } },
  panel: {
    summary: 'A panel of your own, streamed, with explanation and candidates',
    value: {
      model: 'demo-ada',
      messages: [{ role: 'system', content: 'Answer in two sentences.' }, ...MESSAGES],
      stream: true,
      ai_ensemble: {
        strategy: STRATEGY,
        models: ['demo-ada', { id: 'demo-blaise', temperature: 0.2, label: 'the careful one' }, { name: 'Demo Curie' }],
        rounds: 2,
        includeReasoning: true,
        includeCandidates: true,
      },
    },
  },
  one_model: {
    summary: 'One model, called directly',
    value: { model: 'demo-ada', messages: MESSAGES, temperature: 0.3 },
  },
  structured: {
    summary: 'An answer that follows a JSON Schema',
    value: {
      model: 'demo-ada',
      messages: MESSAGES,
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'decision',
          schema: {
            type: 'object',
            properties: { book_online: { type: 'boolean' } },
            required: ['book_online'],
            additionalProperties: false,
          },
        },
      },
    },
  },
  plan: {
    summary: 'What a request would cost: nothing is called',
    value: { model: 'ensemble', messages: MESSAGES, ai_ensemble: { maxCostUsd: 0.5, dryRun: true } },
  },
};

/** Requests for responses. */
export const RESPONSES_EXAMPLES: Examples = {
  strategy_in_model: {
    summary: 'An ensemble, by the name of its strategy',
    value: { model: VIRTUAL, input: QUESTION },
  },
  one_model: { summary: 'One model', value: { model: 'demo-ada', input: QUESTION, stream: true } },
};

/** Requests for evaluations. */
export const EVALUATION_EXAMPLES: Examples = {
  two_responses: {
    summary: 'Two responses, two judges',
    value: {
      prompt: QUESTION,
      responses: [
        { modelId: 'demo-ada', modelName: 'Demo Ada', response: 'Yes, with a telephone line for those who cannot.' },
        { modelId: 'demo-blaise', modelName: 'Demo Blaise', response: 'No.', role: 'opposition' },
      ],
      judge_models: [
        { id: 'demo-ada', name: 'Demo Ada' },
        { id: 'demo-curie', name: 'Demo Curie' },
      ],
      strategy: 'round_robin',
      evaluation_mode: 'pointwise',
    },
  },
};
