import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { agentUrls, doorOf, requestedForm, isSlug, lastEventId } from './address.ts';

const asked = (headers: Record<string, string>, query: Record<string, string> = {}) =>
  ({ url: '/', headers, query, protocol: 'https', host: 'studio.example.kr:8443' }) as unknown as FastifyRequest;

test('an agent is reached at the configured address, else as the service was reached', () => {
  const at = 'https://studio.example.kr:8443/api/v1/external/agents/a_-1/a2a';
  expect(agentUrls(null, asked({}), 'a_-1')).toEqual({ rpc: `${at}/rpc`, http: `${at}/v1` });
  expect(agentUrls('https://ai.example.kr/base/', asked({}), 'a').rpc).toBe(
    'https://ai.example.kr/base/api/v1/external/agents/a/a2a/rpc',
  );
});

test('the version stands in the header or in the address', () => {
  expect(requestedForm(asked({}))).toBe('0.3');
  expect(requestedForm(asked({ 'a2a-version': '1.0' }))).toBe('1.0');
  expect(requestedForm(asked({}, { 'A2A-Version': '1.0' }))).toBe('1.0');
  expect(requestedForm(asked({ 'a2a-version': '7' }))).toBeNull();
});

test('what is no number of an event counts as none', () => {
  expect(['0', '12', ' 7 '].map((id) => lastEventId(asked({ 'last-event-id': id })))).toEqual([0, 12, 7]);
  expect(['', '-1', '1.5', 'x', '99999999999'].map((id) => lastEventId(asked({ 'last-event-id': id })))).toEqual(
    Array.from({ length: 5 }, () => null),
  );
});

test('slugs are plain', () => {
  expect(['abc', 'A_-9', 'x'.repeat(100)].every(isSlug)).toBe(true);
  expect(['', 'a b', 'a\u0000', '../x', '한', 'x'.repeat(101)].some(isSlug)).toBe(false);
});

test('the door is read from the path', () => {
  const at = (url: string, headers: Record<string, string> = {}) =>
    ({ url, headers, query: {} }) as unknown as FastifyRequest;
  const paths = ['', '?A2A-Version=1.0', '/rpc', '/rpc?x=/a2a/v1', '/v1/message:send', '/v1/tasks/a2a', '/v1x'];
  expect(paths.map((path) => doorOf(at(`/api/v1/external/agents/a2a/a2a${path}`)))).toEqual([
    'interface',
    'interface',
    'json_rpc',
    'json_rpc',
    'http_json',
    'http_json',
    'interface',
  ]);
  const http = '/v1/external/agents/a/a2a/v1/tasks';
  expect(requestedForm(at(http))).toBe('1.0');
  expect(requestedForm(at(http, { 'a2a-version': '0.3' }))).toBeNull();
});
