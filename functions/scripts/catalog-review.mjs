// What the price list says of the catalogue's models, and what of it a person should look at. Pure: no file is read.
import { calcPrice } from '@pydantic/genai-prices';

/** The rates a text call can be billed at; the others (audio, searches, storage) cannot come up here. */
const RATES = ['input_mtok', 'cache_read_mtok', 'cache_write_mtok', 'output_mtok'];
const FAMILIES = { openai: /^(gpt-|o\d|chatgpt-)/, anthropic: /^claude-/, google: /^gemini-/ };
/** Models of the families that are no chat models, or not on the Chat Completions endpoint. */
const NOT_CHAT =
  /audio|realtime|transcribe|tts|image|search|codex|deep-research|instruct|embedding|live|computer-use|robotics|[:.]|vision/;
const VERSION_DOT = /\d\.\d/g;

/**
 * The facts to keep of each curated row that the list knows: `{ id: { contextTokens?, prices } }`. Prices are the
 * list's own, with their tiers and starting dates.
 */
export function factsOf(curated, providers) {
  const rows = providers.flatMap((provider) => curated[provider.id].map((row) => [row, entryOf(row.id, provider)]));
  const known = rows.filter(([, entry]) => entry);
  return Object.fromEntries(known.map(([row, entry]) => [row.id, factOf(entry)]));
}

/** One line for each difference between the facts kept and those of the list. */
export function differences(kept, found) {
  const ids = [...new Set([...Object.keys(kept), ...Object.keys(found)])];
  return ids.flatMap((id) => differencesOf(id, kept[id], found[id]));
}

/** One line for each curated row that the list no longer knows, calls deprecated, or prices as another model. */
export function doubtfulRows(curated, providers) {
  return providers.flatMap((provider) =>
    curated[provider.id].flatMap((row) => {
      const entry = entryOf(row.id, provider);
      if (!entry) return [`${row.id}: not in the price list`];
      return [
        ...(entry.deprecated ? [`${row.id}: deprecated`] : []),
        ...(entry.id === row.id ? [] : [`${row.id}: priced as ${entry.id}`]),
        ...(entry.context_window || row.contextTokens ? [] : [`${row.id}: the list has no context window, name one`]),
      ];
    }),
  );
}

/** The list's chat models of the known families that have no row and were not passed over: rows to consider. */
export function newModels(curated, providers) {
  return providers.flatMap((provider) => {
    const seen = new Set([...curated[provider.id].map(({ id }) => id), ...curated.passedOver[provider.id]]);
    return provider.models.filter((entry) => isChat(entry, provider.id) && !seen.has(entry.id)).map(proposal);
  });
}

function isChat(entry, providerId) {
  const { id, deprecated } = entry;
  if (deprecated || !FAMILIES[providerId].test(id) || NOT_CHAT.test(id.replace(VERSION_DOT, ''))) return false;
  const rates = ratesNow(entry);
  return rates.input_mtok !== undefined && rates.output_mtok !== undefined;
}

function proposal(entry) {
  const { id, name = id, context_window: contextTokens } = entry;
  const { input_mtok: input, output_mtok: output } = ratesNow(entry);
  const usd = (rate) => `$${rate.base ?? rate}`;
  const context = contextTokens === undefined ? 'context unknown' : `${contextTokens} tokens`;
  return `{ "id": "${id}", "name": "${name}" }   ${context}, ${usd(input)} in, ${usd(output)} out`;
}

function ratesNow(entry) {
  return calcPrice({}, entry.id, { provider: { id: 'x', name: 'x', api_pattern: '', models: [exact(entry)] } })
    .model_price;
}

function exact(entry) {
  return { ...entry, match: { equals: entry.id } };
}

function entryOf(id, provider) {
  return calcPrice({}, id, { provider })?.model;
}

function factOf({ context_window: contextTokens, prices }) {
  const dated = Array.isArray(prices) ? prices : [{ prices }];
  return {
    ...(contextTokens !== undefined && { contextTokens }),
    prices: dated.map(({ constraint, prices: rates }) => ({
      ...(constraint && { from: constraint.start_date ?? `${constraint.start_time} to ${constraint.end_time}` }),
      ...Object.fromEntries(RATES.filter((rate) => rates[rate] !== undefined).map((rate) => [rate, rates[rate]])),
    })),
  };
}

function differencesOf(id, kept, found) {
  if (!kept) return [`${id}: new`];
  if (!found) return [`${id}: gone`];
  return ['contextTokens', 'prices'].flatMap((field) => {
    const [before, now] = [kept[field], found[field]].map((value) => JSON.stringify(value) ?? 'none');
    return before === now ? [] : [`${id}: ${field} ${before} -> ${now}`];
  });
}
