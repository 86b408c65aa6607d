/**
 * Signs that Hancom's fonts and symbol fonts keep in the private use area, where Unicode has the same sign. Bullets of old
 * documents come from Wingdings and Symbol (U+F000 plus the byte of the font).
 */
const symbols: Readonly<Record<number, string>> = {
  0xf020: ' ',
  0xf028: '☎',
  0xf02a: '✉',
  0xf02d: '-',
  0xf03f: '✍',
  0xf045: '☜',
  0xf046: '☞',
  0xf047: '☝',
  0xf048: '☟',
  0xf06c: '●',
  0xf06d: '❍',
  0xf06e: '■',
  0xf06f: '□',
  0xf070: '□',
  0xf071: '❑',
  0xf072: '❒',
  0xf073: '◆',
  0xf074: '◆',
  0xf075: '◆',
  0xf076: '❖',
  0xf077: '◆',
  0xf078: '☒',
  0xf080: '⓪',
  0xf09e: '·',
  0xf09f: '•',
  0xf0a0: '▪',
  0xf0a1: '○',
  0xf0a2: '○',
  0xf0a4: '◉',
  0xf0a5: '◎',
  0xf0a7: '▪',
  0xf0a8: '◻',
  0xf0aa: '✦',
  0xf0ab: '★',
  0xf0ac: '✶',
  0xf0b7: '•',
  0xf0d8: '➢',
  0xf0dc: '➲',
  0xf0df: '←',
  0xf0e0: '→',
  0xf0e1: '↑',
  0xf0e2: '↓',
  0xf0e8: '➔',
  0xf0ef: '⇦',
  0xf0f0: '⇨',
  0xf0f1: '⇧',
  0xf0f2: '⇩',
  0xf0fb: '✗',
  0xf0fc: '✓',
  0xf0fd: '☒',
  0xf0fe: '☑',
};

/** Signs of Hancom's own fonts. Source: what Hancom Office draws for them. */
const hancom: Readonly<Record<number, string>> = {
  0xf53a: 'ᄒᆞᆫ',
  0xf003b: '↓',
  0xf0090: '✺',
  0xf02b0: '⓪',
  0xf02c5: '⑫',
  0xf02ec: '◇',
  0xf02ef: '·',
  0xf03a7: '⊟',
  0xf03a8: '⊞',
  0xf03c5: '□',
  0xf03da: '□',
  0xf03ff: '□',
  0xf080f: '─',
  0xf081c: '┈',
  0xf0827: '■',
  0xf0832: '═',
  0xf0848: '━',
  0xf0854: '『',
  0xf0855: '』',
};

/** Numbers 1 to 20 in a box, white in a black box, and those of Wingdings: Unicode has them in circles. */
const boxed = (code: number): string | null => {
  if (code >= 0xf081 && code <= 0xf08a) return String.fromCodePoint(0x2460 + code - 0xf081);
  if (code >= 0xf08c && code <= 0xf095) return String.fromCodePoint(0x2776 + code - 0xf08c);
  if (code >= 0xf02b1 && code <= 0xf02c4) return String.fromCodePoint(0x2460 + code - 0xf02b1);
  if (code >= 0xf02ce && code <= 0xf02d7) return String.fromCodePoint(0x2776 + code - 0xf02ce);
  return code >= 0xf02d8 && code <= 0xf02e1 ? String.fromCodePoint(0x24eb + code - 0xf02d8) : null;
};

const privateUse = /[\ue000-\uf8ff\u{f0000}-\u{f0fff}]/gu;
/** The same by units, which is faster to look for. */
const anyPrivateUse = /[\ue000-\uf8ff\udb80-\udb83]/;

/** Text in which signs of private fonts are those of Unicode, where there is the same. */
export const readableText = (text: string): string =>
  anyPrivateUse.test(text)
    ? text.replaceAll(privateUse, (sign) => {
        const code = sign.codePointAt(0)!;
        return symbols[code] ?? hancom[code] ?? boxed(code) ?? sign;
      })
    : text;
