import type { ProviderCall } from '../../models/model';
import { authorsTexts } from './demo-prompt';

/** Addresses under a domain that is kept free for examples: nothing is there, and nothing was looked up. */
const PAGES = 'https://example.org/demo/';
const PAGE = /https:\/\/example\.org\/demo\/[\w-]{1,40}/g;

/** The page that a demo model has “found”; its title says what it is. */
export function demoPage({ providerModel }: Pick<ProviderCall, 'providerModel'>) {
  return {
    url: `${PAGES}${providerModel}`,
    title: `Scripted page of ${providerModel}: nothing was searched`,
    isCited: true,
  };
}

/** Note of a demo model below its text where it may search. */
export function searchNote({ providerModel, prompt }: ProviderCall): string[] {
  return prompt.webSearch ? [`Scripted source, as no page was looked up: ${PAGES}${providerModel}`] : [];
}

/** The pages in the texts that an answer is made from, or the one of the model that answers alone. */
export function pagesNamed(call: ProviderCall): string[] {
  const pages = new Set(authorsTexts(call).flatMap(([, text]) => text.match(PAGE) ?? []));
  return pages.size === 0 ? searchNote(call) : [`Scripted sources, as no page was looked up: ${[...pages].join(' ')}`];
}
