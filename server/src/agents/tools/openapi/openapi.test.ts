import { type IncomingHttpHeaders, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { createGuardedRequest } from '../../../net-guard/index.ts';
import { checkArguments } from '../arguments.ts';
import { MAX_TEXT_LENGTH } from '../tool.ts';
import { callOperation } from './call.ts';
import { EncodeError, encodeRequest } from './encode.ts';
import { type HttpParameter, type HttpTool, readService } from './operations.ts';
import { covers } from '../../../../test/requirements.ts';

const parameter = (name: string, place: string, more: object = {}) => ({
  name,
  in: place,
  schema: { type: 'string' },
  ...more,
});

const description = {
  openapi: '3.0.3',
  info: { title: 'Staff', version: '1' },
  servers: [{ url: 'https://{host}/api/', variables: { host: { default: 'staff.example.kr' } } }],
  paths: {
    '/people/{id}': {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      get: {
        operationId: 'get person',
        summary: 'One person',
        description: 'With all that is known.',
        parameters: [parameter('fields', 'query', { schema: { type: 'array', items: { type: 'string' } } })],
      },
      put: {
        parameters: [
          parameter('id', 'query'),
          parameter('X-Reason', 'header', { required: true }),
          parameter('Authorization', 'header'),
          parameter('Idempotency-Key', 'header', { required: true }),
        ],
        requestBody: {
          required: true,
          content: { 'application/json; charset=utf-8': { schema: { $ref: '#/components/schemas/Person' } } },
        },
      },
      post: { requestBody: { required: true, content: { 'multipart/form-data': {} } } },
    },
    '/sign-in': {
      post: {
        operationId: 'sign_in',
        requestBody: { content: { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } } },
      },
    },
    '/lost/{a}': { get: {} },
  },
  components: {
    parameters: { Id: parameter('id', 'path', { required: true, description: 'Of the person' }) },
    schemas: {
      Person: {
        type: 'object',
        required: ['id', 'name'],
        properties: {
          id: { type: 'string', readOnly: true },
          name: { type: 'string', nullable: true, example: 'Kim' },
          age: { type: 'integer', minimum: 0, exclusiveMinimum: true },
          boss: { $ref: '#/components/schemas/Person' },
          team: { allOf: [{ $ref: '#/components/schemas/Team' }] },
        },
      },
      Team: {
        type: 'object',
        properties: { people: { type: 'array', items: { $ref: '#/components/schemas/Person' } } },
      },
    },
  },
};

describe('a description', () => {
  it.each([
    ['JSON', JSON.stringify(description)],
    ['YAML', stringify(description)],
  ])('in %s is read as tools', (_name, given) => {
    const { baseUrl, tools, leftOut } = readService(given);
    expect(baseUrl).toBe('https://staff.example.kr/api/');
    expect(tools.map(({ name }) => name)).toEqual(['get_person', 'put_people_id', 'sign_in']);
    expect(leftOut).toEqual(['POST /people/{id}', 'GET /lost/{a}']);
    const [get, put] = tools;
    expect(get?.description).toBe('One person\nWith all that is known.');
    expect(get?.parameters).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string', description: 'Of the person' },
        fields: { type: 'array', items: { type: 'string' } },
      },
      required: ['id'],
      additionalProperties: false,
    });
    const person = {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: ['string', 'null'] },
        age: { type: 'integer', exclusiveMinimum: 0 },
        boss: {},
        team: { allOf: [{ type: 'object', properties: { people: { type: 'array', items: {} } } }] },
      },
    };
    expect(put?.parameters['properties']).toEqual({
      id: { type: 'string', description: 'Of the person' },
      query_id: { type: 'string' },
      'X-Reason': { type: 'string' },
      body: person,
    });
    expect(put?.parameters['required']).toEqual(['id', 'X-Reason', 'body']);
  });

  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`/a${i}`, { get: {} }]));
  const wide = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [
      `S${i}`,
      {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 9 }, (_x, j) => [`p${j}`, { $ref: `#/components/schemas/S${i + 1}` }]),
        ),
      },
    ]),
  );
  const laughs = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...Array.from(
      'bcdefghij',
      (name, i) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefghi'[i]}`).join(',')}]`,
    ),
  ];
  it.each([
    ['of another kind', '{"swagger":"2.0"}', /Swagger 2/],
    ['without a version', '{"paths":{}}', /openapi: 3.0 or 3.1/],
    ['that is none', 'just text', /no OpenAPI description/],
    ['that is cut', '{"openapi":"3.1.0","pa', /no JSON/],
    ['of bad YAML', 'openapi: [3.1.0', /no YAML/],
    ['without operations', '{"openapi":"3.1.0","paths":{"/a":{}}}', /no operation/],
    ['of too many operations', JSON.stringify({ openapi: '3.1.0', paths: many(300) }), /more than 256/],
    ['that is nested too deeply', `{"openapi":"3.1.0","x":${'['.repeat(500)}${']'.repeat(500)}}`, /too deeply/],
    ['whose anchors grow', `openapi: 3.1.0\n${laughs.join('\n')}`, /no YAML/],
    ['whose anchor holds itself', 'openapi: 3.1.0\na: &a [*a, *a]', /no YAML|too deeply/],
    ['that is deep in YAML', `openapi: 3.1.0\na: ${'['.repeat(5_000)}`, /no YAML|too deeply/],
  ])('%s is refused', (_name, given, message) => {
    expect(() => readService(given)).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'description' }),
    );
    expect(() => readService(given)).toThrow(message);
  });

  it('whose schemas grow without end is left open where it does', () => {
    covers('agents.tools.large');
    const bomb = {
      openapi: '3.1.0',
      paths: {
        '/a': {
          post: { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } } } },
        },
      },
      components: { schemas: wide },
    };
    const { tools, leftOut } = readService(JSON.stringify(bomb));
    expect(tools.length + leftOut.length).toBe(1);
    expect(JSON.stringify(tools).length).toBeLessThan(100_000);
    const round = { ...bomb, components: { schemas: { S0: { $ref: '#/components/schemas/S0' } } } };
    expect(readService(JSON.stringify(round)).tools[0]?.parameters['properties']).toEqual({ body: {} });
  });
});

describe('arguments of an operation', () => {
  const written = (path: string, given: Partial<HttpParameter>, value: unknown) => {
    const one = {
      argument: 'a',
      name: 'a',
      in: 'query',
      style: 'form',
      explode: true,
      json: false,
      allowReserved: false,
      ...given,
    } as const;
    const { path: filled, query, headers } = encodeRequest({ path, parameters: [one], body: null }, { a: value });
    return { path: filled, query, headers };
  };
  const list = ['blue', 'bl ack'];
  const object = { R: 100, 'G&': 'x y' };
  it.each([
    [{}, '한글 &=+/?#', 'a=%ED%95%9C%EA%B8%80%20%26%3D%2B%2F%3F%23'],
    [{}, list, 'a=blue&a=bl%20ack'],
    [{ explode: false }, list, 'a=blue,bl%20ack'],
    [{ explode: false, style: 'spaceDelimited' }, list, 'a=blue%20bl%20ack'],
    [{ explode: false, style: 'pipeDelimited' }, list, 'a=blue%7Cbl%20ack'],
    [{}, object, 'R=100&G%26=x%20y'],
    [{ explode: false }, object, 'a=R,100,G%26,x%20y'],
    [{ style: 'deepObject' }, object, 'a%5BR%5D=100&a%5BG%26%5D=x%20y'],
    [{ json: true }, object, 'a=%7B%22R%22%3A100%2C%22G%26%22%3A%22x%20y%22%7D'],
    [{ allowReserved: true }, 'a/b?c=d&e#f', 'a=a/b?c=d%26e%23f'],
    [{}, true, 'a=true'],
    [{}, null, 'a='],
  ])('%j %j stand in the query as %s', (given, value, expected) => {
    expect(written('/x', given, value).query).toBe(expected);
  });

  it.each([
    [{ style: 'simple', explode: false }, 'a/b', '/x/a%2Fb/y'],
    [{ style: 'simple', explode: false }, list, '/x/blue,bl%20ack/y'],
    [{ style: 'simple', explode: true }, object, '/x/R=100,G%26=x%20y/y'],
    [{ style: 'label', explode: true }, list, '/x/.blue.bl%20ack/y'],
    [{ style: 'matrix', explode: true }, list, '/x/;a=blue;a=bl%20ack/y'],
    [{ style: 'matrix', explode: false }, 5, '/x/;a=5/y'],
    [{ style: 'simple', explode: false }, '%2e%2e', '/x/%252e%252e/y'],
  ])('%j %j stand in the path as %s', (given, value, expected) => {
    expect(written('/x/{a}/y', { in: 'path', ...given }, value).path).toBe(expected);
  });

  it.each(['..', '.', ''])('%j does not lead to another path', (value) => {
    expect(() => written('/x/{a}/y', { in: 'path', style: 'simple' }, value)).toThrow(EncodeError);
  });

  it('stand in headers and cookies, which they cannot end', () => {
    expect(written('/x', { in: 'header', style: 'simple' }, ['a', 'b']).headers).toEqual({ a: 'a,b' });
    expect(written('/x', { in: 'cookie' }, 'a; b=c').headers).toEqual({ cookie: 'a=a%3B%20b%3Dc' });
    expect(() => written('/x', { in: 'header' }, 'a\r\nx: y')).toThrow(EncodeError);
  });
});

describe('a service', () => {
  let server: Server;
  let baseUrl = '';
  let seen: { url: string; method: string; headers: IncomingHttpHeaders; body: string }[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      void text(request).then((body) => {
        const url = request.url ?? '';
        seen.push({ url, method: request.method ?? '', headers: request.headers, body });
        const type = (contentType: string) => response.setHeader('content-type', contentType);
        if (url.includes('/large')) {
          type('application/json');
          return void response.end(JSON.stringify({ items: [{ text: 'x'.repeat(10_000_000) }] }));
        }
        if (url.includes('/picture')) return void type('image/png').end(Buffer.alloc(10));
        if (url.includes('/export')) {
          response.setHeader(
            'content-disposition',
            'attachment; filename="x.csv"; filename*=UTF-8\'\'%EB%AA%85%EB%8B%A8.csv',
          );
          return void type('text/csv').end('a,b');
        }
        if (url.includes('/film')) return void type('video/mp4').end(Buffer.alloc(9 * 1024 * 1024));
        if (url.includes('/korean')) return void type('text/plain; charset=euc-kr').end(Buffer.from([0xb0, 0xa1]));
        if (url.includes('/nothing')) return void response.writeHead(204).end();
        if (url.includes('/away')) return void response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
        if (url.includes('/fails')) return void response.writeHead(422).end('the name is taken');
        return void type('application/json; charset=utf-8').end(JSON.stringify({ name: '김' }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    seen = [];
  });

  const never = new AbortController().signal;
  const request = createGuardedRequest({ allow: ['127.0.0.1'] });
  const options = { signal: never, idempotencyKey: 'run/step/1' };
  const call = (tool: HttpTool | undefined, args: object) => {
    const checked = checkArguments(tool?.parameters ?? {}, args);
    if (!tool || !checked.ok) throw new Error('not well');
    return callOperation(
      { request, baseUrl, headers: { authorization: 'Bearer s3cret' } },
      tool.operation,
      checked.value,
      options,
    );
  };
  const get = (path: string) =>
    callOperation({ request, baseUrl, headers: {} }, { method: 'GET', path, parameters: [], body: null }, {}, options);

  it('is called as it is described', async () => {
    covers('agents.tools.openapi');
    const [person, put, signIn] = readService(JSON.stringify(description)).tools;
    expect(await call(person, { id: 'a/b', fields: ['x', 'y'] })).toEqual({
      failed: false,
      text: '{"name":"김"}',
      result: { name: '김' },
    });
    await call(put, { id: '1', query_id: '2', 'X-Reason': 'a new name', body: { name: '김' } });
    await call(signIn, { body: { user: 'a b', 역할: ['x', 'y'] } });
    expect(seen).toMatchObject([
      { method: 'GET', url: '/api/people/a%2Fb?fields=x&fields=y', body: '' },
      {
        method: 'PUT',
        url: '/api/people/1?id=2',
        headers: { 'x-reason': 'a new name', 'content-type': 'application/json' },
        body: '{"name":"김"}',
      },
      { method: 'POST', url: '/api/sign-in', body: 'user=a+b&%EC%97%AD%ED%95%A0=x&%EC%97%AD%ED%95%A0=y' },
    ]);
    for (const { headers } of seen)
      expect(headers).toMatchObject({ authorization: 'Bearer s3cret', 'idempotency-key': 'run/step/1' });
  });

  it('may give texts of any kind, and much', async () => {
    const large = await get('/large');
    expect(large.text.length).toBeLessThanOrEqual(MAX_TEXT_LENGTH);
    expect(large.text).toMatch(/\[Cut: /);
    expect(large.failed).toBe(false);
    expect(await get('/picture')).toMatchObject({
      text: '[image/png, 10 bytes; not shown]',
      files: [{ name: 'picture.png', mediaType: 'image/png', bytes: Buffer.alloc(10) }],
    });
    expect(await get('/export')).toMatchObject({
      text: 'a,b',
      files: [{ name: '명단.csv', mediaType: 'text/csv', bytes: Buffer.from('a,b') }],
    });
    const film = await get('/film');
    expect(film.text).toBe('[video/mp4, 8,388,608 bytes and more; not shown]');
    expect(film.files).toBeUndefined();
    expect((await get('/korean')).text).toBe('가');
    expect(await get('/nothing')).toMatchObject({ failed: false, text: expect.stringContaining('204') });
  });

  it('that fails is told of', async () => {
    expect(await get('/fails')).toEqual({
      failed: true,
      result: null,
      text: 'The service answered with status 422: the name is taken',
    });
    await expect(get('/away')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('another address'),
    });
    const closed = { request: createGuardedRequest({ allow: [] }), baseUrl, headers: {} };
    const operation = { method: 'GET', path: '/x', parameters: [], body: null } as const;
    seen = [];
    await expect(callOperation(closed, operation, {}, options)).rejects.toMatchObject({ code: 'unavailable' });
    expect(
      await callOperation({ ...closed, baseUrl: 'https://a.test' }, { ...operation, path: '@b.test/' }, {}, options),
    ).toMatchObject({
      failed: true,
    });
    expect(seen).toEqual([]);
  });
});
