import { MARKS } from '../../runs/trace-event';
import { languageOf } from '../checks/language-rule';
import type { EnsembleRequest, Run } from '../run';
import type { Analysis, AnalysisForm } from './analysis';

/** A part of the explanation: lines under a heading, or paragraphs without one, after the winner's name. */
export interface Section {
  readonly title?: string;
  readonly lines: readonly string[];
  readonly winner?: string;
}

/** An analysis as people read it: labels turned back into names. */
export function explain(analysis: Analysis, form: AnalysisForm, names: ReadonlyMap<string, string>): Section[] {
  const winner = analysis.winner === null ? undefined : names.get(analysis.winner);
  const rationale = withNames(analysis.rationale, names);
  return [
    { ...(winner !== undefined && { winner }), lines: rationale === '' ? [] : [rationale] },
    ...form.parts.map(({ key, title }) => ({
      title,
      lines: (analysis.lists[key] ?? []).map((line) => withNames(line, names)),
    })),
  ];
}

/** Labels → names where a label stands as one: "candidate B", "(B)", "B:", "[B]"; not in "A tomato is…", "vitamin C". */
export function withNames(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(MARKED, (whole, _noun, afterNoun, open, bracketed, close, leading, at: number) => {
    const name = names.get(afterNoun ?? bracketed ?? leading);
    if (name === undefined) return whole;
    return open === undefined ? inSentence(name, text.slice(Math.max(0, at - 2), at)) : `${open}${name}${close}`;
  });
}

/** The first of these labels that stands as one in a text. */
export function labelNamed(text: string, labels: Pick<ReadonlySet<string>, 'has'>): string | undefined {
  const named = [...text.matchAll(MARKED)].map(([, , noun, , bracketed, , leading]) => noun ?? bracketed ?? leading);
  return named.find((label = '') => labels.has(label));
}

/** “the proposition” begins a sentence with a capital; names of models are written as they are. */
function inSentence(name: string, before: string): string {
  return /(?:^|[.!?]\s|\n)$/.test(before) ? name.replace(/^the /, 'The ') : name;
}

/** The explanation as the client gets it, if it is wanted; last comes what has gone wrong on the way. */
export async function explanationText({ request, degraded }: Explained, sections: readonly Section[]): Promise<string> {
  if (!request.includeExplanation || sections.length === 0) return '';
  const inLanguage = await headingsFor(request.message);
  const texts = [...sections, { title: 'This run', lines: degraded }].map(({ title, lines, winner }: Section) => {
    const best = winner === undefined ? [] : [`${inLanguage('Strongest answer')}: ${winner}.`];
    if (title === undefined || lines.length === 0) return [...best, ...lines].join('\n\n');
    const points = lines.map((line) => bulletPoint(line.replace(MARK_AT_END, (mark) => inLanguage(mark))));
    return `${inLanguage(title)}:\n${points.join('\n')}`;
  });
  return texts.filter((text) => text !== '').join('\n\n');
}

type Explained = Pick<Run, 'degraded'> & { readonly request: Pick<EnsembleRequest, 'includeExplanation' | 'message'> };
const MARK_AT_END = new RegExp(`(?<= — )(?:${MARKS.join('|')})$`);

/** Further lines are indented: no text can start a section of its own. */
function bulletPoint(text: string): string {
  const lines = text.split(/[\n-\r\u0085\u2028\u2029]/).map((line) => line.trim());
  return `- ${lines.filter((line) => line !== '').join('\n  ')}`;
}

const NOUNS =
  'candidates?|answers?|drafts?|contributions?|opinions?|experts?|parts?|chains?|solutions?|versions?|sides?|statements?';
const LABEL = '[A-Z]{1,2}\\d{0,2}';
const MARKED = new RegExp(
  `\\b((?:${NOUNS.replaceAll(/\b([a-z])/g, (letter) => `[${letter.toUpperCase()}${letter}]`)})) (${LABEL})\\b` +
    `|([([（［])(${LABEL})([)\\]）］])|^(${LABEL})(?=\\s*[:,>—]|\\s+-|$)`,
  'gm',
);

/** Headings of explanations and the marks of their points, by the English words: in the languages of `headingsFor`. */
const TRANSLATIONS: Readonly<Record<string, string>> = {
  'Strongest answer': 'Beste Antwort|Meilleure réponse|Mejor respuesta|أفضل إجابة|最も優れた回答|最佳回答',
  Agreed: 'Übereinstimmungen|Points communs|Coincidencias|نقاط الاتفاق|一致点|共识',
  Conflicts: 'Widersprüche|Contradictions|Contradicciones|نقاط الخلاف|相違点|分歧',
  'Unique points': 'Einzelne Punkte|Points isolés|Puntos únicos|نقاط منفردة|独自の指摘|独有观点',
  confirmed: 'bestätigt|confirmé|confirmado|مؤكَّد|確認済み|已证实',
  plausible: 'plausibel|plausible|plausible|معقول|妥当|合理',
  'likely invented': 'wohl erfunden|sans doute inventé|quizá inventado|مختلَق على الأرجح|創作の疑い|疑似虚构',
  'Missing or wrong': 'Fehlend oder falsch|Manquant ou faux|Falta o es erróneo|ناقص أو خاطئ|不足または誤り|遗漏或错误',
  Dissent: 'Abweichende Meinungen|Avis divergents|Opiniones discrepantes|آراء مخالفة|異論|不同意见',
  'Where the parts come from': 'Herkunft|Origine des parties|Origen de las partes|مصدر الأجزاء|出所|各部分来源',
  'First wrong steps': 'Erste Fehler|Premières erreurs|Primeros errores|أولى الأخطاء|最初の誤り|最早的错误',
  'What decided it': 'Ausschlaggebend|Points décisifs|Puntos decisivos|ما حسم الأمر|決め手|决定因素',
  Conceded: 'Zugestanden|Concédé|Concedido|ما سُلِّم به|認めた点|已承认',
  'Requirements met': 'Erfüllt|Exigences remplies|Requisitos cumplidos|متطلبات مستوفاة|満たした要件|已满足的要求',
  Fixed: 'Behoben|Corrigé|Corregido|ما صُحِّح|修正済み|已修正',
  Rebutted: 'Widerlegt|Réfuté|Refutado|ما دُحض|反論済み|已反驳',
  'Residual risks': 'Verbleibende Risiken|Risques restants|Riesgos restantes|مخاطر متبقية|残るリスク|剩余风险',
  Roles: 'Rollen|Rôles|Funciones|الأدوار|役割|角色',
  'Final answers': 'Endergebnisse|Réponses finales|Respuestas finales|الإجابات النهائية|最終回答|最终答案',
  Plan: 'Plan|Plan|Plan|الخطة|計画|计划',
  Review: 'Begutachtung|Relecture|Revisión|المراجعة|レビュー|审查',
  'Read with the proposition first': 'Befürworter zuerst|Pour d’abord|Primero a favor|المؤيد أولًا|賛成側が先|正方在先',
  'Read with the opposition first': 'Gegner zuerst|Contre d’abord|Primero en contra|المعارض أولًا|反対側が先|反方在先',
  'This run': 'Dieser Lauf|Cette exécution|Esta ejecución|هذا التشغيل|今回の実行|本次运行',
};

/** Translates those words into the language of the user's message; they stay English where it is unsure or another. */
async function headingsFor(message: string): Promise<(english: string) => string> {
  const at = ['de', 'fr', 'es', 'ar', 'ja', 'zh'].indexOf((await languageOf(message)) ?? 'en');
  return (english) => TRANSLATIONS[english]?.split('|')[at] ?? english;
}
