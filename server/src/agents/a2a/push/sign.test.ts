import { createHash, createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSecretBox } from '../../../kernel/secret-box.ts';
import { createSigner } from './sign.ts';

const box = createSecretBox(Buffer.alloc(32, 7));
const now = () => Date.parse('2026-01-02T03:04:05Z');
const signer = createSigner(box, () => 'https://studio.example.kr', now);
const decode = (part: string | undefined) => JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as object;

test('a notification is signed by the key of the key set, for its receiver and its body', () => {
  const body = '{"id":"1"}';
  const jwt = signer.sign({ url: 'https://example.kr/hook', taskId: 't', body });
  const [head, claims, signature] = jwt.split('.');
  const [jwk] = signer.keySet.keys;
  if (jwk === undefined) throw new Error('no key');
  expect(jwk).not.toHaveProperty('d');
  expect(decode(head)).toEqual({ alg: 'EdDSA', typ: 'JWT', kid: jwk['kid'] });
  expect(decode(claims)).toEqual({
    iss: 'https://studio.example.kr',
    aud: 'https://example.kr/hook',
    iat: now() / 1000,
    exp: now() / 1000 + 300,
    jti: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    taskId: 't',
    request_body_sha256: createHash('sha256').update(body).digest('hex'),
  });
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
  const right = (text: string) => verify(null, Buffer.from(text), key, Buffer.from(signature ?? '', 'base64url'));
  expect(right(`${head}.${claims}`)).toBe(true);
  expect(right(`${head}.${claims}x`)).toBe(false);
});

test('every process of an installation has the same key, and another installation another one', () => {
  const again = createSigner(createSecretBox(Buffer.alloc(32, 7)), () => 'x', now);
  const other = createSigner(createSecretBox(Buffer.alloc(32, 8)), () => 'x', now);
  expect(again.keySet).toEqual(signer.keySet);
  expect(other.keySet.keys[0]?.['x']).not.toBe(signer.keySet.keys[0]?.['x']);
});
