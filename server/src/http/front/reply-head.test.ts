import { expect, test } from 'vitest';
import { renderReplyHead } from './reply-head.ts';

const frame = { closes: false, keepAliveMs: 65_000, date: 'Fri, 27 Nov 2026 00:00:00 GMT' };
const render = (...headers: string[]) => renderReplyHead(200, headers, frame, false);

test('what would end the line of a header is refused each time, whatever stood in its place before', () => {
  expect(render('X-Model', 'a', 'X-Other', 'b\té')).toContain('X-Model: a\r\nX-Other: b\té\r\n');
  for (const bad of ['a\r\nX-Evil: 1', 'a\n', 'a\0', '가'])
    for (const _again of [1, 2]) expect(() => render('X-Model', bad, 'X-Other', 'b')).toThrow(TypeError);
  expect(render('X-Model', 'a')).toContain('X-Model: a\r\n');
  expect(() => render('X-Other', 'a', 'X-Model', 'b\r\n')).toThrow('Not the value of a header: X-Model');
});
