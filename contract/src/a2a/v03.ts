import { z } from 'zod';
import { described } from '../described.ts';
import { RpcId } from './rpc.ts';

// A2A 0.3 over JSON-RPC, as far as this service speaks it. Clients of several languages send null for what they leave out.

const Metadata = z.record(z.string(), z.unknown());

/** Text that no database could refuse. */
export const StorableText = (longest: number) =>
  // oxlint-disable-next-line no-control-regex -- this is what is refused
  z
    .string()
    .max(longest)
    .regex(/^[^\u0000]*$/, 'Leave out the character U+0000');

const TextPart = z.object({
  kind: z.literal('text'),
  text: z.string().describe('The text'),
  metadata: Metadata.nullish().describe('Metadata of the caller; not interpreted'),
});
const FilePart = z.object({
  kind: z.literal('file'),
  file: z
    .object({
      bytes: z.string().nullish().describe('Content of the file in base64'),
      uri: z.string().nullish().describe('Address of the file'),
      mimeType: z.string().max(200).nullish().describe('Media type, such as application/pdf'),
      name: z.string().max(500).nullish().describe('File name, at most 500 characters'),
    })
    .refine(({ bytes, uri }) => (typeof bytes === 'string') !== (typeof uri === 'string'), {
      error: 'Give either bytes or uri',
    })
    .describe('The file: either its bytes or its address'),
  metadata: Metadata.nullish().describe('Metadata of the caller; not interpreted'),
});
const DataPart = z.object({
  kind: z.literal('data'),
  data: Metadata.describe('Any JSON object'),
  metadata: Metadata.nullish().describe('Metadata of the caller; not interpreted'),
});
export const Part03 = z
  .discriminatedUnion('kind', [TextPart, FilePart, DataPart])
  .describe('A piece of a message: text, a file or data');
export type Part03 = z.infer<typeof Part03>;

/** Source: decisions section 4. */
const UserMessage = z.object({
  kind: z.literal('message'),
  role: z.literal('user'),
  messageId: StorableText(200)
    .min(1)
    .describe('Unique id of the message; a UUID is recommended. The same id with the same content runs nothing twice'),
  parts: z.array(Part03).min(1).max(1_000).describe('Content of the message, 1 to 1,000 parts'),
  taskId: StorableText(200).nullish().describe('Task that waits for this answer (state input-required)'),
  contextId: StorableText(200).nullish().describe('Context of an existing session'),
  metadata: Metadata.nullish().describe('Metadata of the caller; not interpreted'),
});

export const PushConfig03 = described('Where push notifications of a task are sent', {
  id: StorableText(200).min(1).nullish().describe('Id of this configuration'),
  url: StorableText(2_000).describe('Address that notifications are posted to'),
  token: StorableText(2_000).nullish().describe('Text that each notification carries, by which the receiver knows it'),
  authentication: z
    .object({
      schemes: z.array(z.string().max(100)).max(10).describe('HTTP authentication schemes, such as Bearer'),
      credentials: z.string().max(8_000).nullish().describe('Credentials of the scheme'),
    })
    .nullish()
    .describe('How the receiver authenticates notifications'),
});

const Count = z.int().min(0).max(1_000_000).describe('Number of last messages of the history in the reply');
/** Source: interface section 2.5. */
export const CallMetadata = z
  .looseObject({
    chat_session_id: z
      .int()
      .min(1)
      .nullish()
      .describe('An existing chat session; a new session of type api when left out'),
  })
  .describe('Which session a message belongs to');

/** Source: interface section 2.5. */
export const SendParams03 = described('Parameters of message/send and message/stream', {
  message: UserMessage.describe('The message to the agent'),
  configuration: z
    .object({
      blocking: z
        .boolean()
        .nullish()
        .describe('Whether message/send waits for the end of the task; false answers at once'),
      historyLength: Count.nullish().describe('Number of last messages of the history in the reply'),
      acceptedOutputModes: z
        .array(z.string().max(200))
        .max(100)
        .nullish()
        .describe('Media types that the caller takes'),
      pushNotificationConfig: PushConfig03.nullish().describe('Where push notifications of the task are sent'),
    })
    .nullish()
    .describe('How the reply is delivered'),
  metadata: CallMetadata.nullish().describe('Which session the message belongs to'),
});

const TaskId = StorableText(200).min(1).describe('Id of the task, 32 lower-case hexadecimal digits');
export const TaskQuery03 = described('Parameters of tasks/get', {
  id: TaskId,
  historyLength: Count.nullish().describe('Number of last messages of the history in the reply'),
});
export const TaskById03 = described('Parameters of tasks/cancel and other methods that name only a task', {
  id: TaskId,
});
export const Resubscribe03 = described('Parameters of tasks/resubscribe', {
  id: TaskId,
  metadata: z
    .looseObject({
      last_event_id: z
        .union([z.int().min(0), z.string().regex(/^q?\d{1,9}$/)])
        .nullish()
        .describe('Id of the last event that the caller has; only later ones are sent'),
    })
    .nullish()
    .describe('Where to go on'),
});
export const SetPush03 = described('Parameters of tasks/pushNotificationConfig/set', {
  taskId: TaskId,
  pushNotificationConfig: PushConfig03.describe('Where push notifications of the task are sent'),
});
export const GetPush03 = described('Parameters of tasks/pushNotificationConfig/get', {
  id: TaskId,
  pushNotificationConfigId: StorableText(200)
    .min(1)
    .nullish()
    .describe('Which configuration, where the task has several'),
});
export const DeletePush03 = described('Parameters of tasks/pushNotificationConfig/delete', {
  id: TaskId,
  pushNotificationConfigId: StorableText(200).min(1).describe('Which configuration'),
});

/** Source: interface section 2.5. */
export const A2aRequest = described('A call of an agent: JSON-RPC 2.0 in the 0.3 form of A2A', {
  jsonrpc: z.literal('2.0'),
  id: RpcId,
  method: z
    .string()
    .describe(
      'message/send, message/stream, tasks/get, …; in the 1.0 form SendMessage, SendStreamingMessage, GetTask, …',
    ),
  params: SendParams03.describe('Parameters of message/send and message/stream; other methods have their own'),
});

const AgentMessage = z.object({
  kind: z.literal('message'),
  messageId: z.string().describe('Id of the message'),
  role: z.literal('agent'),
  parts: z.array(TextPart.omit({ metadata: true })).describe('The text, in one or several parts'),
});

/** States of a task in the 0.3 form. Source: decisions section 4. */
export const taskStates03 = ['submitted', 'working', 'input-required', 'completed', 'failed', 'canceled'] as const;
/** Source: decisions section 4. */
const TaskState03 = z.enum(taskStates03).describe('State of the task');

/** Source: decisions section 4. */
const Task03 = described('A task: one run of an agent', {
  kind: z.literal('task'),
  id: z.string().describe('Id of the task, 32 lower-case hexadecimal digits'),
  contextId: z.string().describe('Id of the context, one for each chat session'),
  status: described('How far the task is', {
    state: TaskState03,
    timestamp: z.iso.datetime().describe('Time of the last change of state, ISO 8601'),
    message: AgentMessage.optional().describe('The answer again, or the question of the agent'),
  }),
  artifacts: z
    .array(
      z.object({
        artifactId: z.string().describe('Id of the artifact within the task'),
        parts: z.array(TextPart.omit({ metadata: true })).describe('The text, in one or several parts'),
      }),
    )
    .describe('The answer'),
  history: z.array(z.unknown()).optional().describe('Last messages of the task, where historyLength asked for them'),
  metadata: z
    .looseObject({ chat_session_id: z.int().describe('Chat session of the task, a positive number') })
    .describe('The session of the task'),
});
/** A task as the 0.3 form shows it. */
export type Task03 = z.infer<typeof Task03>;
/** Source: decisions section 4. */
export const A2aReply = described('Reply to message/send: the task', {
  jsonrpc: z.literal('2.0'),
  id: RpcId,
  result: Task03.describe('The task'),
});

/** Source: interface section 2.5. */
export const A2aEvent = described('One event of message/stream', {
  jsonrpc: z.literal('2.0'),
  id: RpcId,
  result: described('A change of the task, or a piece of its answer', {
    kind: z.literal('status-update'),
    taskId: z.string().describe('Id of the task, 32 lower-case hexadecimal digits'),
    contextId: z.string().describe('Id of the context, one for each chat session'),
    final: z.boolean().describe('Whether this is the last event of the stream'),
    status: described('State of the task, with a piece of the answer', {
      state: TaskState03,
      timestamp: z.iso.datetime().describe('Time of the event, ISO 8601'),
      message: AgentMessage.describe('A piece of the answer; all pieces, joined in order, are the answer'),
    }),
    metadata: z
      .looseObject({ chat_session_id: z.int().describe('Chat session of the task, a positive number') })
      .optional()
      .describe('The session of the task; in the last event only'),
  }),
});

export const A2aQuery = described('Parameters of the address of an agent, and of its card', {
  'A2A-Version': z.string().optional().describe('The same as the header A2A-Version: 1.0 asks for the 1.0 form'),
});

export const AgentCard03 = z
  .looseObject({
    protocolVersion: z.string().describe('Version of A2A'),
    name: z.string().describe('Name of the agent'),
    description: z.string().describe('What the agent does'),
    url: z.string().describe('Address for calls'),
    preferredTransport: z.string().describe('Transport of that address, such as JSONRPC'),
    version: z.string().describe('Version of the agent'),
    capabilities: described('Optional features that the agent supports', {
      streaming: z.boolean().describe('Whether message/stream is supported'),
      pushNotifications: z.boolean().describe('Whether push notifications are supported'),
      stateTransitionHistory: z.boolean().describe('Whether past states of a task can be asked for'),
      extensions: z
        .array(
          z.object({
            uri: z.string().describe('Names the extension'),
            description: z.string().describe('What the extension says, for people'),
            required: z.boolean().describe('Whether clients have to know it'),
            params: z.record(z.string(), z.unknown()).describe('Values of the extension'),
          }),
        )
        .describe('Extensions; one says that answers are generated by AI, with the notice and the mark of the tenant'),
    }),
    defaultInputModes: z.array(z.string()).describe('Media types that the agent takes'),
    defaultOutputModes: z.array(z.string()).describe('Media types of its answers'),
    skills: z
      .array(
        z.object({
          id: z.string().describe('Id of the skill'),
          name: z.string().describe('Name of the skill'),
          description: z.string().describe('What the skill is for'),
          tags: z.array(z.string()).describe('Words to find the skill by'),
          examples: z.array(z.string()).optional().describe('Questions to begin with'),
        }),
      )
      .describe('What the agent can do'),
    supportsAuthenticatedExtendedCard: z.boolean().describe('Whether callers with a key get a longer card'),
  })
  .describe('What a deployed agent offers and where it is called (A2A 0.3, section 5.5)');

export const JwkSet = described('Public keys that check the signature of push notifications (RFC 7517)', {
  keys: z
    .array(
      z.looseObject({
        kty: z.string().describe('Type of the key, such as EC'),
        kid: z.string().describe('Id of the key, as signatures name it'),
      }),
    )
    .describe('The keys'),
});
