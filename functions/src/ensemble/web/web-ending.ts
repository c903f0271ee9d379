import { type Ending, noteDegraded, type Run } from '../run';

/** What a run tells of the web beside its answer; nothing where it was not to be searched. */
export function webEnding(run: Run, answer: string): Pick<Ending, 'sources' | 'unsupportedUrls'> {
  if (!run.web) return {};
  const { sources, unsupportedUrls } = run.web.endingOf(answer);
  const count = unsupportedUrls.length;
  if (count > 0) {
    const addresses = count === 1 ? 'An address in the answer stands' : `${count} addresses in the answer stand`;
    noteDegraded(run, `${addresses} in no text that it was made from`);
  }
  return { ...(sources.length > 0 && { sources }), ...(count > 0 && { unsupportedUrls }) };
}
