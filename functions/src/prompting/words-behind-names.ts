/** What follows a name that was said, and not one that goes on: "I am Claude and", not "I am Claude Monet". */
export const WORDS_BEHIND_A_NAME: readonly string[] = [
  ...[
    'and',
    'an?',
    'the',
    'from',
    'by',
    'made',
    'created',
    'developed',
    'trained',
    'built',
    'here',
    'speaking',
    'writing',
    'but',
    'or',
  ],
  ...['und', 'ein', 'eine', 'von', 'aber', 'et', 'une?', 'de', "d['’]", 'par', 'développée?', 'créée?', 'mais'],
  ...[
    'y',
    'por',
    'creado',
    'desarrollado',
    'pero',
    'e',
    'uma?',
    'pela',
    'pelo',
    'da',
    'di',
    'ma',
    'en',
    'een',
    'van',
    'door',
    'maar',
  ],
  ...['di', 'sviluppato', 'creato', 'criado', 'desenvolvido', 'ontwikkeld', 'gemaakt', 'I', 'ich', 'je', 'ik'],
];

/** The same where particles stand behind a name. */
export const PARTICLES_BEHIND_A_NAME: readonly string[] = [
  ...['です', 'だ', 'である', 'と申', 'とい', '입니다', '이에요', '예요', '이라고', '라고', '이며', '이고'],
  ...['由', '一个', '一款'],
];
