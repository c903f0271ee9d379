import { readOptions } from '../study/command/options.ts';

const NEEDED = ['--panel', 'a,b', '--arbiter', 'c', '--max-usd', '5'];

it('options have the usual values where they are not given', () => {
  expect(readOptions(NEEDED)).toMatchObject({
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
  expect(readOptions(['--flow'])).toEqual({ does: 'flow' });
  expect(readOptions([])).toEqual({ does: 'help' });
});

it.each([
  [['--max-usd', '0.5', '--yes'], { maxNanoUsd: 5e8, isConfirmed: true }],
  [['--strategies', 'auto,hierarchical'], { strategies: ['hierarchical', 'auto'] }],
  [['--url', 'http://h:1/', '--key', 'k'], { server: { baseUrl: 'http://h:1/v1', key: 'k' } }],
])('options are read: %j', (args, study) => {
  expect(readOptions([...NEEDED, ...args])).toMatchObject({ study });
});

it.each([
  [['--panel', 'a', '--max-usd', '5'], '--arbiter is required'],
  [['--arbiter', 'a', '--panel', 'b'], '--max-usd is required'],
  [[...NEEDED, '--panel', 'b,,c'], /--panel .* must be a list separated by commas/],
  [[...NEEDED, '--panel', Array(17).fill('b').join(',')], /--panel .* at most 16 models/],
  [[...NEEDED, '--max-usd', 'five'], /--max-usd .* must be an amount in US dollars, such as 5 or 0.25/],
  [[...NEEDED, '--task', '5'], "unknown option '--task'\n(Did you mean --tasks?)"],
  [[...NEEDED, '--tasks', '0'], /--tasks .* must be a whole number above 0/],
  [[...NEEDED, '--rounds', '11'], /--rounds .* must be at most 10/],
  [[...NEEDED, '--strategies', 'hierarchicl'], /--strategies .* hierarchical.*; hierarchicl is none of them/],
  [[...NEEDED, '--url', 'ftp://h', '--key', 'k'], /--url .* must be a base URL such as http:/],
  [[...NEEDED, '--url', 'http://h'], '--key is required'],
  [[...NEEDED, '--key', 'k'], '--key is for the server of --url, which is missing'],
  [[...NEEDED, '--file', 'q', '--tasks', '465'], '--file takes the place of --tasks and --kinds'],
  [[...NEEDED, 'more'], 'more belongs to no option'],
  [['--from-runs'], '--from-runs needs the files of saved runs behind it'],
])('options are refused with the name of the wrong one: %j', (args, message) => {
  expect(() => readOptions(args)).toThrow(message);
});
