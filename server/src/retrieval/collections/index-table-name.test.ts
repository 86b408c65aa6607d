import { expect, it } from 'vitest';
import { ANALYZER_VERSION } from '../analyzer/index.ts';
import { tableShape } from './index-table-name.ts';

it('tables lie together only within a tenant, and with terms of one analyzer', () => {
  expect(tableShape('a', 384)).toEqual(tableShape('a', 384));
  expect(tableShape('a', 384).family).not.toBe(tableShape('b', 384).family);
  expect(tableShape('a', 384).family).toContain(String(ANALYZER_VERSION));
});
