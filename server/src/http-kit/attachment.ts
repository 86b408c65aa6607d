/** Characters that a parameter of RFC 5987 takes as they are, beyond those that encodeURIComponent leaves. */
const encoded = (text: string) =>
  encodeURIComponent(text).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Headers under which any file can be given away: it is saved under its name and never shown or run in the page that asked for it.
 * Source: RFC 6266.
 */
export function attachment(name: string): Readonly<Record<string, string>> {
  const whole = name.toWellFormed();
  const plain = whole
    .normalize('NFC')
    .replaceAll(/[^\x20-\x7E]/g, '_')
    .replaceAll(/["\\%/;]/g, '_');
  return {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encoded(whole)}`,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cache-Control': 'private, no-store',
  };
}
