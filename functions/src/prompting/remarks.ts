import { compatibilityForm } from './compatibility-form';

const END_CHARACTERS = 400;
const THINGS = 'issues?|defects?|problems?|errors?|flaws?|findings?|mistakes?|concerns?|objections?';
const DEGREES = 'major|serious|significant|substantive|material|critical|real|further|remaining';

/** Last sentences of reports that have found nothing, in plain small letters; one about a part only is none. */
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

/** True of a report in prose that ends by saying that it found nothing wrong. */
export function foundNothing(report: string): boolean {
  const said = lastSentence(report);
  if (report.length < ALONE_MAX && ALONE.test(report)) return true;
  return NOTHING.some((words) => words.test(said));
}

/** True of a review in prose that ends in approval. */
export function approves(review: string): boolean {
  return APPROVAL.test(lastSentence(review));
}

function lastSentence(text: string): string {
  return plainSentences(text.slice(-END_CHARACTERS)).at(-1) ?? '';
}

function plainSentences(text: string): string[] {
  const plain = compatibilityForm(text.toWellFormed())
    .toLowerCase()
    .replace(/[*_`#>"“”[\](){}\p{So}\p{M}]+/gu, '');
  return plain
    .split(/[.!?。;]+(?:\s+|$)|[\n。！]+/u)
    .map((sentence) => sentence.trim().replace(/^[-•·]\s*/, ''))
    .filter((sentence) => sentence !== '');
}

/** A remark is brief; what is longer is a text, whatever it begins with. */
const REMARK_MAX = 200;

const TEXT =
  '(?:(?:answer|draft|text|opinion|position|statement|solution|contribution|case|version|view|response|assessment|conclusion|stance)s?)';
const OWN = `(?:(?:my|this|the|our) (?:(?:own|last|current|previous|original|earlier|complete|final) )?${TEXT})`;
const CHANGING =
  '(?:chang(?:e|es|ing)|revis(?:e|ion|ions)|correct(?:ion|ions|ing)?|add|updat(?:e|es|ing)|modif(?:y|ications?))';

/** Beginnings, in plain small letters, of a remark that a text stays as it is. */
const UNCHANGED: readonly RegExp[] = [
  new RegExp(
    `^(?:i (?:see|find|have|found) |there (?:is|are) )?(?:nothing|no (?:reason|need)) (?:(?:more|new|else|further|left|here|in it|in ${OWN}|that) ){0,2}(?:(?:to|needs?|has to|for|be|would have to be) ){1,3}${CHANGING}\\b`,
  ),
  /^(?:i (?:see|find|have) |there (?:is|are) )?(?:nothing (?:changes|has changed|to add)|no (?:further |other |new )?(?:changes?|revisions?|corrections?|updates?|additions?|modifications?)(?: (?:is|are|was|were))?(?: (?:needed|necessary|required|made|to make))?$)/,
  new RegExp(
    `^(?:i (?:still )?(?:stand by|stick (?:to|with)|keep|am keeping|maintain|hold to|leave|have kept) )?${OWN}(?: (?:(?:still )?stands?|remains? (?:as it is|the same|unchanged|correct|right)|is (?:unchanged|the same|right as it is|correct as it is)|(?:is|stays?) as it (?:is|was)|stays?(?: the same)?|as it (?:is|was|stands)|unchanged))`,
  ),
  new RegExp(
    `^i (?:still )?(?:stand by|stick (?:to|with)|keep|am keeping|maintain|have kept) ${OWN}(?: (?:as (?:it is|before)|unchanged))?$`,
  ),
  /^(?:same as (?:before|above)|(?:unchanged|as before|as above))$/,
  /^(?:ich bleibe bei meiner|meine (?:antwort|meinung|lösung) (?:bleibt|steht)|(?:es gibt )?nichts (?:zu ändern|hinzuzufügen)|keine änderung(?:en)?(?: nötig)?$)/,
  /^(?:je maintiens ma |ma réponse (?:reste|est) inchangée|(?:il n['’]y a )?rien à (?:changer|ajouter)|aucun changement(?: nécessaire)?$)/,
  /^(?:mantengo mi |mi respuesta (?:sigue|se mantiene|no cambia)|(?:no hay )?nada que (?:cambiar|añadir)|sin cambios$)/,
  /^(?:mantenho (?:a )?minha |nada a (?:mudar|alterar|acrescentar)|sem alterações$|mantengo la mia |nulla da (?:cambiare|aggiungere)|nessuna modifica$)/,
  /^(?:无需(?:修改|更改|改动)|没有(?:需要)?(?:修改|更改|补充)|我(?:维持|保持|坚持)(?:我的|原)|変更(?:は)?(?:ありません|なし)|수정할 (?:것|내용)이 없)/,
];

const CHECKED = /^i(?: have|['’]ve)? (?:checked|reviewed|considered|compared|read|re-?read)\b/;

/** True if a reply to "improve your text" is a remark that it stays as it is: `I see nothing that needs changing.` */
export function saysUnchanged(reply: string): boolean {
  const text = reply.trim();
  if (text === '' || text.length > REMARK_MAX || text.includes('\n')) return false;
  const sentences = plainSentences(text);
  const [first = '', ...more] = CHECKED.test(sentences[0] ?? '') ? sentences.slice(1) : sentences;
  return more.length <= 1 && UNCHANGED.some((words) => words.test(first));
}
