import { readFileSync } from 'node:fs';
import { API_KEY, ORIGIN } from './attempt.mjs';

const PAGE = readFileSync(new URL('../docs/clients.md', import.meta.url), 'utf8');

/** The settings on the page of clients that have these words in them, with this service's address, a key and this model. */
export function documentedSettings(words, model) {
  const found = [...PAGE.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, text]) => text).filter((text) => text.includes(words));
  if (found.length !== 1) throw new Error(`docs/clients.md has ${found.length} settings with ${words}`);
  return found[0]
    .replaceAll('http://127.0.0.1:8080', ORIGIN)
    .replaceAll('sk-ens_…', API_KEY)
    .replaceAll('gpt-5.4-mini', 'scripted')
    .replace(/(?<=model"?: |modelid |^model = )("ensemble\/|")?ensemble/m, (_, provider = '') => `${provider}${model}`);
}

/** A command on that page, as the words that follow its program. */
export function documentedCommand(words, model) {
  const typed = documentedSettings(words, model).trim().match(/"[^"]*"|\S+/g);
  return typed.slice(1).map((word) => word.replaceAll('"', ''));
}
