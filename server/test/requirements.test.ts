import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { requirements } from './requirements.ts';
import { a2aRequirements } from './requirements/a2a.ts';
import { agentRequirements } from './requirements/agents.ts';
import { batchRequirements } from './requirements/batches.ts';
import { chatReplyRequirements } from './requirements/chat-reply.ts';
import { chatRequestRequirements } from './requirements/chat-request.ts';
import { commonRequirements } from './requirements/common.ts';
import { mcpRequirements } from './requirements/mcp.ts';
import { messagesRequirements } from './requirements/messages.ts';
import { partRequirements } from './requirements/parts.ts';
import { privacyRequirements } from './requirements/privacy.ts';
import { responseRequirements } from './requirements/responses.ts';
import { retrievalRequirements } from './requirements/retrieval.ts';
import { serviceRequirements } from './requirements/service.ts';
import { speechRequirements } from './requirements/speech.ts';

const root = join(import.meta.dirname, '..', '..');
const testFolders = ['contract/src', 'packages', 'server/src', 'server/test', 'examples', 'tools', 'bench'];

function testFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
    .map((name) => join(folder, name));
}

const withoutComments = (source: string) => source.replace(/\/\*[^]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');

/** The literals in calls `covers('…', '…')` and in table rows `covers: '…'` or `covers: ['…']`. */
function citedIds(source: string): string[] {
  const places = source.matchAll(/\bcovers(?:\(([^)]*)\)|:\s*(\[[^\]]*\]|'[^']*'))/g);
  return [...places].flatMap((place) =>
    [...(place[1] ?? place[2] ?? '').matchAll(/'([^']+)'/g)].map((literal) => literal[1] ?? ''),
  );
}

const sources = testFolders
  .flatMap(testFiles)
  .map((file) => ({ file, text: withoutComments(readFileSync(join(root, file), 'utf8')) }));
const citations = sources
  .filter(({ file }) => !file.endsWith('requirements.test.ts'))
  .flatMap(({ file, text }) => citedIds(text).map((id) => ({ file, id })));

describe('the manifest of behaviours', () => {
  test('saw the test files', () => {
    expect(sources.length).toBeGreaterThan(10);
    expect(citations.length).toBeGreaterThan(200);
  });

  test('has every id once, each with a text and a source', () => {
    const lists = [
      commonRequirements,
      chatRequestRequirements,
      chatReplyRequirements,
      responseRequirements,
      retrievalRequirements,
      serviceRequirements,
      privacyRequirements,
      speechRequirements,
      agentRequirements,
      a2aRequirements,
      mcpRequirements,
      messagesRequirements,
      batchRequirements,
      partRequirements,
    ];
    expect(Object.keys(requirements)).toHaveLength(lists.reduce((sum, list) => sum + Object.keys(list).length, 0));
    for (const [id, { text, source }] of Object.entries(requirements)) {
      expect(id).toMatch(/^[a-z0-9]+([.][A-Za-z0-9_-]+)+$/);
      expect(text.length, id).toBeGreaterThan(10);
      expect(source.length, id).toBeGreaterThan(4);
    }
  });

  test('has no entry that no test cites', () => {
    const cited = new Set(citations.map(({ id }) => id));
    expect(Object.keys(requirements).filter((id) => !cited.has(id))).toEqual([]);
  });

  test('knows every cited id', () => {
    expect(citations.filter(({ id }) => !Object.hasOwn(requirements, id))).toEqual([]);
  });

  test('is not cited by tests that do not run', () => {
    const switchedOff = /\b(?:test|it|describe)\.(?:skip|todo|only|fails)\b/;
    const files = sources.filter(
      ({ file, text }) => !file.endsWith('requirements.test.ts') && citedIds(text).length > 0 && switchedOff.test(text),
    );
    expect(files.map(({ file }) => file)).toEqual([]);
  });
});
