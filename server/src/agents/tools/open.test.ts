import type { ToolChoice } from '@ai-studio/contract/agents/definition.ts';
import { makeDocument } from '@ai-studio/documents/write';
import { describe, expect, it } from 'vitest';
import { covers } from '../../../test/requirements.ts';
import { silent } from '../../../test/support/postgres.ts';
import { type CallContext, unlimitedActor } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { TenantId } from '../../kernel/context.ts';
import type { RetrievalDeps } from '../../retrieval/index.ts';
import { type ServedTool, type ToolDeps, openTools } from './open.ts';
import { type ToolCallOptions, MAX_TEXT_LENGTH, failedCall, succeeded } from './tool.ts';

const never = new AbortController().signal;
const options: ToolCallOptions = { signal: never, idempotencyKey: 'run/step/1' };
const file = (name: string) => ({ id: `id of ${name}`, name, media_type: 'text/plain', size: 1 });
const tenantId = 'a'.repeat(32) as TenantId;
const ctx: CallContext = {
  actor: unlimitedActor({ tenantId, keyId: null, userId: 'somebody' }),
  requestId: 'r',
  signal: never,
};
const twoFiles = [file('leave.hwp'), file('pay.pdf')];
const served: ServedTool[] = [
  { name: 'calculator', server: 'Wiki', description: 'Other', parameters: {}, run: () => succeeded('theirs') },
  {
    name: 'breaks',
    server: 'Wiki',
    description: '',
    parameters: {},
    run: () => Promise.reject(new Error('a secret of the inside')),
  },
  {
    name: 'says why',
    server: 'Wiki',
    description: '',
    parameters: {},
    run: () => Promise.reject(new StudioError('unavailable', 'The disk is full')),
  },
  { name: 'fails', server: 'Wiki', description: '', parameters: {}, run: () => failedCall('no') },
];
const deps: ToolDeps = {
  retrieval: {} as RetrievalDeps,
  served: {
    find: (_tenantId, _id, names) =>
      Promise.resolve(served.filter(({ name }) => names.length === 0 || names.includes(name))),
  },
  readDocument: (_tenantId, { name }) =>
    name === 'pay.pdf'
      ? Promise.reject(new StudioError('unprocessable', 'ENCRYPTED: the document asks for a password'))
      : Promise.resolve({ text: '가'.repeat(MAX_TEXT_LENGTH + 1_000), pages: 3 }),
  makeDocument: async (job) => {
    const result = await makeDocument(job);
    if ('refused' in result) throw new StudioError('unprocessable', result.refused.message);
    return result.made;
  },
  files: { read: () => Promise.resolve(Buffer.from('no template')) },
  timeZone: 'Asia/Seoul',
  now: () => Date.UTC(2026, 0, 1, 15, 30),
  log: silent,
};
const open = (choices: readonly ToolChoice[], files = twoFiles) => openTools(deps, ctx, { choices, files });
const one = async (choice: ToolChoice, files = twoFiles) => {
  const [tool] = await open([choice], files);
  if (!tool) throw new Error('no tool');
  return tool;
};

describe('tools that were chosen', () => {
  it('have names that no two share', async () => {
    const tools = await open([{ kind: 'calculator' }, { kind: 'server', server: 'b'.repeat(32), tools: [] }]);
    expect(tools.map(({ name }) => name)).toEqual(['calculator', 'Wiki_calculator', 'breaks', 'says_why', 'fails']);
    expect((await tools[1]?.call({}, options))?.text).toBe('theirs');
  });

  it('tell of wrong arguments and of failures in words, and of the inside nothing', async () => {
    covers('agents.tools.arguments');
    const tools = await open([{ kind: 'server', server: 'b'.repeat(32), tools: ['breaks', 'says why', 'fails'] }]);
    const results = await Promise.all(tools.map((tool) => tool.call('{}', options)));
    expect(results.map(({ failed, result }) => [failed, result])).toEqual([
      [true, null],
      [true, null],
      [true, null],
    ]);
    expect(results[0]?.text).not.toContain('secret');
    expect(results[1]?.text).toBe('The disk is full');
    expect((await (await one({ kind: 'calculator' })).call({}, options)).text).toBe(
      'The arguments are wrong: expression is required',
    );
  });

  it('end with the signal', async () => {
    const gone = AbortSignal.abort(new Error('nobody waits'));
    const tool = await one({ kind: 'calculator' });
    await expect(tool.call({ expression: '1' }, { ...options, signal: gone })).rejects.toThrow('nobody waits');
    await expect(
      openTools(deps, { ...ctx, signal: gone }, { choices: [{ kind: 'calculator' }], files: [] }),
    ).rejects.toThrow('nobody waits');
  });
});

describe('the tools that are always there', () => {
  it('calculate', async () => {
    covers('agents.tools.built-in');
    const tool = await one({ kind: 'calculator' });
    expect(await tool.call({ expression: '0.1 + 0.2' }, options)).toEqual({
      failed: false,
      text: '0.3',
      result: { expression: '0.1 + 0.2', value: '0.3', exact: true },
    });
    expect(await tool.call({ expression: '1 / 0' }, options)).toMatchObject({
      failed: true,
      text: 'The expression cannot be calculated: it divides by zero',
    });
  });

  it.each([
    [{}, '2026-01-02T00:30:00+09:00', 'Friday'],
    [{ time_zone: 'America/New_York' }, '2026-01-01T10:30:00-05:00', 'Thursday'],
    [{ time_zone: 'Asia/Kathmandu' }, '2026-01-01T21:15:00+05:45', 'Thursday'],
    [{ time_zone: 'UTC' }, '2026-01-01T15:30:00+00:00', 'Thursday'],
  ])('know the time: %j', async (args, iso, weekday) => {
    const { result } = await (await one({ kind: 'current_time' })).call(args, options);
    expect(result).toMatchObject({ iso, weekday });
  });

  it('know no time of places that are none', async () => {
    const { failed, text } = await (await one({ kind: 'current_time' })).call({ time_zone: 'Mars/Olympus' }, options);
    expect([failed, text]).toEqual([true, expect.stringContaining('Asia/Seoul')]);
  });

  it('read documents of the message, part by part', async () => {
    const tool = await one({ kind: 'parse_document' });
    expect(tool.description).toContain('"leave.hwp", "pay.pdf"');
    const first = await tool.call({ file: 'leave.hwp' }, options);
    const next = Number(/go on with start (\d+)/.exec(first.text)?.[1]);
    expect(first.text.length).toBeLessThanOrEqual(MAX_TEXT_LENGTH);
    const rest = await tool.call({ file: 'id of leave.hwp', start: String(next) }, options);
    expect(rest.text).toBe('가'.repeat(MAX_TEXT_LENGTH + 1_000 - next));
    expect(rest.result).toMatchObject({ name: 'leave.hwp', pages: 3, start: next });
    expect((await tool.call({}, options)).text).toContain('there are "leave.hwp", "pay.pdf"');
    expect((await tool.call({ file: 'other' }, options)).failed).toBe(true);
    expect((await tool.call({ file: 'pay.pdf' }, options)).text).toContain('ENCRYPTED');
    const none = await one({ kind: 'parse_document' }, []);
    expect((await none.call({}, options)).text).toBe('No document came with the message');
    const only = await one({ kind: 'parse_document' }, [file('leave.hwp')]);
    expect((await only.call({}, options)).failed).toBe(false);
  });
});

describe('the writer of documents', () => {
  const template = { id: 'e'.repeat(32), name: '서식.hwpx', media_type: 'application/hwp+zip', size: 1 };

  it('gives a file of the kind that its name says', async () => {
    const tool = await one({ kind: 'write_document' });
    const { text, files, result } = await tool.call({ name: '보고서.hwpx', content: '# 개요' }, options);
    expect(text).toBe('The file "보고서.hwpx" was written.');
    expect(files).toMatchObject([{ name: '보고서.hwpx', mediaType: 'application/hwp+zip' }]);
    expect(files?.[0]?.bytes.toString('latin1', 30, 38)).toBe('mimetype');
    expect(result).toMatchObject({ name: '보고서.hwpx', unfilled: [] });
    expect((await tool.call({ name: 'a', content: 'b' }, options)).files?.[0]?.name).toBe('a.docx');
  });

  it('says what is missing, and why a template can not be filled', async () => {
    const tool = await one({ kind: 'write_document' }, [template]);
    expect(tool.description).toContain('"서식.hwpx"');
    expect(await tool.call({ name: 'a.docx' }, options)).toMatchObject({
      failed: true,
      text: expect.stringContaining('content'),
    });
    expect(await tool.call({ name: 'a', template: '없음' }, options)).toMatchObject({
      failed: true,
      text: expect.stringContaining('"서식.hwpx"'),
    });
    expect(await tool.call({ name: 'a', template: '서식.hwpx', data: {} }, options)).toMatchObject({
      failed: true,
      text: expect.stringContaining('DOCX or HWPX'),
    });
  });
});
