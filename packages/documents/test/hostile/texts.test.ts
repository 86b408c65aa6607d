import { type Case, large, times, tryAll } from './attempt.ts';

const page = (tag: string, count = 20_000) => `<!doctype html><body>${tag.repeat(count)}끝`;
tryAll('a.html', [
  ...[
    '<div>',
    '<b>',
    '<table>',
    '<table><tr><td>',
    '<ul><li>',
    '<dl><dd>',
    '<dl><div>',
    '<ul><li><div>',
    '<ol><li><dl><dd>',
    '<ul><li><figure><blockquote>',
    '<figure>',
    '<nav>',
    '<blockquote>',
    '<svg>',
    '<h1>',
    '<a>',
    '<p><b><i><u>',
    '<select>',
    '<template>',
  ].map((tag): Case => [`${tag} without end`, () => page(tag)]),
  ...['<', '<!--', '<!-- -->', '&', '"', '<a href="', '<![CDATA[', '<?'].map((part): Case => [
    `much of ${part}`,
    () => part.repeat(large(500_000) / part.length),
  ]),
  [
    'spans without end',
    () => `<table>${`<tr>${'<td rowspan=65534 colspan=1000000000>a'.repeat(3)}`.repeat(50)}</table>`,
    ['read', 'TOO_LARGE'],
  ],
  [
    'tables of declared cells',
    () => '<table><tr><td colspan=1000>a<td>b<tr><td rowspan=60000>c<td>d</table>'.repeat(300),
    ['read', 'TOO_LARGE'],
  ],
  ['columns beyond number', () => `<table><tr>${'<td>a'.repeat(large(100_000))}<tr><td>b</table>`],
  ['attributes beyond number', () => `<p ${times(large(200_000), (nth) => `a${nth}=b `)}>글`],
  ['paragraphs beyond number', () => '<p>a'.repeat(large(100_000))],
]);

tryAll('a.csv', [
  ...['"', '"a', '"a"b,', ',', 'a,', '\n', 'a\n', ';', '\t', '|', '\r', '\0a'].map((part): Case => [
    `much of ${JSON.stringify(part)}`,
    () => part.repeat(large(500_000) / part.length),
    ['read', 'CORRUPTED', 'TOO_LARGE', 'UNSUPPORTED'],
  ]),
  [
    'rows far shorter than the first one',
    () => `${'a,'.repeat(100_000)}\n${'b\n'.repeat(20_000)}`,
    ['read', 'TOO_LARGE'],
  ],
]);

tryAll('a.txt', [
  ...['가', ' ', '.', '. ', '제1장 가\n\n', '\n', 'a\n', '가. ', '\u0301', '1.', '- ', '\t'].map((part): Case => [
    `much of ${JSON.stringify(part)}`,
    () => part.repeat(large(500_000) / part.length),
  ]),
  ['control characters', () => '\u0001\u0002'.repeat(10_000), ['UNSUPPORTED']],
]);
