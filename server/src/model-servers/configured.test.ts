import { expect, test } from 'vitest';
import { withoutSecrets } from './configured.ts';

test('an address shows neither names nor passwords nor queries', () => {
  expect(withoutSecrets('https://me:secret@gpu:8443/v1//?key=secret#x')).toBe('https://gpu:8443/v1');
  expect(withoutSecrets()).toBe('http://none');
});
