/** The sentences of a task in one language. */
export interface TaskLanguage {
  /** BCP 47. */
  readonly code: string;
  readonly label: string;
  readonly names: readonly string[];
  begins(name: string, count: number): string;
  /** A person gets more. */
  gains(count: number): string;
  /** A person gives some away. */
  loses(count: number): string;
  /** Everything is there that many times. */
  multiplies(times: number): string;
  asks(name: string): string;
  /** The form of the answer; `line` is its last line. */
  howTo(line: string): string;
  readonly number: string;
  /** The explanation of somebody who is right, or wrong. */
  readonly explained: string;
}

/** Five languages, one of them in letters that are not Latin. */
export const TASK_LANGUAGES: readonly TaskLanguage[] = [
  {
    ...{ code: 'en', label: 'Answer', names: ['Mary', 'Peter', 'Susan', 'Tom'] },
    begins: (name, count) => `${name} has ${count} stamps.`,
    gains: (count) => `Then ${count} more stamps come by post.`,
    loses: (count) => `Then ${count} of the stamps are given away.`,
    multiplies: (times) => `Then the number of stamps becomes ${times} times what it was.`,
    asks: (name) => `How many stamps does ${name} have now?`,
    howTo: (line) =>
      `Explain in English, in at least two sentences, how you come to it. Then end with one line in exactly this form: ${line}`,
    number: 'the number in digits',
    explained:
      'I start with the stamps that were there at the beginning and follow every change one after the other. What is left after the last change is the number that was asked for.',
  },
  {
    ...{ code: 'de', label: 'Antwort', names: ['Anna', 'Jonas', 'Lena', 'Paul'] },
    begins: (name, count) => `${name} hat ${count} Briefmarken.`,
    gains: (count) => `Dann kommen mit der Post ${count} Briefmarken dazu.`,
    loses: (count) => `Dann werden ${count} der Briefmarken verschenkt.`,
    multiplies: (times) => `Dann werden es ${times}-mal so viele Briefmarken wie zuvor.`,
    asks: (name) => `Wie viele Briefmarken hat ${name} jetzt?`,
    howTo: (line) =>
      `Erkläre auf Deutsch in mindestens zwei Sätzen, wie du darauf kommst. Ende dann mit einer Zeile in genau dieser Form: ${line}`,
    number: 'die Zahl in Ziffern',
    explained:
      'Ich beginne mit den Briefmarken, die am Anfang da waren, und gehe jede Veränderung der Reihe nach durch. Was nach der letzten Veränderung übrig bleibt, ist die gesuchte Zahl.',
  },
  {
    ...{ code: 'fr', label: 'Réponse', names: ['Claire', 'Julien', 'Manon', 'Hugo'] },
    begins: (name, count) => `${name} possède ${count} timbres.`,
    gains: (count) => `Ensuite, ${count} timbres de plus arrivent par la poste.`,
    loses: (count) => `Ensuite, ${count} des timbres sont donnés.`,
    multiplies: (times) => `Ensuite, le nombre de timbres devient ${times} fois ce qu’il était.`,
    asks: (name) => `Combien de timbres a maintenant ${name} ?`,
    howTo: (line) =>
      `Explique en français, en deux phrases au moins, comment tu y arrives. Termine ensuite par une ligne exactement de cette forme : ${line}`,
    number: 'le nombre en chiffres',
    explained:
      'Je pars des timbres qui étaient là au début et je suis chaque changement l’un après l’autre. Ce qui reste après le dernier changement est le nombre demandé.',
  },
  {
    ...{ code: 'es', label: 'Respuesta', names: ['Lucía', 'Mateo', 'Sofía', 'Diego'] },
    begins: (name, count) => `${name} tiene ${count} sellos.`,
    gains: (count) => `Después llegan por correo ${count} sellos más.`,
    loses: (count) => `Después se regalan ${count} de los sellos.`,
    multiplies: (times) => `Después el número de sellos pasa a ser ${times} veces el que era.`,
    asks: (name) => `¿Cuántos sellos tiene ${name} ahora?`,
    howTo: (line) =>
      `Explica en español, en dos frases como mínimo, cómo llegas al resultado. Termina después con una línea exactamente de esta forma: ${line}`,
    number: 'el número en cifras',
    explained:
      'Empiezo con los sellos que había al principio y sigo cada cambio uno tras otro. Lo que queda después del último cambio es el número que se pide.',
  },
  {
    ...{ code: 'ja', label: '答え', names: ['花子さん', '太郎さん', '桜さん', '健さん'] },
    begins: (name, count) => `${name}は切手を${count}枚持っています。`,
    gains: (count) => `そのあと、郵便で切手が${count}枚届きました。`,
    loses: (count) => `そのあと、切手を${count}枚人にあげました。`,
    multiplies: (times) => `そのあと、切手の枚数は前の${times}倍になりました。`,
    asks: (name) => `いま、${name}は切手を何枚持っていますか。`,
    howTo: (line) =>
      `どのように求めたかを、日本語で二文以上で説明してください。最後は、ちょうど次の形の一行で終えてください。${line}`,
    number: '数字',
    explained:
      '最初にあった切手の枚数から始めて、変化を一つずつ順番に追っていきます。最後の変化のあとに残った枚数が、求める数です。',
  },
];
