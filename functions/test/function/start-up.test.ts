import { execFile } from 'node:child_process';
import { join } from 'node:path';

/** What happens when the platform loads the built function, before any request. */

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

  it('says which setting is wrong', async () => {
    const { code, output } = await load({ FUNCTION_TARGET: 'api', KEY_PEPPER: 'pepper', MAX_INSTANCES: 'many' });
    expect(code).toBe(1);
    expect(output).toContain('MAX_INSTANCES must be a whole number');
  });
});
