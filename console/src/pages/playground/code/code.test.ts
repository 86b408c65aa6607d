import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { requestBody, standardSettings } from '../request.ts';
import { curlCode, javascriptCode, pythonCode } from './code.ts';

const base = "http://127.0.0.1:8080/it's/v1";
const body = requestBody(
  { ...standardSettings('CORE-GOV-THINK'), temperature: 0.5, templateKeys: { force_reasoning: true } },
  [{ role: 'user', content: `그건 "무엇"입니까? it's $HOME \`x\` \\ {}\n` }],
);

test('the shell gives curl the very bytes of the body', () => {
  const script = curlCode(base, body).replace(/^curl /, "printf '%s\\n' ");
  const said = execFileSync('/bin/sh', ['-c', script], { env: { AI_STUDIO_KEY: 'k e y' } }).toString('utf8');
  const [, address, , header] = said.split('\n');
  expect(address).toBe(`${base}/chat/completions`);
  expect(header).toBe('Authorization: Bearer k e y');
  expect(JSON.parse(said.slice(said.indexOf('--data') + 7))).toEqual({ ...body, stream: true });
});

test('Python is told of what its package does not know apart', () => {
  const code = pythonCode(base, body);
  expect(code).toContain('    temperature=0.5,\n');
  expect(code).toContain('    extra_body={\n        "chat_template_kwargs": {\n            "force_reasoning": True,');
  expect(code).not.toMatch(/true|null/);
});

test('JavaScript holds the body as it is sent', () => {
  const found = /create\((\{.*?\n\})\)/s.exec(javascriptCode(base, body))?.[1] ?? '';
  expect(JSON.parse(found)).toEqual({ ...body, stream: true });
});
