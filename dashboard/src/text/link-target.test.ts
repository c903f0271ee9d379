import { linkTarget } from './link-target';

describe('where a link of a model goes', () => {
  it.each([
    ['https://a.example/b?c=1', 'a.example', false],
    ['http://a.example:8080', 'a.example:8080', false],
    ['HTTPS://A.example', 'a.example', false],
    ['https://аррӏе.example', 'xn--80ak6aa92e.example', false],
    ['mailto:ada@a.example', 'ada@a.example', false],
    [`https://a.example/?q=${'x'.repeat(61)}`, 'a.example', false],
    [`https://a.example/?q=${'x'.repeat(62)}`, 'a.example', true],
    [`https://a.example/#${'x'.repeat(80)}`, 'a.example', true],
    [`https://a.example/${'x'.repeat(64)}`, 'a.example', false],
    [`https://a.example/${'x'.repeat(65)}`, 'a.example', true],
    [`https://a.example/${'x/'.repeat(40)}`, 'a.example', true],
    [`https://a.example/${'x'.repeat(30)}?q=${'y'.repeat(20)}#${'z'.repeat(10)}`, 'a.example', false],
    [`https://a.example/${'x'.repeat(30)}?q=${'y'.repeat(20)}#${'z'.repeat(11)}`, 'a.example', true],
    [`https://${'x'.repeat(54)}.a.example/`, `${'x'.repeat(54)}.a.example`, false],
    [`https://${'x'.repeat(55)}.a.example/`, `${'x'.repeat(55)}.a.example`, true],
    [`https://${'x.'.repeat(40)}a.example/`, `${'x.'.repeat(40)}a.example`, true],
    [`mailto:ada@a.example?body=${'x'.repeat(80)}`, 'ada@a.example', true],
  ])('%s: %s, asks first: %s', (address, host, isLong) => {
    expect(linkTarget(address)).toMatchObject({ host, isLong });
  });

  it.each([
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['/keys'],
    ['//a.example'],
    ['https://ada:secret@a.example/'],
    ['ftp://a.example'],
    ['blob:https://a.example/1'],
    [`https://a.example/${'x'.repeat(2_000)}`],
  ])('is no link: %s', (address) => {
    expect(linkTarget(address)).toBeUndefined();
  });
});
