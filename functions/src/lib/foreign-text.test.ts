import { excerpt, redact } from './foreign-text';

const RANDOM = '0123456789abcdefABCDEF';

describe('redact', () => {
  it.each([
    ['an API key', `sk-ens_${RANDOM}`],
    ['one of another prefix', `sk-acme2_${RANDOM}`],
    ['an OpenAI key', `sk-proj-${RANDOM}_-${RANDOM}`],
    ['an Anthropic key', `sk-ant-api03-${RANDOM}`],
    ['a router key', `sk-or-v1-${RANDOM}`],
    ['a public key', `pk_live_${RANDOM}`],
    ['a restricted key', `rk_live_${RANDOM}`],
    ['a Google key', `AIzaSy${RANDOM}`],
    ['a Google token', `ya29.${RANDOM}`],
    ['a JWT', `eyJ${RANDOM}.${RANDOM}.${RANDOM}`],
    ['a bearer token of any form', 'bearer \t!§$%&/='],
  ])('cuts out %s, wherever it stands', (_, secret) => {
    const word = secret.split(/\s/).at(-1) ?? '';
    for (const before of ['', 'x ', '/v1/', '"', '20', '%20', '_', 'key=', '世']) {
      const text = redact(`${before}${secret} after`);
      expect(text).not.toContain(word);
      expect(text).toMatch(/\[redacted\] after$/);
    }
  });

  it.each(['task-management-of-a-large-team', 'acme/desk-assistant-large-v2', 'gpt-4o-mini', 'sk-short', 'bearer'])(
    'leaves %s as it is',
    (text) => expect(redact(text)).toBe(text),
  );

  it('cuts out a key before a text is cut, so that none is half told', () => {
    const text = excerpt(`/${'a'.repeat(190)}/sk-ens_${RANDOM}`);
    expect(text).toBe(`/${'a'.repeat(190)}/[redacte`);
  });
});
