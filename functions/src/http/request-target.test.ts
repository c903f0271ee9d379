import { targetForFramework } from './request-target';

describe('the request target as the framework gets it', () => {
  it.each(['/', '/v1/models?x=%zz', '/a%20b', 'http://host/v1/models', '/favicon.ico/x', '/v1/robots.txt'])(
    'is left as it is: %s',
    (url) => {
      expect(targetForFramework(url)).toBe(url);
    },
  );

  it.each([
    ['/favicon.ico', '/./favicon.ico'],
    ['/robots.txt?x=1', '/./robots.txt'],
    ['/%zz', '/invalid-percent-encoding'],
    ['/v1/%e0%a4?x=1', '/invalid-percent-encoding'],
    ['*', '/invalid-target'],
    ['', '/invalid-target'],
    ['v1/models', '/invalid-target'],
  ])('reaches our own 404 where the framework would answer: %s', (url, target) => {
    expect(targetForFramework(url)).toBe(target);
  });
});
