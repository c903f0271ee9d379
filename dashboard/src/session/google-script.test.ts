import { allowedScript } from './google-script';

it('lets a script of Google’s sign-in pass', () => {
  const url = 'https://apis.google.com/js/api.js?onload=__iframefcb1';
  expect(allowedScript(url)).toBe(url);
});

it.each([
  'https://evil.example/js/api.js',
  'https://apis.google.com.evil.example/x.js',
  'https://evil.example/https://apis.google.com/',
  'http://apis.google.com/js/api.js',
  '//apis.google.com/js/api.js',
  '/assets/other.js',
  'data:text/javascript,alert(1)',
  '',
])('refuses %p', (url) => expect(allowedScript(url)).toBeNull());
