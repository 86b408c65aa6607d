import { expect, test } from 'vitest';
import { readAgentFile } from './read-file.ts';

const definition = { schema: 1, nodes: [], edges: [] };

test('reads a file as it was exported, and a definition alone', () => {
  const exported = JSON.stringify({ name: ' Rules ', description: 'About leave', definition });
  expect(readAgentFile(exported, 'x.json')).toEqual({ name: 'Rules', description: 'About leave', definition });
  expect(readAgentFile(JSON.stringify(definition), 'house.agent.json')).toEqual({
    name: 'house',
    description: '',
    definition,
  });
});

test('keeps an exported file whole, whose version the service looks at', () => {
  const file = { ai_studio_agent: 2, name: 'New', description: '', definition };
  expect(readAgentFile(JSON.stringify(file), 'x.json')?.definition).toEqual(file);
});

test.each(['', '{', 'null', '[]', '1', '{"a":1}', '{"definition":"x"}'])('%j is no agent', (text) =>
  expect(readAgentFile(text, 'a.json')).toBeNull(),
);
