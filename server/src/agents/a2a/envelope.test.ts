import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { anyText } from '../../../test/support/any-text.ts';
import { openEnvelope, type Opened } from './envelope.ts';
import { describeError } from './errors.ts';
import { formOfVersion } from './form.ts';

const open = (body: unknown, named: '0.3' | '1.0' = '0.3'): Opened =>
  openEnvelope(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), named);
const request = (fields: object = {}) => ({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: {}, ...fields });

/** Code and id of a request that is refused. */
function refused(opened: Opened): { readonly kind: string; readonly id: string; readonly detail: string } {
  if (opened.ok) throw new Error('it was taken');
  return { kind: opened.error.kind, id: opened.tag.id, detail: opened.error.message };
}

describe('requests of JSON-RPC', () => {
  test('their ids are kept as they were written', () => {
    for (const id of ['"7"', '7', '""', '-1', '0', '1.5', '12345678901234567890', '1e400', '0.10', '"한글\\n"']) {
      const opened = open(`{"params":{"id":3,"list":[{"id":4}]},"jsonrpc":"2.0","id":${id},"method":"tasks/get"}`);
      const written = opened.ok ? opened.envelope.id : '';
      expect(JSON.parse(written), id).toEqual(JSON.parse(id));
      if (!id.startsWith('"') && !Number.isSafeInteger(Number(id))) expect(written).toBe(id);
    }
  });

  test('the last id counts, and only its own place is read again', () => {
    const data = `{"id":1,"list":[${'{"id":2},'.repeat(5_000)}0]}`;
    const parse = vi.spyOn(JSON, 'parse');
    const opened = open(`{"id":1.25,"params":${data},"jsonrpc":"2.0","i\\u0064":1e400 ,"method":"tasks/get"}`);
    const parsed = parse.mock.calls.map(([text]) => text.length);
    parse.mockRestore();
    expect(opened.ok && opened.envelope.id).toBe('1e400');
    expect(parsed.filter((length) => length > 100)).toHaveLength(1);
  });

  test('one of too many values is refused before it is parsed', () => {
    const body = (values: number) => JSON.stringify(request({ params: Array.from({ length: values }, () => 0) }));
    expect(open(body(99_000)).ok).toBe(true);
    const many = body(101_000);
    const parse = vi.spyOn(JSON, 'parse');
    const told = refused(open(many));
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
    expect(told).toEqual({ kind: 'request', id: 'null', detail: 'The body holds more than 100000 values' });
  });

  test('any string is echoed', () => {
    fc.assert(
      fc.property(anyText(), (id) => {
        const opened = open(request({ id }));
        expect(opened.ok && JSON.parse(opened.envelope.id)).toBe(id);
      }),
    );
  });

  test('what is no JSON, no request, or several at once', () => {
    expect(refused(open('{')).kind).toBe('parse');
    expect(refused(open('')).kind).toBe('parse');
    expect(refused(openEnvelope(Buffer.from([0x22, 0xff, 0x22]), '0.3')).kind).toBe('parse');
    for (const body of ['null', '1', '"x"', [], [request()]]) expect(refused(open(body)).kind).toBe('request');
    expect(refused(open('null')).detail).toBe('invalid JSON-RPC format');
  });

  test('jsonrpc, id and method are needed, and the id is told where there is one', () => {
    for (const jsonrpc of [undefined, '1.0', 2, null]) {
      expect(refused(open(request({ jsonrpc })))).toMatchObject({ kind: 'request', id: '1' });
    }
    for (const id of [undefined, null, true, {}, []])
      expect(refused(open(request({ id })))).toMatchObject({ kind: 'request', id: 'null' });
    for (const method of [undefined, null, 1, ''])
      expect(refused(open(request({ id: 'a', method })))).toMatchObject({ kind: 'request', id: '"a"' });
    expect(refused(open(request({ method: 'tasks/nothing' })))).toMatchObject({ kind: 'method', id: '1' });
  });

  test('the form is that of the version, or of a 1.0 method name', () => {
    const formOf = (opened: Opened) => (opened.ok ? opened.envelope.form : opened.tag.form);
    expect(formOf(open(request({ method: 'message/send' })))).toBe('0.3');
    expect(formOf(open(request({ method: 'SendMessage' })))).toBe('1.0');
    expect(formOf(open(request({ method: 'message/send' }), '1.0'))).toBe('1.0');
    expect(refused(open(request({ method: 'message/send' }), '1.0')).kind).toBe('method');
    expect(['', '0.3', '0.3.0', '1.0', '1.0.1'].map(formOfVersion)).toEqual(['0.3', '0.3', '0.3', '1.0', '1.0']);
    expect(['0.2', '1.1', '2.0', '1', 'x', '0.3.x'].map(formOfVersion)).toEqual(Array(6).fill(null));
  });

  test('failures are told with detail, or as a list of ErrorInfo', () => {
    const opened = open('null');
    if (opened.ok) throw new Error('it was taken');
    expect(describeError({ form: '0.3', door: 'interface' }, opened.error)).toEqual({
      status: 400,
      error: { code: -32600, message: 'Invalid Request', data: { detail: 'invalid JSON-RPC format' } },
    });
    expect(describeError({ form: '1.0', door: 'interface' }, opened.error)).toEqual({
      status: 200,
      error: {
        code: -32600,
        message: 'Invalid Request',
        data: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'INVALID_REQUEST',
            domain: 'a2a-protocol.org',
            metadata: { detail: 'invalid JSON-RPC format' },
          },
        ],
      },
    });
  });
});
