import { firstWords } from './first-words';

test.each([
  ['Is a tomato a fruit?', 'Is a tomato a fruit?'],
  ['  Is a\n\n tomato\ta fruit? ', 'Is a tomato a fruit?'],
  ['Is a tomato a fruit, or is it none?', 'Is a tomato a fruit, or is …'],
  ['Is a tomato a fruit, or is it?', 'Is a tomato a fruit, or is …'],
  ['Is a tomato a fruit, so it is?', 'Is a tomato a fruit, so it …'],
  ['Donaudampfschifffahrtsgesellschaftskapitän', 'Donaudampfschifffahrtsgesel …'],
  ['番茄是水果吗'.repeat(20), `${'番茄是水果吗'.repeat(4)}番茄是 …`],
  ['🍅'.repeat(28), `${'🍅'.repeat(27)} …`],
  ['A \u202etxet', 'A ⟨U+202E⟩txet'],
  ['word '.repeat(100_000), 'word word word word word …'],
  ['', ''],
])('the first words of %j', (text, words) => {
  expect(firstWords(text, 27)).toBe(words);
});
