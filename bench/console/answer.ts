/** A long Markdown answer: headings, text, lists, code of several languages and tables, about as many lines as asked for. */
export function longAnswer(lines: number): string {
  const parts: string[] = [];
  for (let part = 1, count = 0; count < lines; part += 1) {
    const text = section(part);
    parts.push(text);
    count += text.split('\n').length;
  }
  return parts.join('\n');
}

const sentence = (part: number, at: number) =>
  `${at}. 지방세 안내 ${part}: an answer with **weight**, *stress*, \`inline code\` and [a link](https://example.org/${part}).`;

const python = (part: number) =>
  Array.from(
    { length: 24 },
    (_, at) =>
      `def rate_${part}_${at}(amount: int, *, year: int = 2026) -> float:\n    return amount * 0.0${at + 1} if year > ${at} else 0.0  # 비고 ${at}`,
  ).join('\n');

const typescript = (part: number) =>
  Array.from(
    { length: 24 },
    (_, at) =>
      `export const step${part}_${at} = async (input: readonly string[]): Promise<number> => input.length + ${at};`,
  ).join('\n');

const table = (part: number) =>
  [
    '| 항목 | Rate | Amount | Remark |',
    '|------|-----:|-------:|:------:|',
    ...Array.from(
      { length: 20 },
      (_, at) => `| 항목 ${part}-${at} | ${at}.5 % | ${at * 1234} | within **${at}** days |`,
    ),
  ].join('\n');

const section = (part: number) => `## Part ${part}

${Array.from({ length: 8 }, (_, at) => sentence(part, at + 1)).join('\n')}

A paragraph that says what follows, 그리고 그 다음에 오는 것을 설명하는 문단입니다. It has a few sentences, so that it is as long as those of real answers are.

\`\`\`python
${python(part)}
\`\`\`

- [x] one
- [ ] two
  - three

\`\`\`ts
${typescript(part)}
\`\`\`

${table(part)}
`;
