import { withoutLink } from './email-link';

describe('the address of the page that a link has led to', () => {
  it('is left without anything of the link', () => {
    const link = 'apiKey=k&oobCode=secret&mode=signIn&lang=en&continueUrl=https%3A%2F%2Facme.example%2Fsign-in';
    expect(withoutLink(`https://acme.example/sign-in?${link}`)).toBe('/sign-in');
  });

  it('keeps what is not of the link', () => {
    expect(withoutLink('https://acme.example/usage?from=2026-01&oobCode=secret&mode=signIn#table')).toBe(
      '/usage?from=2026-01#table',
    );
  });
});
