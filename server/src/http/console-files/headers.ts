/**
 * What the pages of the console may do: load from this service alone, run scripts and styles of its files or with the
 * nonce of the answer, be framed by nobody.
 */
export const pageHeaders = (nonce: string) => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "object-src 'none'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  // For browsers that do not know frame-ancestors.
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(self), payment=(), usb=()',
  // Every answer has a nonce of its own, and names the files of the present build.
  'Cache-Control': 'no-cache',
  ...fileHeaders,
});

/** Headers of all that is served below /console. */
export const fileHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // Addresses of the console can hold the secret of a one-time link.
  'Referrer-Policy': 'same-origin',
} as const;

/**
 * Of the page that draws a diagram: it has no origin of its own, whoever opens it, may be framed by the console alone, asks for nothing
 * but scripts, and styles what it draws.
 */
export const diagramHeaders = {
  ...fileHeaders,
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ].join('; '),
} as const;

/** Of files with the hash of what they hold in their name: the page of diagrams, which has no origin, fetches scripts and fonts of them. */
export const assetHeaders = { 'Access-Control-Allow-Origin': '*' } as const;
