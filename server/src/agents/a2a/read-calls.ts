import {
  DeletePush03,
  GetPush03,
  type PushConfig03,
  Resubscribe03,
  SendParams03,
  SetPush03,
  TaskById03,
  TaskQuery03,
} from '@ai-studio/contract/a2a/v03.ts';
import {
  CreatePush10,
  GetTask10,
  ListPush10,
  ListTasks10,
  type PushConfig10,
  PushById10,
  SendParams10,
  TaskById10,
  taskStates10,
} from '@ai-studio/contract/a2a/v10.ts';
import { runStates } from '@ai-studio/contract/agents/run.ts';
import { explain } from '@ai-studio/contract/explain.ts';
import { z } from 'zod';
import type { A2aCall, ListCall, PushConfigInput, SendCall } from './calls.ts';
import { messageOf, piece03, piece10 } from './content.ts';
import { A2aError } from './errors.ts';
import { ignoredParams } from './ignored-fields.ts';
import { parseStreamPosition } from './stream-position.ts';
import type { A2aEnvelope } from './envelope.ts';

// Parameters of each method, read and checked.

const MAX_TASKS = 50;

/** Reads parameters by their form. Throws A2aError `params` that names the field. */
type Read = <S extends z.ZodType>(schema: S, params: unknown) => z.infer<S>;

/** Fields of metadata that mean something, by the form of the parameters. */
const understood: ReadonlyMap<z.ZodType, readonly string[]> = new Map<z.ZodType, readonly string[]>([
  [SendParams03, ['chat_session_id']],
  [SendParams10, ['chat_session_id']],
  [Resubscribe03, ['last_event_id']],
]);

/** The card takes none. */
const NoParams = z.object({});

/** A reader that adds the paths of the fields which it leaves out to a list. */
const createRead =
  (ignored: string[]): Read =>
  (schema, params) => {
    const value = params ?? {};
    const done = schema.safeParse(value);
    if (!done.success) {
      const { param, message } = explain(done.error, value);
      throw new A2aError('params', param === null ? `params: ${message}` : `params.${message}`);
    }
    for (const path of ignoredParams(value, done.data, understood.get(schema) ?? [])) ignored.push(path);
    return done.data;
  };

function push03(config: z.infer<typeof PushConfig03>): PushConfigInput {
  const { id = null, url, token = null, authentication } = config;
  const scheme = authentication?.schemes[0];
  return {
    id,
    url,
    token,
    authentication: scheme === undefined ? null : { scheme, credentials: authentication?.credentials ?? null },
  };
}

function push10({ id, url, token, authentication }: z.infer<typeof PushConfig10>): PushConfigInput {
  return {
    // An empty text is what ProtoJSON has for none.
    id: id === '' ? null : (id ?? null),
    url,
    token: token === '' ? null : (token ?? null),
    authentication: authentication
      ? { scheme: authentication.scheme, credentials: authentication.credentials ?? null }
      : null,
  };
}

function send03(read: Read, params: unknown): SendCall {
  const { message, configuration, metadata } = read(SendParams03, params);
  const sessionId = metadata?.chat_session_id ?? null;
  const { messageId: id } = message;
  const [taskId, contextId] = [given(message.taskId), given(message.contextId)];
  return {
    message: messageOf({ id, taskId, contextId, sessionId }, message.parts.map(piece03)),
    sessionId,
    atOnce: configuration?.blocking === false,
    historyLength: configuration?.historyLength ?? null,
    outputModes: configuration?.acceptedOutputModes ?? null,
    push: configuration?.pushNotificationConfig ? push03(configuration.pushNotificationConfig) : null,
  };
}

const given = (text: string | null | undefined) => (text === '' ? null : (text ?? null));

function send10(read: Read, params: unknown): SendCall {
  const { message, configuration, metadata } = read(SendParams10, params);
  const sessionId = metadata?.chat_session_id ?? null;
  const head = { id: message.messageId, taskId: given(message.taskId), contextId: given(message.contextId), sessionId };
  return {
    message: messageOf(head, message.parts.map(piece10)),
    sessionId,
    atOnce: configuration?.returnImmediately === true,
    historyLength: configuration?.historyLength ?? null,
    outputModes: configuration?.acceptedOutputModes ?? null,
    push: configuration?.taskPushNotificationConfig ? push10(configuration.taskPushNotificationConfig) : null,
  };
}

function list10(read: Read, params: unknown): ListCall {
  const { contextId, status, pageSize, pageToken, historyLength, statusTimestampAfter, includeArtifacts } = read(
    ListTasks10,
    params,
  );
  const asked = status === 'TASK_STATE_UNSPECIFIED' ? null : (status ?? null);
  return {
    contextId: given(contextId),
    state: asked === null ? null : (runStates.find((state) => taskStates10[state] === asked) ?? 'none'),
    size: pageSize ?? MAX_TASKS,
    after: given(pageToken),
    changedSince: statusTimestampAfter ? new Date(statusTimestampAfter) : null,
    historyLength: historyLength ?? null,
    artifacts: includeArtifacts ?? false,
  };
}

function read03(read: Read, { verb, params }: A2aEnvelope): A2aCall {
  switch (verb) {
    case 'send':
    case 'stream':
      return { verb, ...send03(read, params) };
    case 'get': {
      const { id, historyLength = null } = read(TaskQuery03, params);
      return { verb, taskId: id, historyLength };
    }
    case 'cancel':
      return { verb, taskId: read(TaskById03, params).id };
    case 'subscribe': {
      const { id, metadata } = read(Resubscribe03, params);
      const after = metadata?.last_event_id ?? null;
      return { verb, taskId: id, after: after === null ? null : parseStreamPosition(String(after)) };
    }
    case 'push-set': {
      const { taskId, pushNotificationConfig } = read(SetPush03, params);
      return { verb, taskId, push: push03(pushNotificationConfig) };
    }
    case 'push-get': {
      const { id, pushNotificationConfigId } = read(GetPush03, params);
      return { verb, taskId: id, configId: pushNotificationConfigId ?? null };
    }
    case 'push-list':
      return { verb, taskId: read(TaskById03, params).id };
    case 'push-delete': {
      const { id, pushNotificationConfigId } = read(DeletePush03, params);
      return { verb, taskId: id, configId: pushNotificationConfigId };
    }
    case 'card':
      read(NoParams, params);
      return { verb };
    case 'list':
      throw new A2aError('method', 'A2A 0.3 has no list of tasks');
  }
}

function read10(read: Read, { verb, params }: A2aEnvelope): A2aCall {
  switch (verb) {
    case 'send':
    case 'stream':
      return { verb, ...send10(read, params) };
    case 'get': {
      const { id, historyLength = null } = read(GetTask10, params);
      return { verb, taskId: id, historyLength };
    }
    case 'list':
      return { verb, ...list10(read, params) };
    case 'cancel':
      return { verb, taskId: read(TaskById10, params).id };
    case 'subscribe':
      return { verb, taskId: read(TaskById10, params).id, after: null };
    case 'push-set': {
      const { taskId, ...config } = read(CreatePush10, params);
      return { verb, taskId, push: push10(config) };
    }
    case 'push-get':
    case 'push-delete': {
      const { taskId, id } = read(PushById10, params);
      return { verb, taskId, configId: id };
    }
    case 'push-list':
      return { verb, taskId: read(ListPush10, params).taskId };
    case 'card':
      read(NoParams, params);
      return { verb };
  }
}

/** Fields whose content is the caller's own. */
const opaque: ReadonlySet<string> = new Set(['metadata', 'data', 'header']);

/**
 * Parameters by the names that ProtoJSON writes. Readers of it take the names of the schema (`task_id`) as well. Source: the JSON mapping of
 * Protocol Buffers.
 */
function withJsonNames(value: unknown, depth = 0): unknown {
  // Nothing that is known lies deeper.
  if (typeof value !== 'object' || value === null || depth > 8) return value;
  if (Array.isArray(value)) return value.map((one) => withJsonNames(one, depth + 1));
  const entries = Object.entries(value).map(([name, one]): [string, unknown] => {
    const jsonName = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return [
      jsonName !== name && jsonName in value ? name : jsonName,
      opaque.has(name) ? one : withJsonNames(one, depth + 1),
    ];
  });
  return Object.fromEntries(entries);
}

/** What a request asks for, and the paths of its fields that are left out. */
export interface ReadCall {
  readonly call: A2aCall;
  readonly ignored: readonly string[];
}

/** Reads what a request asks for. Throws A2aError `params`. */
export function readCall(envelope: A2aEnvelope): ReadCall {
  const { params, form, door, unknownFields } = envelope;
  if (params !== undefined && params !== null && (typeof params !== 'object' || Array.isArray(params)))
    throw new A2aError('params', 'params must be an object');
  const ignored = [...unknownFields];
  const read = createRead(ignored);
  if (form === '0.3') return { call: read03(read, envelope), ignored };
  const named = door === 'interface' ? params : withJsonNames(params);
  return { call: read10(read, { ...envelope, params: named }), ignored };
}
