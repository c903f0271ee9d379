/** Texts that no user may read in an answer to any of the tasks: none of them is about these words. */
const FLAWS = {
  'a fence line': /<<\/?(?=[a-f]*\d)[0-9a-f]{6}|<<[^>\n]{0,80}>>/i,
  'a trailer line': /^\W*(?:winner|best|vote|ballot|verdict|answer status|changed|settled)\W*:/im,
  'a label': /\b(?:candidate|draft|contribution|opinion|solution|version|statement|chain|expert) [A-P]\b/i,
  'a word of the procedure':
    /\b(?:candidates?|drafts?|arbiters?|participants?|fences?|panel|peer texts?|other (?:answers|texts)|these texts|the texts|procedure|red team|blue team|proposition|opposition|rebuttal|motion)\b/i,
};

/** The names of what is wrong with a run's answer; none, and it is fit to be read. */
export function flawsOf({ answer, status, error }) {
  if (status !== 200) return [`status ${status}: ${error}`];
  if (answer.trim() === '') return ['no text'];
  return Object.entries(FLAWS).flatMap(([name, pattern]) => (pattern.test(answer) ? [name] : []));
}
