import { compatibilityForm } from './compatibility-form';

const END_CHARACTERS = 400;
const THINGS = 'issues?|defects?|problems?|errors?|flaws?|findings?|mistakes?|concerns?|objections?';
const DEGREES = 'major|serious|significant|substantive|material|critical|real|further|remaining';

/** How a report ends, in plain small letters, that has found nothing. What is said of one part only is none. */
const NOTHING: readonly RegExp[] = [
  new RegExp(
    `^(?:i (?:found|see|have) |there (?:are|is|were) |result: )?no (?:(?:${DEGREES}) )?(?:${THINGS})(?: (?:(?:were |was )?(?:found|detected|identified|remain)|to report|here))?$`,
  ),
  /^nothing (?:to report|is wrong|wrong|found|is worth changing|worth changing)$/,
  /^(?:all|everything) (?:is |looks )?(?:good|fine|correct|ok|right)$/,
  /^(?:keine (?:mängel|fehler|probleme|einwände)(?: gefunden)?|alles (?:in ordnung|gut|richtig))$/,
  /^(?:aucun (?:problème|défaut)|aucune (?:erreur|objection)|rien à signaler)(?: trouvée?)?$/,
  /^(?:sin (?:problemas|errores|defectos)|ningún (?:problema|defecto|error)|no hay (?:problemas|errores|defectos))$/,
  /^(?:没有(?:发现)?(?:任何)?(?:问题|错误|缺陷)|未发现(?:任何)?(?:问题|错误|缺陷)|問題(?:は)?(?:なし|ありません)|문제 ?없(?:음|습니다))$/,
];
/** Words that mean it only where they are the whole report. */
const ALONE = /^[\W_]*(?:nothing|none|n\/a|nil)[\W_]*$/i;
const ALONE_MAX = 40;
const APPROVAL =
  /^(?:(?:my |final |the |overall )*(?:verdict|decision|review|conclusion|result)(?: is)?\s*:?\s*)?(?:i )?(?:approved?|lgtm|looks good to me|genehmigt|approuvé|aprobado|批准|通过|承認)$/;

/** Whether a report in prose ends by saying that it found nothing wrong. */
export function foundNothing(report: string): boolean {
  const said = lastSentence(report);
  if (report.length < ALONE_MAX && ALONE.test(report)) return true;
  return NOTHING.some((words) => words.test(said));
}

/** Whether a review in prose ends in approval. */
export function approves(review: string): boolean {
  return APPROVAL.test(lastSentence(review));
}

/** In plain small letters, without markup, from the end of a long text. */
function lastSentence(text: string): string {
  const end = compatibilityForm(text.slice(-END_CHARACTERS).toWellFormed())
    .toLowerCase()
    .replace(/[*_`#>"“”[\](){}\p{So}\p{M}]+/gu, '')
    .trim();
  const sentences = end.split(/[.!?。;]+(?:\s+|$)|[\n。！]+/u).map((sentence) => sentence.trim());
  return (sentences.findLast((sentence) => sentence !== '') ?? '').replace(/^[-•·]\s*/, '');
}
