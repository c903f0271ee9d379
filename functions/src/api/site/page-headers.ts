/**
 * Rights of the dashboard's pages: nothing but load their own files and ask their own server. No script or style
 * stands in a page, and no text becomes markup (Trusted Types without a policy). Firebase Hosting sends the same and adds
 * the origins of Firebase Auth (`firebase.json`).
 */
export const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "style-src-attr 'none'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), clipboard-write=(self)',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
} as const;
