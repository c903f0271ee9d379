import { readOptions } from '../study/command/options.ts';

const NEEDED = ['--panel', 'a,b', '--arbiter', 'c', '--max-usd', '5'];

it('options have the usual values where they are not given', () => {
  expect(readOptions(NEEDED)).toMatchObject({
    does: 'study',
    study: {
      ...{ panel: ['a', 'b'], arbiter: 'c', maxNanoUsd: 5e9, tasks: 465, seed: 1, repeats: 3, rounds: 1, atOnce: 4 },
      ...{ external: [], callNanoUsd: 0 },
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
  [['--url', 'http://h:1/v1beta/openai/', '--key', 'k'], { server: { baseUrl: 'http://h:1/v1beta/openai', key: 'k' } }],
  [
    ['--arm', 'a=@cf/m@https://h/', '--arm', 'b-2=m=n@http://h:1/x#K', '--usd-per-call', '0.02'],
    {
      external: [
        { name: 'a', model: '@cf/m', baseUrl: 'https://h/v1', keyVariable: undefined },
        { name: 'b-2', model: 'm=n', baseUrl: 'http://h:1/x', keyVariable: 'K' },
      ],
      callNanoUsd: 2e7,
    },
  ],
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
  [[...NEEDED, '--url', 'http://u:p@h', '--key', 'k'], /--url .* without user, password and query/],
  [[...NEEDED, '--arm', 'a=m'], /--arm .* must be NAME=MODEL@URL, or NAME=MODEL@URL#KEY_VARIABLE/],
  [[...NEEDED, '--arm', 'a=m@http://u:p@h'], /--arm .* must be NAME=MODEL@URL/],
  [[...NEEDED, '--arm', 'a=m@http://h?key=1'], /--arm .* without user, password and query/],
  [[...NEEDED, '--arm', 'auto=m@http://h'], /--arm .* There is an arm called auto already/],
  [[...NEEDED, '--arm', 'a=m@http://h', '--arm', 'a=n@http://h'], /--arm .* an arm called a already/],
  [[...NEEDED, '--key', 'k'], '--key is for the server of --url, which is missing'],
  [[...NEEDED, '--file', 'q', '--tasks', '465'], '--file takes the place of --tasks and --kinds'],
  [[...NEEDED, 'more'], 'more belongs to no option'],
  [['--from-runs'], '--from-runs needs the files of saved runs behind it'],
])('options are refused with the name of the wrong one: %j', (args, message) => {
  expect(() => readOptions(args)).toThrow(message);
});
