import { compatibilityForm } from './compatibility-form';

const LABEL_TEXT_MAX = 80;
const NOUNS =
  'answer|candidate|contribution|draft|expert|opinion|option|part|response|side|solution|statement|text|version|chain';
const ALONE = /^([A-Z]{1,2}\d{0,2})(?=$|[.,:;!)\]]|\s*[([–—-])/i;
const NAMED = new RegExp(`^(?:the )?(?:${NOUNS})s?[ #:]*[(["'“]?([A-Z]{1,2}\\d{0,2})(?![\\p{L}\\p{N}])`, 'iu');
const MARKUP = /[*_`"'“”‘’«»「」]+/g;

/** The label that a model names: `B`, `**B**`, `Candidate B`, `Side A wins`, `Ｂ`; undefined when it names none. */
export function labelInText(said: string): string | undefined {
  const plain = compatibilityForm(said.slice(0, LABEL_TEXT_MAX)).replace(MARKUP, '').trim().replace(/^[([]/, '');
  return (ALONE.exec(plain) ?? NAMED.exec(plain))?.[1]?.toUpperCase();
}

const PARTED = /\s*(?:[>≻»,;/|=→]|->|\band\b|\bthen\b|\d{1,2}[.)]|\s)+\s*/i;

/** The labels of a ranking in one line, best first: `B > A`, `1. B 2. A`, `Candidate B, then A`. It ends with the sentence. */
export function labelsInLine(said: string): string[] {
  const plain = compatibilityForm(said.slice(0, 10 * LABEL_TEXT_MAX)).replace(/[*_`"'“”‘’()[\]]+/g, ' ');
  const words = plain.split(PARTED).filter((word) => word !== '' && !NOUN.test(word));
  const labels: string[] = [];
  for (const word of words) {
    if (!LABEL.test(word)) break;
    labels.push(word.replace(/[.:!]+$/, ''));
    if (/[.!]$/.test(word)) break;
  }
  return labels;
}

const NOUN = new RegExp(`^(?:the|${NOUNS})s?$`, 'i');
const LABEL = /^[A-Z]{1,2}[.:!]{0,3}$/;
