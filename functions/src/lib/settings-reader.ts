/** Settings that cannot be used: a line for each that is wrong, which names it. Nobody needs the stack. */
export class SettingsError extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Stands for "not set" in Secret Manager, where every secret of the function must exist and none may be empty. */
const UNSET_SECRET = 'none';
const unlessUnset = (secret: string): string => (secret === UNSET_SECRET ? '' : secret);

/** A pair of quotation marks around a whole value: typed in a chat, or kept by a shell or by Docker's `--env-file`. */
const QUOTED = /^["'`“”„«‘’‚](.*)["'`“”»‘’]$/s;

function unquoted(text: string): string {
  const bare = text.replace(/\p{Cf}/gu, '').trim();
  return QUOTED.exec(bare)?.[1]?.trim() ?? bare;
}

/** The flaw of a key, which is sent in a header; nothing of it is repeated but the one character. */
export function keyFlaw(name: string, key: string): string | undefined {
  const code = /[^\x21-\x7e]/u.exec(unquoted(key))?.[0].codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return code && `${name} has a character that no key has: U+${code}`;
}

/** Reads settings and collects what is wrong with them, so that all of it can be told at once. */
export class SettingsReader {
  readonly #env: Environment;
  readonly #flaws: string[] = [];

  constructor(env: Environment) {
    this.#env = env;
  }

  /** A setting without what may stand around it: blanks, invisible characters, quotation marks. Empty when it is not set. */
  readonly text = (name: string): string => unquoted(this.#env[name] ?? '');

  /** A secret as it stands, but for blanks around it: of a pepper every character counts. */
  readonly secret = (name: string): string => unlessUnset((this.#env[name] ?? '').trim());

  key(name: string): string {
    const key = this.text(name);
    const flaw = keyFlaw(name, key);
    if (flaw !== undefined) this.flaw(flaw);
    return unlessUnset(key);
  }

  /** A text of this form, or none; `must` ends the sentence about any other. */
  matching(name: string, form: RegExp, must: string): string {
    const text = this.text(name);
    if (text !== '' && !form.test(text)) this.flaw(`${name} must be ${must}`);
    return text;
  }

  oneOf<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const value = this.text(name) || fallback;
    const found = allowed.find((one) => one === value);
    if (found === undefined) this.flaw(`${name} must be one of ${allowed.join(', ')}`);
    return found ?? fallback;
  }

  wholeNumber(name: string, [least, most]: readonly [number, number], fallback: number): number {
    const text = this.text(name) || String(fallback);
    if (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    this.flaw(`${name} must be a whole number from ${least} to ${most}`);
    return fallback;
  }

  list(name: string, fallback = ''): string[] {
    const items = (this.text(name) || fallback).split(',').map((item) => item.trim());
    return items.filter((item) => item !== '');
  }

  /** Result of `read`; where it throws, its message is kept, a flaw a line, and `fallback` returned. */
  attempt<T>(read: () => T, fallback: T): T {
    try {
      return read();
    } catch (error) {
      for (const line of error instanceof Error ? error.message.split('\n') : ['settings cannot be read']) {
        this.flaw(line);
      }
      return fallback;
    }
  }

  flaw(line: string): void {
    this.#flaws.push(line);
  }

  refuseFlaws(): void {
    if (this.#flaws.length > 0) throw new SettingsError([...new Set(this.#flaws)].join('\n'));
  }
}
