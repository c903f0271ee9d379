import { Readable } from 'node:stream';
import type { RequestPart } from '../../models/model';
import type { ModelFaultKind } from '../../models/model-fault';
import { refusalOf, reportedFault } from './provider-fault';

/** The fault of a refusal as it came over the wire. */
function faultOf(status: number, body: object | string) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return refusalOf(Object.assign(Readable.from([Buffer.from(text)]), { statusCode: status, headers: {} }));
}

/** What servers answer, as they word it. */
const REFUSALS: readonly (readonly [server: string, status: number, body: object | string, kind: ModelFaultKind])[] = [
  ...(
    [
      [
        'llama.cpp',
        400,
        {
          error: {
            code: 400,
            message: 'the request exceeds the available context size, try increasing it',
            type: 'exceed_context_size_error',
            n_prompt_tokens: 9000,
            n_ctx: 4096,
          },
        },
      ],
      [
        'llama.cpp, older',
        500,
        {
          error: {
            code: 500,
            message:
              'the request exceeds the available context size. try increasing the context size or enable context shift',
            type: 'server_error',
          },
        },
      ],
      [
        'llama.cpp, batch',
        500,
        {
          error: {
            code: 500,
            message: 'input is too large to process. increase the physical batch size',
            type: 'server_error',
          },
        },
      ],
      [
        'OpenRouter, nested',
        400,
        {
          error: {
            message: 'Provider returned error',
            code: 400,
            metadata: {
              raw: '{"error":{"message":"This model\'s maximum context length is 8192 tokens."}}',
              provider_name: 'x',
            },
          },
        },
      ],
      [
        'OpenRouter, nested twice',
        400,
        {
          error: {
            message: 'Provider returned error',
            code: 400,
            metadata: { raw: { data: '{"message":"Prompt exceeds max length"}' } },
          },
        },
      ],
      [
        'LM Studio',
        400,
        {
          error:
            'The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length, or provide a shorter input',
        },
      ],
      ['LM Studio, MLX', 400, { error: 'Context size has been exceeded.' }],
      [
        'TGI',
        422,
        {
          error: 'Input validation error: `inputs` must have less than 1024 tokens. Given: 2500',
          error_type: 'validation',
        },
      ],
      [
        'TGI, both',
        422,
        {
          error: 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 3474',
          error_type: 'validation',
        },
      ],
      ['a proxy', 413, '<html><h1>413 Request Entity Too Large</h1></html>'],
      [
        'Anthropic',
        413,
        { type: 'error', error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } },
      ],
      ['GLM', 400, { error: { code: '1261', message: 'Prompt exceeds max length' } }],
      ['GLM, in Chinese', 400, { error: { code: '1261', message: 'Prompt 超长' } }],
      [
        'Qwen',
        400,
        {
          error: {
            code: 'invalid_parameter_error',
            message: '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]',
          },
        },
      ],
      [
        'Gemini',
        400,
        {
          error: {
            code: 400,
            message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
      ['Ollama', 400, { error: 'the input length exceeds the context length' }],
      [
        'Ollama, 500',
        500,
        { error: { message: 'prompt too long; exceeded max context length by 120 tokens', type: 'api_error' } },
      ],
      [
        'Mistral',
        400,
        {
          object: 'error',
          message:
            'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
          code: '3051',
        },
      ],
      [
        'vLLM',
        400,
        {
          object: 'error',
          message: 'The decoder prompt (length 5000) is longer than the maximum model length of 4096.',
          code: 400,
        },
      ],
      [
        'SGLang',
        400,
        {
          object: 'error',
          message: "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
          code: 400,
        },
      ],
      [
        'DeepSeek',
        400,
        {
          error: {
            message: "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens.",
            type: 'invalid_request_error',
          },
        },
      ],
      [
        'Moonshot',
        400,
        {
          error: {
            message: 'Invalid request: Your request exceeded model token limit: 8192',
            type: 'invalid_request_error',
          },
        },
      ],
      [
        'xAI',
        400,
        {
          code: 'Client specified an invalid argument',
          error: "This model's maximum prompt length is 131072 but the request contains 200000 tokens.",
        },
      ],
      [
        'Azure',
        400,
        {
          error: {
            message:
              'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 288000 tokens.',
            code: 'context_length_exceeded',
          },
        },
      ],
      [
        'Cerebras',
        400,
        {
          message: 'Please reduce the length of the messages or completion. Current length is 8211 while limit is 8192',
          code: 'context_length_exceeded',
        },
      ],
      [
        'OpenAI, by the minute',
        429,
        {
          error: {
            message: 'Request too large for gpt-x on tokens per min (TPM): Limit 10000, Requested 12000.',
            code: 'rate_limit_exceeded',
          },
        },
      ],
    ] as const
  ).map((row) => [...row, 'context_length'] as const),
  ...(
    [
      ['DeepSeek', 402, { error: { message: 'Insufficient Balance', code: 'invalid_request_error' } }],
      [
        'OpenRouter',
        402,
        { error: { message: 'This request requires more credits, or fewer max_tokens.', code: 402 } },
      ],
      ['OpenRouter, key', 403, { error: { message: 'Key limit exceeded (total limit)', code: 403 } }],
      [
        'OpenAI',
        429,
        {
          error: {
            message: 'You exceeded your current quota, please check your plan and billing details.',
            code: 'insufficient_quota',
          },
        },
      ],
      ['Perplexity', 401, { error: { message: 'You exceeded your quota', type: 'insufficient_quota', code: 401 } }],
      [
        'Anthropic',
        400,
        {
          type: 'error',
          error: {
            type: 'invalid_request_error',
            message: 'Your credit balance is too low to access the Anthropic API.',
          },
        },
      ],
      [
        'Anthropic, limit',
        400,
        {
          type: 'error',
          error: {
            type: 'invalid_request_error',
            message: 'You have reached your specified API usage limits. You will regain access on 2027-01-01.',
          },
        },
      ],
      [
        'Gemini',
        429,
        { error: { code: 429, message: 'Your prepayment credits are depleted.', status: 'RESOURCE_EXHAUSTED' } },
      ],
      ['GLM', 429, { error: { code: '1113', message: '余额不足或无可用资源包,请充值。' } }],
      [
        'Qwen',
        400,
        { error: { code: 'Arrearage', message: 'Access denied, please make sure your account is in good standing.' } },
      ],
      [
        'xAI',
        403,
        { code: 'The caller does not have permission', error: "Your newly created team doesn't have any credits yet." },
      ],
      ['SiliconFlow', 403, { code: 30001, message: 'Sorry, your account balance is insufficient', data: null }],
    ] as const
  ).map((row) => [...row, 'out_of_credit'] as const),
  ...(
    [
      [
        'OpenAI',
        403,
        {
          error: {
            code: 'unsupported_country_region_territory',
            message: 'Country, region, or territory not supported',
            type: 'request_forbidden',
          },
        },
      ],
      [
        'Gemini',
        400,
        {
          error: {
            code: 400,
            message: 'User location is not supported for the API use.',
            status: 'FAILED_PRECONDITION',
          },
        },
      ],
      [
        'a gateway',
        403,
        { type: 'error', error: { type: 'RegionError', message: 'This model is not available in your country.' } },
      ],
    ] as const
  ).map((row) => [...row, 'unsupported_region'] as const),
  ...(
    [
      [
        'OpenRouter',
        403,
        {
          error: {
            code: 403,
            message: 'x requires moderation on OpenAI. Your input was flagged for "violence".',
            metadata: { reasons: ['violence'], flagged_input: '…' },
          },
        },
      ],
      [
        'OpenAI',
        400,
        { error: { message: 'Your request was rejected by our safety system', code: 'content_policy_violation' } },
      ],
      [
        'Azure',
        400,
        {
          error: {
            message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
            code: 'content_filter',
            status: 400,
          },
        },
      ],
      ['DeepSeek', 400, { error: { message: 'Content Exists Risk', type: 'invalid_request_error' } }],
      [
        'Qwen',
        400,
        { error: { code: 'data_inspection_failed', message: 'Input data may contain inappropriate content.' } },
      ],
      ['GLM', 400, { error: { code: '1301', message: '系统检测到输入或生成内容可能包含不安全或敏感内容' } }],
      [
        'xAI',
        403,
        {
          code: 'The caller does not have permission',
          error: 'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO',
        },
      ],
    ] as const
  ).map((row) => [...row, 'content_filter'] as const),
  ...(
    [
      ['a web server', 404, '<html><h1>404 Not Found</h1></html>'],
      ['Ollama', 404, '404 page not found'],
      ['nobody', 404, ''],
      ['FastAPI', 404, { detail: 'Not Found' }],
      ['llama.cpp', 404, { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } }],
      [
        'OpenAI',
        404,
        {
          error: { message: 'Invalid URL (POST /v1/chat/completions/chat/completions)', type: 'invalid_request_error' },
        },
      ],
      ['Groq', 404, { error: { message: 'Unknown request URL: POST /chat/completions.', code: 'unknown_url' } }],
      ['a redirect', 308, ''],
      ['FastAPI, another path', 405, { detail: 'Method Not Allowed' }],
    ] as const
  ).map((row) => [...row, 'wrong_address'] as const),
  [
    'Gemini, by the minute',
    429,
    {
      error: {
        code: 429,
        message: 'You exceeded your current quota, please check your plan and billing details.',
        status: 'RESOURCE_EXHAUSTED',
        details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '30s' }],
      },
    },
    'rate_limited',
  ],
  ['Bedrock', 429, { message: 'Too many tokens, please wait before trying again.' }, 'rate_limited'],
  [
    'a plan that takes one call at a time',
    429,
    {
      error: {
        message: 'Your account reached max concurrency: 1, please try again after 1 seconds',
        type: 'rate_limit_reached_error',
      },
    },
    'rate_limited',
  ],
  [
    'OpenAI, an unknown model',
    404,
    { error: { message: 'The model `x` does not exist', code: 'model_not_found' } },
    'not_found',
  ],
  ['Ollama, an unknown model', 404, { error: "model 'x' not found, try pulling it first" }, 'not_found'],
  [
    'Anthropic, an unknown model',
    404,
    { type: 'error', error: { type: 'not_found_error', message: 'model: claude-x' } },
    'not_found',
  ],
  ['a wrong key', 403, { error: { message: 'Forbidden' } }, 'unauthorized'],
  ['a broken server', 500, { error: { message: 'CUDA error: out of memory', type: 'server_error' } }, 'server'],
  [
    'a limit of output that is too high',
    400,
    {
      error: {
        message: 'max_tokens is too large: 100000. This model supports at most 16384 completion tokens',
        param: 'max_tokens',
      },
    },
    'bad_request',
  ],
  [
    'a prompt about it that is repeated',
    422,
    {
      detail: [
        { type: 'missing', loc: ['body', 'x'], msg: 'Field required', input: { content: 'What is a context window?' } },
      ],
    },
    'bad_request',
  ],
];

describe('a refusal', () => {
  it.each(REFUSALS)('of %s with %i is understood by what it says: %j', async (_, status, body, kind) => {
    expect((await faultOf(status, body)).kind).toBe(kind);
  });

  it('that comes inside a stream is understood likewise', () => {
    expect(reportedFault('Unexpected endpoint or method. (POST /chat/completions)').kind).toBe('wrong_address');
    expect(reportedFault({ code: 400, message: 'Context size has been exceeded.' }).kind).toBe('context_length');
    expect(reportedFault({ type: 'insufficient_quota', message: 'x' }).kind).toBe('out_of_credit');
  });
});

/** What is refused by name, and by whom. */
const NAMED: readonly (readonly [status: number, body: object, refuses: readonly RequestPart[]])[] = [
  [
    400,
    { error: { message: "property 'stream_options' is unsupported", type: 'invalid_request_error' } },
    ['streamOptions'],
  ],
  [
    400,
    { error: { message: "Unknown parameter: 'stream_options'.", param: 'stream_options', code: 'unknown_parameter' } },
    ['streamOptions'],
  ],
  [
    422,
    {
      detail: [
        {
          type: 'extra_forbidden',
          loc: ['body', 'stream_options', 'include_usage'],
          msg: 'Extra inputs are not permitted',
          input: { temperature: 1 },
        },
      ],
    },
    ['streamOptions'],
  ],
  [
    400,
    {
      object: 'error',
      message:
        "[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs are not permitted'}]",
      code: 400,
    },
    ['streamOptions'],
  ],
  [
    400,
    { error: { message: 'unknown field `stream_options`, expected one of `model`, `temperature`, `top_p`' } },
    ['streamOptions'],
  ],
  [
    400,
    { detail: "Extra parameters ['stream_options'] are not allowed when extra-parameters is not set" },
    ['streamOptions'],
  ],
  [
    400,
    {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: { raw: '{"message":"Unrecognized request argument supplied: parallel_tool_calls"}' },
      },
    },
    ['parallelToolCalls'],
  ],
  [
    400,
    {
      error: {
        message:
          "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
        param: 'temperature',
        code: 'unsupported_value',
      },
    },
    ['temperature'],
  ],
  [
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: '`temperature` and `top_p` cannot both be specified for this model.',
      },
    },
    ['topP', 'temperature'],
  ],
  [
    400,
    {
      error: {
        message:
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        param: 'max_tokens',
      },
    },
    ['limitName'],
  ],
  [400, { error: { message: 'max_tokens is too large: 100000', param: 'max_tokens' } }, []],
  [400, { error: 'Model grok-4 does not support parameter reasoningEffort.' }, ['reasoningEffort']],
  [
    400,
    {
      object: 'error',
      message: 'After the optional system message, conversation roles must alternate user/assistant/user/assistant/...',
    },
    ['turnsInARow'],
  ],
  [
    500,
    {
      error: {
        code: 500,
        message: 'Jinja Exception: Conversation roles must alternate user/assistant',
        type: 'server_error',
      },
    },
    ['turnsInARow'],
  ],
  [
    400,
    { error: { message: 'deepseek-reasoner does not support successive user or assistant messages' } },
    ['turnsInARow'],
  ],
  [400, { error: { message: 'temperature: must be at most 1' } }, []],
  [400, { error: { message: '`temperature` is deprecated for this model.' } }, ['temperature']],
];

it.each(NAMED)('%i %j names what it refuses', async (status, body, refuses) => {
  expect(await faultOf(status, body)).toMatchObject({ kind: 'bad_request', refuses });
});
