/** Letters that XML 1.0 can't hold, halves of letters included. */
const unwritable = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text without what XML can't hold. */
export const writableText = (text: string): string => text.toWellFormed().replaceAll(unwritable, '');

/** Text as it stands within an element or an attribute; what XML can't hold is left out. */
export const escapeXml = (text: string): string =>
  writableText(text).replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign);

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
