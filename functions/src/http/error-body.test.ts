import { refuse } from '../errors';
import { errorBodyAt } from './error-body';

const FORMS = {
  contract: { error: { message: 'Rate limit exceeded', type: 'rate_limit_error' } },
  openai: {
    error: { message: 'Rate limit exceeded', type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' },
  },
  anthropic: {
    ...{ type: 'error', request_id: 'id' },
    error: { type: 'rate_limit_error', message: 'Rate limit exceeded' },
  },
  jsonRpc: { jsonrpc: '2.0', id: null, error: { code: -32_000, message: 'Rate limit exceeded' } },
};

it.each<[path: string, form: keyof typeof FORMS]>([
  ['/openai', 'openai'],
  ['/openai/v1/nothing', 'openai'],
  ['/openaifoo/v1', 'contract'],
  ['/anthropic', 'anthropic'],
  ['/anthropic/v1/nothing', 'anthropic'],
  ['/anthropic-v1/messages', 'contract'],
  ['/mcp', 'jsonRpc'],
  ['/mcp/', 'jsonRpc'],
  ['/mcpfoo', 'contract'],
  ['/mcp.json', 'contract'],
  ['/v1/mcp', 'contract'],
  ['//', 'contract'],
])('an error at %s has the form of: %s', (path, form) => {
  expect(errorBodyAt({ path, requestId: 'id' }, refuse('rate_limited'))).toEqual(FORMS[form]);
});
