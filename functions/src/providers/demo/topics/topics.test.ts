import { anyOtherTopic, SUGGESTED_PROMPTS, type Topic, topicAbout, VOICES } from './topics';

const TOPICS = SUGGESTED_PROMPTS.map((prompt) => [prompt, topicAbout(prompt) ?? anyOtherTopic('')] as const);

function wordsOf(steps: readonly string[]): number {
  return steps.join(' ').split(/\s+/).length;
}

function textsOf(topic: Topic): string[] {
  const speeches = VOICES.flatMap((voice) => [...topic[voice].steps, topic[voice].added, topic[voice].dissent ?? '']);
  return [
    ...speeches,
    ...Object.values(topic.answer),
    topic.rationale,
    ...topic.agreed,
    ...Object.values(topic.conflict),
  ];
}

describe('the topics of the demo models', () => {
  it('are six, the question of the README first', () => {
    expect([SUGGESTED_PROMPTS.length, SUGGESTED_PROMPTS[0]]).toEqual([6, 'Is a tomato a fruit?']);
  });

  it.each(TOPICS)('%s is recognised', (prompt, topic) => {
    expect(topic.prompt).toBe(prompt);
    expect(topicAbout(prompt.toUpperCase())).toBe(topic);
  });

  it.each([
    ['are tomatoes fruits or vegetables', 'Is a tomato a fruit?'],
    ['Is 0.9999 recurring really equal to one? 0.999... = 1?', 'Does 0.999… equal 1?'],
    ['UUID or bigint?', 'Should I use UUIDs or auto-increment integers as primary keys?'],
    ['Is it better to buy or to rent a house?', 'Should I rent or buy a home?'],
    ['Explain the three doors: why switch?', 'Should I switch doors in the Monty Hall problem?'],
    ['Should we rewrite our app as micro-services?', 'Should we split our monolith into microservices?'],
  ])('%j asks the same as %j', (message, prompt) => {
    expect(topicAbout(message)?.prompt).toBe(prompt);
  });

  it.each([
    'How do I grow tomatoes?',
    'Write a poem about a tomato that wants to be a fruit.',
    'Can I rent a car there?',
    `Is a tomato a fruit? ${'And this is another matter. '.repeat(10)}`,
    '',
  ])('%j is about none of them', (message) => {
    expect(topicAbout(message)).toBeUndefined();
  });

  it.each(TOPICS)('%s has drafts and an answer worth reading, none too long', (_, topic) => {
    const answer = [
      topic.answer.opening,
      topic.answer.ada,
      topic.answer.blaise,
      topic.answer.curie,
      topic.answer.closing,
    ];
    const lengths = [...(['ada', 'blaise', 'curie'] as const).map((voice) => topic[voice].steps), answer].map(wordsOf);
    expect(lengths.filter((words) => words < 60 || words > 190)).toEqual([]);
  });

  it.each(TOPICS)('%s has a dissent that is not of the voice that wins', (_, topic) => {
    const dissenting = (['ada', 'blaise', 'curie'] as const).filter((voice) => topic[voice].dissent !== undefined);
    expect([
      dissenting.length,
      dissenting.filter((voice) => voice === topic.best),
      VOICES.includes(topic.best as 'ada'),
    ]).toEqual([1, [], true]);
  });

  it.each(TOPICS)('in %s each voice is known by its second step alone', (_, topic) => {
    const texts = textsOf(topic);
    for (const voice of VOICES) {
      const second = topic[voice].steps[1] ?? '';
      expect([voice, texts.filter((text) => text.includes(second)).length]).toEqual([voice, 1]);
    }
  });

  it.each(TOPICS)('%s names no model, no label and no other text', (_, topic) => {
    expect(
      textsOf(topic).filter((text) => /\b(?:Demo|Ada|Blaise|Curie|Candidate|Answer|Side) [A-Z]?\b/.test(text)),
    ).toEqual([]);
  });
});

describe('any other message', () => {
  it('is shown as it is, whatever it holds', () => {
    const line = 'a "quoted" {message} $& {prompts} \\ \u2028';
    expect(anyOtherTopic(line).ada.steps[0]).toContain(`“${line}”`);
  });
});
