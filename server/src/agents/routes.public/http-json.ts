import { A2aQuery } from '@ai-studio/contract/a2a/v03.ts';
import {
  A2aHttpError,
  A2aTask10,
  ExtendedCard10,
  HttpPush10,
  HttpPushes10,
  HttpSend10,
  ListTasksQuery10,
  PlainA2aEvent,
  SendReply10,
  TaskPage10,
  TaskQuery10,
} from '@ai-studio/contract/a2a/plain.ts';
import type { FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../kernel/errors.ts';
import { bytesRoute, type PublicRoute, type WireForm } from '../../http-kit/public-route.ts';
import { type A2aVerb, openHttpJson } from '../index.ts';
import { AGENTS_PATH, SLUG_PARAM } from './address.ts';
import {
  type A2aRouteDeps,
  answer,
  bodyOf,
  letIn,
  type OpenRequest,
  type RenderFailure,
  type StateOf,
} from './calls.ts';

interface Operation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As Fastify writes it, below the address that cards name. */
  readonly path: string;
  readonly verb: A2aVerb;
  readonly summary: string;
  readonly description: string;
  readonly body?: WireForm;
  readonly example?: object;
  readonly query?: WireForm;
  readonly reply?: WireForm;
  readonly stream?: WireForm;
  /** Beyond those of every route. */
  readonly errors?: readonly ErrorCode[];
}

const TASK = '/tasks/:task_id(^[^:]+)';
const PUSH = '/tasks/:task_id/pushNotificationConfigs';
const example = {
  message: {
    role: 'ROLE_USER',
    messageId: '7f9c24e8-3b12-4fef-91d0-6a8b1d3c5e70',
    parts: [{ text: '연차 휴가는 며칠인가요?' }],
  },
};
const subscribed = {
  path: `${TASK}::subscribe`,
  verb: 'subscribe',
  summary: 'Subscribe to a task (A2A)',
  description:
    'The task as it stands, then what comes. Of a task that waits for an answer the stream stays open. `Last-Event-ID` goes on after an event.',
  stream: { PlainA2aEvent },
} as const;

/** Source: A2A 1.0, section 11.3. */
const operations: readonly Operation[] = [
  {
    method: 'POST',
    path: '/message::send',
    verb: 'send',
    summary: 'Send a message (A2A)',
    description: 'Answers the task once it has ended or asks, or at once with `configuration.returnImmediately`.',
    body: { HttpSend10 },
    example,
    reply: { SendReply10 },
  },
  {
    method: 'POST',
    path: '/message::stream',
    verb: 'stream',
    summary: 'Send a message and stream the answer (A2A)',
    description: 'Events: the task, pieces of its artifact, and at the end the whole task.',
    body: { HttpSend10 },
    example,
    stream: { PlainA2aEvent },
  },
  {
    method: 'GET',
    path: '/tasks',
    verb: 'list',
    summary: 'List tasks (A2A)',
    description: 'Tasks of the agent by the time of their state, the newest first, by pages.',
    query: { ListTasksQuery10 },
    reply: { TaskPage10 },
  },
  {
    method: 'GET',
    path: '/tasks/:task_id',
    verb: 'get',
    summary: 'A task (A2A)',
    description: 'A task as it stands.',
    query: { TaskQuery10 },
    reply: { A2aTask10 },
  },
  {
    method: 'POST',
    path: `${TASK}::cancel`,
    verb: 'cancel',
    summary: 'Cancel a task (A2A)',
    description: 'Stops a task, in the middle of a word too.',
    reply: { A2aTask10 },
    errors: ['conflict'],
  },
  { method: 'POST', ...subscribed },
  { method: 'GET', ...subscribed },
  {
    method: 'POST',
    path: PUSH,
    verb: 'push-set',
    summary: 'Tell an address of a task (A2A)',
    description: 'Adds an address that is told when the agent asks and when the task has ended.',
    body: { HttpPush10 },
    example: { url: 'https://example.kr/hook', token: 'my-own' },
    reply: { HttpPush10 },
  },
  {
    method: 'GET',
    path: PUSH,
    verb: 'push-list',
    summary: 'Addresses that are told of a task (A2A)',
    description: 'All of them, without credentials.',
    reply: { HttpPushes10 },
  },
  {
    method: 'GET',
    path: `${PUSH}/:config_id`,
    verb: 'push-get',
    summary: 'An address that is told of a task (A2A)',
    description: 'One of them, without credentials.',
    reply: { HttpPush10 },
  },
  {
    method: 'DELETE',
    path: `${PUSH}/:config_id`,
    verb: 'push-delete',
    summary: 'Take an address away (A2A)',
    description: 'It is not told any more. One that is gone already is no error.',
  },
  {
    method: 'GET',
    path: '/extendedAgentCard',
    verb: 'card',
    summary: 'Extended card of an agent (A2A)',
    description: 'The card with examples and the greeting.',
    reply: { ExtendedCard10 },
  },
];

const paramNames: Readonly<Record<string, string>> = {
  ...SLUG_PARAM,
  task_id: 'Id of a task of the agent',
  config_id: 'Id of the address, as it was given or made',
};

const opener =
  ({ verb, method, body }: Operation): OpenRequest =>
  (request: FastifyRequest, form) =>
    openHttpJson({
      verb,
      form,
      method: `${method} ${verb}`,
      body: body === undefined ? null : bodyOf(request),
      params: request.params as Readonly<Record<string, string>>,
      query: request.query as Readonly<Record<string, unknown>>,
    });

/** A2A 1.0 over HTTP+JSON, at the address that cards name. */
export const httpJsonRoutes = (
  deps: A2aRouteDeps,
  stateOf: StateOf,
  renderFailure: RenderFailure,
): readonly PublicRoute[] =>
  operations.map((operation) => {
    const { verb: _verb, path, query, body, ...described } = operation;
    const open = opener(operation);
    const names = [...path.matchAll(/(?<!:):(\w+)/g)].map(([, name = '']) => name);
    return bytesRoute({
      ...described,
      ...(body === undefined ? {} : { body }),
      query: query ?? { A2aQuery },
      access: 'agents',
      tag: 'Agents',
      path: `${AGENTS_PATH}/:slug/a2a/v1${path}`,
      params: Object.fromEntries(['slug', ...names].map((name) => [name, paramNames[name] ?? ''])),
      failure: { A2aHttpError },
      renderFailure,
      maxBytes: deps.maxBytes,
      enter: (request, reply) => letIn(deps, stateOf(request), request, reply, { hasBody: body !== undefined }),
      handle: (request, reply) => answer(deps, stateOf(request), request, reply, open),
    });
  });
