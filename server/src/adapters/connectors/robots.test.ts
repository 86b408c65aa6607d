import { expect, test } from 'vitest';
import { matches, readRobots } from './robots.ts';

test('patterns stand for the beginning of a path, with stars and an end', () => {
  for (const [pattern, path, expected] of [
    ['/', '/a', true],
    ['/a', '/b', false],
    ['/*.pdf$', '/x/y.pdf', true],
    ['/*.pdf$', '/x/y.pdf?a', false],
    ['/a*b*c', '/a-b-b-c-d', true],
    ['/a*b*c', '/a-c-b', false],
    ['/a*ba$', '/aba', true],
    ['/ab*ba$', '/aba', false],
    ['/a$', '/ab', false],
    ['*', '/x', true],
  ] as const)
    expect([pattern, path, matches(pattern, path)]).toEqual([pattern, path, expected]);
  // Quick, however many stars there are.
  expect(matches(`/${'*a'.repeat(5_000)}$`, `/${'a'.repeat(4_999)}b`)).toBe(false);
});

test('the rules of our own name come before those for all; the longest says, and of two as long the one that allows', () => {
  const robots = readRobots(
    [
      '\uFEFF# a comment',
      'User-agent: other',
      'User-Agent: *',
      'Disallow: /private',
      'Allow: /private/open # but for this',
      'Disallow: /same',
      'Allow: /same',
      'Disallow:',
      'Crawl-delay: 2',
      'Sitemap: https://example.kr/map.xml',
      'nonsense',
      'Disallow: /비밀',
    ].join('\r\n'),
  );
  const told = ['/', '/private', '/private/x', '/private/open/x', '/same', '/%EB%B9%84%EB%B0%80/a', '/비밀'].map(
    (path) => robots.allows(path),
  );
  expect(told).toEqual([true, false, false, true, true, false, false]);
  expect([robots.delaySeconds, robots.sitemaps]).toEqual([2, ['https://example.kr/map.xml']]);
  const own = readRobots('User-agent: *\nDisallow: /\n\nUser-agent: AI-Studio/1.0\nDisallow: /x');
  expect([own.allows('/'), own.allows('/x/y')]).toEqual([true, false]);
  expect(readRobots('').allows('/anything')).toBe(true);
});
