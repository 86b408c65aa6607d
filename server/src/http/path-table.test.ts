import { expect, test } from 'vitest';
import { createPathTable } from './path-table.ts';

function tableOf(...routes: readonly (readonly [method: string, path: string])[]) {
  const table = createPathTable();
  for (const [method, path] of routes) table.add({ method, path });
  return table;
}

test('a path has the methods of its own route, not of one for which it would be the value of a parameter', () => {
  const table = tableOf(
    ['GET', '/documents/:id'],
    ['DELETE', '/documents/:id'],
    ['POST', '/documents/bulk'],
    ['GET', '/models/*'],
    ['POST', '/models/:id/load'],
  );
  expect(table.methodsOf('/documents/bulk')).toEqual(['POST']);
  expect(table.methodsOf('/documents/other/')).toEqual(['GET', 'DELETE']);
  expect(table.methodsOf('/documents/other/more')).toEqual([]);
  expect(table.methodsOf('/models/vendor/name')).toEqual(['GET']);
  expect(table.methodsOf('/models/x/load')).toEqual(['POST']);
});

test('a colon that is written twice stands for itself, behind a parameter too', () => {
  const table = tableOf(['GET', '/tasks/:id'], ['POST', '/tasks/:id(^[^:]+)::cancel'], ['POST', '/message::send']);
  expect(table.methodsOf('/tasks/abc')).toEqual(['GET']);
  expect(table.methodsOf('/tasks/abc:cancel')).toEqual(['POST']);
  expect(table.methodsOf('/message:send')).toEqual(['POST']);
  expect(table.methodsOf('/message')).toEqual([]);
});

test('a dot is a dot, and a fallback tells nothing where there is another', () => {
  const table = tableOf(['GET', '/openapi.json']);
  table.add({ method: 'PUT', path: '/*', isFallback: true });
  expect(table.methodsOf('/openapi.json')).toEqual(['GET']);
  expect(table.methodsOf('/openapiXjson')).toEqual(['PUT']);
});
