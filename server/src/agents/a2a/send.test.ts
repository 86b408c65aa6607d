import { expect, test } from 'vitest';
import { fetchedType } from './send.ts';

test.each([
  ['x/y', 'text/html', 'x/y'],
  ['application/octet-stream', 'text/html', 'text/html'],
  ['application/octet-stream', 'application/octet-stream', 'text/csv'],
  ['application/octet-stream', '', 'text/csv'],
])('a file that is fetched as %s and served as %j is %s', (mediaType, served, type) => {
  expect(fetchedType({ name: '표.csv', mediaType }, served)).toBe(type);
});
