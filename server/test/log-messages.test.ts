import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { type Node, readSources, walk } from './support/modules.ts';

// Messages of the log have one form, so that a person finds them: what it is about comes first, without an article and in lower case.

const LEVELS = new Set(['debug', 'info', 'warn', 'error']);
/** Names that are written in capitals. */
const NAMES = /^(?:[A-Z]{2,}|PostgreSQL|OpenSearch)\b/;
const WRONG = /^(?:[A-Z]|(?:a|an|the|nobody|somebody) )/;

const nameOf = (node: unknown) => String((node as Node | null)?.['name']);

/** The messages of a file: those that `log`, or a property of that name, is given as a text. */
function messagesIn(path: string, text: string): string[] {
  const found: string[] = [];
  walk(parseSync(path, text).program.body, ({ type, callee, arguments: given }) => {
    if (type !== 'CallExpression') return;
    const { object, property } = callee as Node;
    if (!LEVELS.has(nameOf(property)) || !/^#?log$/.test(nameOf((object as Node)['property'] ?? object))) return;
    const message = (given as Node[])[1];
    if (typeof message?.['value'] === 'string') found.push(message['value']);
  });
  return found;
}

const isWrong = (message: string) => WRONG.test(message) && !NAMES.test(message);

test('messages of the log begin with what they are about, in lower case', () => {
  const all = ['server/src', 'packages/llama-runtime/src', 'packages/documents/src']
    .flatMap(readSources)
    .filter(({ text }) => text.includes('log.'))
    .flatMap(({ path, text }) => messagesIn(path, text).map((message) => ({ path, message })));
  expect(all.filter(({ message }) => isWrong(message)).map(({ path, message }) => `${path}: ${message}`)).toEqual([]);
  expect(all.length).toBeGreaterThan(60);
});

test('every way to the log is seen', () => {
  const text = `
    log.warn({}, 'one');
    deps.log.error({ err }, 'two');
    this.#deps.log.info({}, 'three');
    this.#log.debug({}, 'four');
    console.log({}, 'five');
    other.error({}, 'six');`;
  expect(messagesIn('x.ts', text)).toEqual(['one', 'two', 'three', 'four']);
  expect(['Usage is kept', 'the database is back', 'nobody could be told'].filter(isWrong)).toHaveLength(3);
  expect(['usage is kept', 'OIDC sign-in failed', 'PostgreSQL', 'answer failed'].filter(isWrong)).toEqual([]);
});
