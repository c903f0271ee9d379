import type { Schema } from '../../api/client';
import { shortCount, usd } from '../../ui/format-number';

type Ability = Schema<'Model'>['vision'];

interface Abilities {
  readonly vision?: Ability;
  readonly tools?: Ability;
}

/** The abilities of a model; `unknown` is said to be so, and nothing of what is not told. */
export function abilityWords({ vision, tools }: Abilities): string[] {
  if (vision === 'unknown' && tools === 'unknown') return ['vision and tools not known'];
  return [abilityOf('vision', vision), abilityOf('tools', tools)].filter((words) => words !== undefined);
}

function abilityOf(name: string, ability: Ability): string | undefined {
  if (ability === 'unknown') return `${name} not known`;
  return ability === undefined ? undefined : `${ability ? '' : 'no '}${name}`;
}

/** The same of a model of the router, with what it means for a run. */
export function routerAbilityWords({ vision, tools }: Required<Abilities>): string[] {
  if (tools !== false) return abilityWords({ vision, tools });
  return [...abilityWords({ vision }), 'no tools (runs without web grounding)'];
}

/** The longest input of a model: `200K tokens`. */
export function contextWords(tokens: number | null | undefined, locale?: string): string {
  return typeof tokens === 'number' ? `${shortCount(tokens, locale)} tokens` : 'not known';
}

/** The price of a million tokens; one that is not known is said to be so, and is never shown as 0. */
export function priceWords(
  { priced, pricing }: Schema<'Model'>,
  locale?: string,
): { prompt: string; completion: string } {
  if (priced === false || pricing === undefined) return { prompt: 'not priced', completion: 'not priced' };
  return {
    prompt: usd(pricing.input_usd_per_million, locale),
    completion: usd(pricing.output_usd_per_million, locale),
  };
}

/** The prices of a router's model for a million tokens, in and out: `$0.25 in, $10.00 out`. */
export function tokenPriceWords(price: Schema<'RouterCatalog'>['models'][number]['price'], locale?: string): string {
  if (price === null) return 'price not known';
  const { inputUsdPerMillion: input, outputUsdPerMillion: output } = price;
  return input + output === 0 ? 'free' : `${usd(input, locale)} in, ${usd(output, locale)} out`;
}

/** True if each of the words is in one of the texts, in any case. */
export function hasWords(texts: readonly string[], words: string): boolean {
  const all = texts.join(' ').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
