import { z } from 'zod';
import { RpcId } from './rpc.ts';

// A2A 0.3 over JSON-RPC, as far as this service speaks it. Clients of several languages send null for what they leave out.

const Metadata = z.record(z.string(), z.unknown());

/** Text that no database could refuse. */
export const Plain = (longest: number) =>
  // oxlint-disable-next-line no-control-regex -- this is what is refused
  z
    .string()
    .max(longest)
    .regex(/^[^\u0000]*$/, 'Leave out the character U+0000');

const TextPart = z.object({ kind: z.literal('text'), text: z.string(), metadata: Metadata.nullish() });
const FilePart = z.object({
  kind: z.literal('file'),
  file: z
    .object({
      bytes: z.string().nullish().describe('Base64'),
      uri: z.string().nullish(),
      mimeType: z.string().max(200).nullish(),
      name: z.string().max(500).nullish(),
    })
    .refine(({ bytes, uri }) => (typeof bytes === 'string') !== (typeof uri === 'string'), {
      error: 'Give either bytes or uri',
    }),
  metadata: Metadata.nullish(),
});
const DataPart = z.object({ kind: z.literal('data'), data: Metadata, metadata: Metadata.nullish() });
export const Part03 = z.discriminatedUnion('kind', [TextPart, FilePart, DataPart]);
export type Part03 = z.infer<typeof Part03>;

const UserMessage = z.object({
  kind: z.literal('message'),
  role: z.literal('user'),
  messageId: Plain(200).min(1).describe('Unique; a UUID is recommended'),
  parts: z.array(Part03).min(1).max(1_000),
  taskId: Plain(200).nullish().describe('Of a task that waits for an answer (input-required)'),
  contextId: Plain(200).nullish().describe('Of an existing session'),
  metadata: Metadata.nullish(),
});

export const PushConfig03 = z.object({
  id: Plain(200).min(1).nullish(),
  url: Plain(2_000),
  token: Plain(2_000).nullish(),
  authentication: z
    .object({ schemes: z.array(z.string().max(100)).max(10), credentials: z.string().max(8_000).nullish() })
    .nullish(),
});

const Count = z.int().min(0).max(1_000_000);
/** Absent or null: a new session of type api. Source: interface 2.5. */
export const CallMetadata = z.looseObject({ chat_session_id: z.int().min(1).nullish() });

export const SendParams03 = z.object({
  message: UserMessage,
  configuration: z
    .object({
      blocking: z.boolean().nullish().describe('false: message/send answers at once'),
      historyLength: Count.nullish(),
      acceptedOutputModes: z.array(z.string().max(200)).max(100).nullish(),
      pushNotificationConfig: PushConfig03.nullish(),
    })
    .nullish(),
  metadata: CallMetadata.nullish(),
});

const TaskId = Plain(200).min(1);
export const TaskQuery03 = z.object({ id: TaskId, historyLength: Count.nullish() });
export const TaskById03 = z.object({ id: TaskId });
export const Resubscribe03 = z.object({
  id: TaskId,
  metadata: z
    .looseObject({ last_event_id: z.union([z.int().min(0), z.string().regex(/^q?\d{1,9}$/)]).nullish() })
    .nullish(),
});
export const SetPush03 = z.object({ taskId: TaskId, pushNotificationConfig: PushConfig03 });
export const GetPush03 = z.object({ id: TaskId, pushNotificationConfigId: Plain(200).min(1).nullish() });
export const DeletePush03 = z.object({ id: TaskId, pushNotificationConfigId: Plain(200).min(1) });

/** A whole request, for the description of the interface. */
export const A2aRequest = z.object({
  jsonrpc: z.literal('2.0'),
  id: RpcId,
  method: z
    .string()
    .describe(
      'message/send, message/stream, tasks/get, …; in the 1.0 form SendMessage, SendStreamingMessage, GetTask, …',
    ),
  params: SendParams03.describe('Of message/send and message/stream; other methods have their own'),
});

const AgentMessage = z.object({
  kind: z.literal('message'),
  messageId: z.string(),
  role: z.literal('agent'),
  parts: z.array(TextPart.omit({ metadata: true })),
});

export const taskStates03 = ['submitted', 'working', 'input-required', 'completed', 'failed', 'canceled'] as const;
const TaskState03 = z.enum(taskStates03);

/** Source: decisions section 4, `message/send`. */
const Task03 = z.object({
  kind: z.literal('task'),
  id: z.string(),
  contextId: z.string(),
  status: z.object({
    state: TaskState03,
    timestamp: z.iso.datetime(),
    message: AgentMessage.optional().describe('The answer, or what the agent asks'),
  }),
  artifacts: z.array(z.object({ artifactId: z.string(), parts: z.array(TextPart.omit({ metadata: true })) })),
  history: z.array(z.unknown()).optional(),
  metadata: z.looseObject({ chat_session_id: z.int() }),
});
export type Task03 = z.infer<typeof Task03>;
export const A2aReply = z.object({ jsonrpc: z.literal('2.0'), id: RpcId, result: Task03 });

/** One event of message/stream. Source: interface 2.5. */
export const A2aEvent = z.object({
  jsonrpc: z.literal('2.0'),
  id: RpcId,
  result: z.object({
    kind: z.literal('status-update'),
    taskId: z.string(),
    contextId: z.string(),
    final: z.boolean(),
    status: z.object({ state: TaskState03, timestamp: z.iso.datetime(), message: AgentMessage }),
    metadata: z.looseObject({ chat_session_id: z.int() }).optional().describe('Of the last event'),
  }),
});

/** What a deployed agent tells of itself. Source: A2A 0.3, section 5.5. */
export const AgentCard03 = z.looseObject({
  protocolVersion: z.string(),
  name: z.string(),
  description: z.string(),
  url: z.string(),
  preferredTransport: z.string(),
  version: z.string(),
  capabilities: z.object({
    streaming: z.boolean(),
    pushNotifications: z.boolean(),
    stateTransitionHistory: z.boolean(),
  }),
  defaultInputModes: z.array(z.string()),
  defaultOutputModes: z.array(z.string()),
  skills: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      description: z.string(),
      tags: z.array(z.string()),
      examples: z.array(z.string()).optional(),
    }),
  ),
  supportsAuthenticatedExtendedCard: z.boolean(),
});
