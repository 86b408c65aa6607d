import { expect, test } from 'vitest';
import { plainText } from './plain-text.ts';

test('an answer is copied without its marks', () => {
  const markdown = [
    '## 결과',
    '',
    '> **중요**: *꼭* `지방세`를 ~~모두~~ 확인하세요.',
    '* 하나',
    '  - [ ] 둘',
    '[법령](https://law.example) 과 [https://a.example](https://a.example)',
    '5 * 3 * 2 = 30, 10\\* 제외 [1]',
    '```sql',
    'SELECT * FROM **t**',
    '```',
  ].join('\n');
  expect(plainText(markdown)).toBe(
    [
      '결과',
      '',
      '중요: 꼭 지방세를 모두 확인하세요.',
      '- 하나',
      '  - [ ] 둘',
      '법령 (https://law.example) 과 https://a.example',
      '5 * 3 * 2 = 30, 10* 제외 [1]',
      'SELECT * FROM **t**',
    ].join('\n'),
  );
});

test('a table is pasted as one', () => {
  expect(plainText('| 이름 | 값 |\n|---|:--:|\n| a<br>b | **1** |')).toBe('이름\t값\na b\t1');
});
