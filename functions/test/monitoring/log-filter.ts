import { type LogEntry, valueAt } from './log-entry';

/** Whether an entry passes. */
type Test = (entry: LogEntry) => boolean;
type Compare = (actual: unknown) => boolean;

const SEVERITIES = ['DEFAULT', 'DEBUG', 'INFO', 'NOTICE', 'WARNING', 'ERROR', 'CRITICAL', 'ALERT', 'EMERGENCY'];
const TOKENS = /\s*(?:(\(|\)|>=|<=|=|>|<)|("(?:[^"\\]|\\.)*")|((?:[A-Za-z0-9_@-]|"[^"]*"|\.)+))/y;
const NAME = /^(?:[A-Za-z0-9_@-]+|"[^"]*")(?:\.(?:[A-Za-z0-9_@-]+|"[^"]*"))*$/;

const ORDERED: Readonly<Record<string, (actual: number, wanted: number) => boolean>> = {
  '>=': (actual, wanted) => actual >= wanted,
  '<=': (actual, wanted) => actual <= wanted,
  '>': (actual, wanted) => actual > wanted,
  '<': (actual, wanted) => actual < wanted,
};

/**
 * Reads a filter in the part of the Logging query language that the files of `monitoring/` use: comparisons with `=`, `<`,
 * `<=`, `>` and `>=`, `NOT`, `OR` (which binds closer than `AND`), `AND`, parentheses, alternatives as a value, quoted
 * names. Throws on anything else, so that a filter is never taken to mean what it does not. Texts are compared whatever
 * their case; a comparison with a field that an entry does not have is false.
 */
export function logFilter(text: string): Test {
  const tokens = tokensOf(text);
  const test = conjunction(tokens);
  if (tokens.length > 0) throw new Error(`not understood in a filter: ${tokens.join(' ')}`);
  return test;
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKENS.lastIndex = 0;
  const trimmed = text.trimEnd();
  while (TOKENS.lastIndex < trimmed.length) {
    const at = TOKENS.lastIndex;
    const found = TOKENS.exec(trimmed);
    if (!found) throw new Error(`not understood in a filter: ${trimmed.slice(at)}`);
    tokens.push(found[0].trim());
  }
  return tokens;
}

/** Parts beside each other must all hold, with `AND` between them or without. */
function conjunction(tokens: string[]): Test {
  const parts = [disjunction(tokens)];
  while (tokens.length > 0 && tokens[0] !== ')') {
    if (tokens[0] === 'AND') tokens.shift();
    parts.push(disjunction(tokens));
  }
  return (entry) => parts.every((part) => part(entry));
}

function disjunction(tokens: string[]): Test {
  const parts = [negation(tokens)];
  while (tokens[0] === 'OR') {
    tokens.shift();
    parts.push(negation(tokens));
  }
  return (entry) => parts.some((part) => part(entry));
}

function negation(tokens: string[]): Test {
  if (tokens[0] === 'NOT') {
    tokens.shift();
    const negated = negation(tokens);
    return (entry) => !negated(entry);
  }
  if (tokens[0] !== '(') return comparison(tokens);
  tokens.shift();
  const inner = conjunction(tokens);
  expectNext(tokens, ')');
  return inner;
}

function comparison(tokens: string[]): Test {
  const name = tokens.shift() ?? '';
  if (!NAME.test(name)) throw new Error(`not the name of a field in a filter: ${name}`);
  const operator = tokens.shift() ?? '';
  const compare = operand(operator, tokens);
  return (entry) => {
    const actual = valueAt(entry, name);
    if (actual === undefined || actual === null) return false;
    return name === 'severity' ? compare(SEVERITIES.indexOf(String(actual))) : compare(actual);
  };
}

function operand(operator: string, tokens: string[]): Compare {
  if (tokens.at(0) !== '(') return single(operator, tokens.shift() ?? '');
  tokens.shift();
  const choices = [single(operator, tokens.shift() ?? '')];
  while (tokens.at(0) === 'OR') {
    tokens.shift();
    choices.push(single(operator, tokens.shift() ?? ''));
  }
  expectNext(tokens, ')');
  return (actual) => choices.some((choice) => choice(actual));
}

function single(operator: string, token: string): Compare {
  const text = token.startsWith('"') ? (JSON.parse(token) as string) : token;
  const rank = SEVERITIES.indexOf(text);
  const wanted = rank >= 0 ? rank : Number(text);
  const ordered = ORDERED[operator];
  if (ordered) return (actual) => typeof actual === 'number' && ordered(actual, wanted);
  if (operator !== '=') throw new Error(`not understood in a filter: ${operator} ${token}`);
  return (actual) =>
    typeof actual === 'number' ? actual === wanted : String(actual).toLowerCase() === text.toLowerCase();
}

function expectNext(tokens: string[], wanted: string): void {
  const found = tokens.shift();
  if (found !== wanted) throw new Error(`${wanted} is missing in a filter before: ${found ?? 'its end'}`);
}
