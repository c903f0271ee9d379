// The values of secrets that a project lacks: from the environment, else asked for, else made or `none`.
import { randomBytes } from 'node:crypto';

/** Stands for "not set": every secret that a function names must exist, and none may be empty. */
const UNSET = 'none';

/** Secrets that hold the key of a provider, with what it is called where they are asked for. */
const PROVIDER_KEYS = { OPENAI_API_KEY: 'OpenAI', ANTHROPIC_API_KEY: 'Anthropic', GEMINI_API_KEY: 'Gemini' };

/** Made here and shown to nobody. */
const GENERATED = { KEY_PEPPER: () => randomBytes(32).toString('base64') };

/**
 * A value for each of the `names`. `ask` asks a person for the key of a provider and is left out where there is nobody; a
 * setting of the environment is taken without a question.
 */
export async function valuesOfSecrets(names, env, ask) {
  const values = {};
  for (const name of names) {
    const given = env[name]?.trim();
    const asked = given || !ask || !PROVIDER_KEYS[name] ? given : (await ask(PROVIDER_KEYS[name])).trim();
    values[name] = asked || GENERATED[name]?.() || UNSET;
  }
  return values;
}

/** Whether nobody could answer: every provider's key is to be `none`, and no server is named in the settings. */
export function hasNoProvider(values, settings) {
  const isNone = Object.keys(PROVIDER_KEYS).every((name) => values[name] === UNSET);
  const named = ['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL', 'GEMINI_BASE_URL', 'MODEL_OVERRIDES'];
  return isNone && !named.some((name) => settings[name]);
}
