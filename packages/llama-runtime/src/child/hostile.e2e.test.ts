import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningChild, startTestChild } from '../../test/running-child.ts';
import { END, writeTinyModel } from './tiny-model.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'llama-hostile-'));
const CHAT = '/v1/chat/completions';

/** A file whose template does harm where it is told to, as one that somebody made to hurt. */
const template = `{%- set ns = namespace(text='ab', list=[1]) -%}
{%- if harm == 'memory' -%}{%- for i in range(99) -%}{%- set ns.text = ns.text ~ ns.text -%}{%- endfor -%}{{ ns.text }}
{%- elif harm == 'range' -%}{%- for i in range(4000000000) -%}x{%- endfor -%}
{%- elif harm == 'lists' -%}{%- for i in range(99) -%}{%- set ns.list = ns.list + ns.list -%}{%- endfor -%}
{%- elif harm == 'keep' -%}{%- for i in range(20) -%}{%- set ns.text = ns.text ~ ns.text -%}{%- endfor -%}{%- for i in range(99999) -%}{%- set ns.list = ns.list + [(ns.text ~ i) | upper] -%}{%- endfor -%}
{%- elif harm == 'time' -%}{%- for i in range(99999) -%}{%- for j in range(99999) -%}{%- endfor -%}{%- endfor -%}
{%- endif -%}<hi>`;

let child: RunningChild;
beforeAll(async () => {
  const tokens = ['<hi>', 'Hello'].map((name) => ({ name }));
  const path = writeTinyModel(join(folder, 'hostile.gguf'), {
    tokens,
    chain: { '<hi>': 'Hello', Hello: END },
    template,
  });
  child = await startTestChild(path);
});
afterAll(async () => {
  await child.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a file with a hostile template', () => {
  const ask = (harm: string) => ({
    messages: [{ role: 'user', content: 'x' }],
    chat_template_kwargs: { harm },
    temperature: 0,
  });

  test.each([
    ['memory', /cannot be used/],
    ['range', /cannot be used/],
    ['lists', /cannot be used/],
    // Which of its limits it meets first depends on the machine.
    ['keep', /cannot be used|takes too long/],
    ['time', /cannot be used|takes too long/],
  ])('(%s) is a 400 that says so, and the next request is answered by the same process', async (harm, message) => {
    const { status, body } = await child.post(CHAT, ask(harm));
    expect(status).toBe(400);
    expect(body.error.message).toMatch(message);
    const next = await child.post(CHAT, ask('none'));
    expect(next.body.choices[0].message.content).toBe('Hello');
    expect(child.process.exitCode).toBeNull();
  });

  test('lives in a process whose heap has a limit', () => {
    expect(child.process.spawnargs).toContain('--max-old-space-size=1024');
  });
});
