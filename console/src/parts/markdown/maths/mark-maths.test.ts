import { expect, test } from 'vitest';
import { markMaths } from './mark-maths.ts';

test('formulas are found in every form that models write', () => {
  expect(markMaths(String.raw`해는 \(x = \frac{a}{b}\) 입니다`)).toBe(String.raw`해는 $$x = \frac{a}{b}$$ 입니다`);
  expect(markMaths('해는 $x^2$ 와 $y$입니다')).toBe('해는 $$x^2$$ 와 $$y$$입니다');
  expect(markMaths(String.raw`\[ \int_0^1 x\,dx \]`)).toBe(`$$\n${String.raw`\int_0^1 x\,dx`}\n$$\n`);
  expect(markMaths('$$ a = b $$')).toBe('$$\na = b\n$$\n');
  expect(markMaths('$$\na = b\n$$')).toBe('$$\na = b\n$$\n');
  expect(markMaths('so $$a$$ is')).toBe('so $$a$$ is');
  expect(markMaths('- first\n  \\[a\\]')).toBe('- first\n  $$\n  a\n  $$\n');
});

test('prices, code and marks that are meant as they stand are left alone', () => {
  for (const text of [
    'Basic is $10, Team is $25',
    'It costs $5 to $7.',
    '`$x$` and ``\\(y\\)``',
    String.raw`5\$ and 6\$`,
    String.raw`\\(no\\)`,
    'no formula at all',
  ])
    expect(markMaths(text)).toBe(text);
});
