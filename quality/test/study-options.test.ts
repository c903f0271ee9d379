import { readOptions } from '../study/command/read-options.ts';
import { helpText, studyProgram } from '../study/command/study-program.ts';

const NEEDED = ['--panel', 'a,b', '--arbiter', 'c', '--max-usd', '5'];
const read = (...more: string[]) => readOptions([...NEEDED, ...more]);

describe('the options of a study', () => {
  it('have the usual values where they are not given', () => {
    expect(read()).toMatchObject({
      does: 'study',
      study: {
        ...{ panel: ['a', 'b'], arbiter: 'c', maxNanoUsd: 5e9, tasks: 465, seed: 1, repeats: 3, rounds: 1, atOnce: 4 },
        strategies: [
          ...['competitive_refinement', 'collaborative_synthesis', 'expert_panel', 'debate_tournament', 'hierarchical'],
          ...['chain_of_thought', 'red_team_blue_team', 'auto'],
        ],
        ...{ file: undefined, judges: [], out: 'quality-study', server: undefined, isConfirmed: false },
      },
    });
  });

  it.each([
    [['--max-usd', '0.5', '--yes'], { maxNanoUsd: 5e8, isConfirmed: true }],
    [['--strategies', 'auto,hierarchical'], { strategies: ['hierarchical', 'auto'] }],
    [['--url', 'http://h:1/', '--key', 'k'], { server: { baseUrl: 'http://h:1/v1', key: 'k' } }],
    [['--url', 'http://h:1/v1', '--key', 'k'], { server: { baseUrl: 'http://h:1/v1', key: 'k' } }],
  ])('are read: %j', (args, study) => {
    const given = NEEDED.filter((_, index) => !args.includes(NEEDED[index - (index % 2)] ?? ''));
    expect(readOptions([...given, ...args])).toMatchObject({ study });
  });

  it.each([
    [['--panel', 'a', '--max-usd', '5'], '--arbiter is required'],
    [['--arbiter', 'a', '--max-usd', '5'], '--panel is required'],
    [['--arbiter', 'a', '--panel', 'b'], '--max-usd is required'],
    [['--arbiter', 'a', '--panel', 'b,,c', '--max-usd', '5'], /--panel .* must be a list separated by commas/],
    [['--arbiter', 'a', '--panel', Array(17).fill('b').join(','), '--max-usd', '5'], /--panel .* at most 16 models/],
    [['--arbiter', 'a', '--panel', 'b', '--max-usd', '-5'], /max-usd/],
    [
      ['--arbiter', 'a', '--panel', 'b', '--max-usd', 'five'],
      /--max-usd .* must be an amount in US dollars, such as 5 or 0.25/,
    ],
    [[...NEEDED, '--task', '5'], "unknown option '--task'\n(Did you mean --tasks?)"],
    [[...NEEDED, '--tasks', '0'], /--tasks .* must be a whole number above 0/],
    [[...NEEDED, '--tasks', '10001'], /--tasks .* must be at most 10000/],
    [[...NEEDED, '--rounds', '11'], /--rounds .* must be at most 10/],
    [[...NEEDED, '--strategies', 'hierarchicl'], /--strategies .* hierarchical.*; hierarchicl is none of them/],
    [[...NEEDED, '--kinds', 'toString'], /--kinds .* toString is none of them/],
    [[...NEEDED, '--url', 'ftp://h', '--key', 'k'], /--url .* must be a base URL such as http:/],
    [[...NEEDED, '--url', 'http://h'], '--key is required'],
    [[...NEEDED, '--key', 'k'], '--key is for the server of --url, which is missing'],
    [[...NEEDED, 'more'], 'more belongs to no option'],
    [['--from-runs'], '--from-runs needs the files of saved runs behind it'],
  ])('are refused with the name of the option: %j', (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });

  it('are all told by the help', () => {
    expect(readOptions([])).toEqual({ does: 'help' });
    for (const { flags } of studyProgram().options) expect(helpText()).toContain(flags);
  });
});
