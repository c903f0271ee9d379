import { execFile } from 'node:child_process';
import { join } from 'node:path';

/** The platform loads the built function, before any request. */

const FUNCTIONS = join(__dirname, '..', '..');

function load(env: Record<string, string>): Promise<{ code: number; output: string }> {
  const settings = { PATH: process.env['PATH'], K_SERVICE: 'any', GCLOUD_PROJECT: 'my-project', ...env };
  return new Promise((resolve) => {
    execFile(process.execPath, ['lib/index.js'], { cwd: FUNCTIONS, env: settings }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}

describe('an instance of a deployed function', () => {
  it('of `api` does not start without a pepper, so that such a deployment replaces nothing', async () => {
    const { code, output } = await load({ FUNCTION_TARGET: 'api' });
    expect(code).toBe(1);
    expect(output).toContain('KEY_PEPPER must be set');
    const whole = { FUNCTION_TARGET: 'api', KEY_PEPPER: 'pepper', OPENAI_API_KEY: 'key' };
    expect(await load(whole)).toEqual({ code: 0, output: '' });
  });

  it('of `api` does not start without a model to ask: the demo models are not for production', async () => {
    const { code, output } = await load({ FUNCTION_TARGET: 'api', KEY_PEPPER: 'pepper', OPENAI_API_KEY: 'none' });
    expect(code).toBe(1);
    expect(output).toContain('No model provider is configured: set OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY');
  });

  it.each(['sweep', 'reconcile'])('of `%s` needs no secret', async (target) => {
    expect(await load({ FUNCTION_TARGET: target })).toEqual({ code: 0, output: '' });
  });

  it.each([
    ['when it serves', { FUNCTION_TARGET: 'api', KEY_PEPPER: 'pepper', LOG_LEVEL: 'loud' }],
    ['when it is deployed', { FUNCTIONS_CONTROL_API: 'true' }],
  ])('says which settings are wrong, a line each and never a stack, %s', async (_, env: Record<string, string>) => {
    const { code, output } = await load({ ...env, MAX_INSTANCES: 'many', SERVICE_ACCOUNT: '!' });
    expect(code).toBe(1);
    const lines = output.trim().split('\n');
    expect(lines.slice(0, 2)).toEqual([
      'MAX_INSTANCES must be a whole number from 0 to 9999',
      'SERVICE_ACCOUNT must be the e-mail address of a service account, or its name with an @ at the end',
    ]);
    expect(lines.slice(2)).toEqual(
      env['LOG_LEVEL'] ? [expect.stringMatching(/^LOG_LEVEL must be one of silent, /)] : [],
    );
  });
});
