import { z } from 'zod';
import { described } from '../described.ts';
import { CallMetadata, StorableText } from './v03.ts';

// Requests of A2A 1.0 over JSON-RPC: ProtoJSON of lf.a2a.v1. Null stands for what is left out, and unknown fields are ignored.

const Metadata = z.record(z.string(), z.unknown());

export const Part10 = z
  .object({
    text: z.string().nullish().describe('The text'),
    raw: z.string().nullish().describe('Content of a file in base64'),
    url: z.string().nullish().describe('Address of a file'),
    data: z.unknown().optional().describe('Any JSON'),
    filename: z.string().max(500).nullish().describe('File name, at most 500 characters'),
    mediaType: z.string().max(200).nullish().describe('Media type, such as application/pdf'),
    metadata: Metadata.nullish().describe('Metadata of the caller; not interpreted'),
  })
  .refine(
    ({ text, raw, url, data }) => {
      const named = [text, raw, url].filter((one) => typeof one === 'string').length;
      return named === 1 ? data === undefined || data === null : named === 0 && data !== undefined;
    },
    { error: 'A part holds exactly one of text, raw, url and data' },
  )
  .describe('A piece of a message; it holds exactly one of text, raw, url and data');
export type Part10 = z.infer<typeof Part10>;

/** Source: decisions section 4. */
const UserMessage = z.object({
  role: z.literal('ROLE_USER'),
  messageId: StorableText(200)
    .min(1)
    .describe('Unique id of the message; the same id with the same content runs nothing twice'),
  parts: z.array(Part10).min(1).max(1_000).describe('Content of the message, 1 to 1,000 parts'),
  taskId: StorableText(200).nullish().describe('Task that waits for this answer'),
  contextId: StorableText(200).nullish().describe('Context of an existing session'),
  metadata: Metadata.nullish().describe('Metadata of the caller; not interpreted'),
});

export const PushConfig10 = described('Where push notifications of a task are sent', {
  id: StorableText(200).nullish().describe('Id of this configuration'),
  taskId: StorableText(200).nullish().describe('Id of the task'),
  url: StorableText(2_000).describe('Address that notifications are posted to'),
  token: StorableText(2_000).nullish().describe('Text that each notification carries, by which the receiver knows it'),
  authentication: z
    .object({
      scheme: z.string().max(100).describe('HTTP authentication scheme, such as Bearer'),
      credentials: z.string().max(8_000).nullish().describe('Credentials of the scheme'),
    })
    .nullish()
    .describe('How the receiver authenticates notifications'),
});

const Count = z.int().min(0).max(1_000_000).describe('Number of last messages of the history in the reply');

/** Source: decisions section 4. */
export const SendParams10 = described('Parameters of SendMessage and SendStreamingMessage', {
  message: UserMessage.describe('The message to the agent'),
  configuration: z
    .object({
      returnImmediately: z.boolean().nullish().describe('Whether SendMessage answers before the task has ended'),
      historyLength: Count.nullish().describe('Number of last messages of the history in the reply'),
      acceptedOutputModes: z
        .array(z.string().max(200))
        .max(100)
        .nullish()
        .describe('Media types that the caller takes'),
      taskPushNotificationConfig: PushConfig10.nullish().describe('Where push notifications of the task are sent'),
    })
    .nullish()
    .describe('How the reply is delivered'),
  metadata: CallMetadata.nullish().describe('Which session the message belongs to'),
});

const TaskId = StorableText(200).min(1).describe('Id of the task, 32 lower-case hexadecimal digits');
export const GetTask10 = described('Parameters of GetTask', {
  id: TaskId,
  historyLength: Count.nullish().describe('Number of last messages of the history in the reply'),
});
export const TaskById10 = described('Parameters of CancelTask and other methods that name only a task', { id: TaskId });

/** States of the 1.0 form by those of a run. Source: lf.a2a.v1.TaskState. */
export const taskStates10 = {
  submitted: 'TASK_STATE_SUBMITTED',
  working: 'TASK_STATE_WORKING',
  'input-required': 'TASK_STATE_INPUT_REQUIRED',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  canceled: 'TASK_STATE_CANCELED',
} as const;

/** States that tasks here never have. */
const unusedStates = ['TASK_STATE_UNSPECIFIED', 'TASK_STATE_REJECTED', 'TASK_STATE_AUTH_REQUIRED'] as const;

export const ListTasks10 = described('Parameters of ListTasks', {
  contextId: StorableText(200).nullish().describe('Only tasks of this context'),
  status: z
    .enum([...Object.values(taskStates10), ...unusedStates])
    .nullish()
    .describe('Only tasks in this state'),
  pageSize: z.int().min(1).max(100).nullish().describe('Tasks of one page, 1 to 100'),
  pageToken: z.string().max(500).nullish().describe('The nextPageToken of the page before'),
  historyLength: Count.nullish().describe('Number of last messages of the history of each task'),
  statusTimestampAfter: z.iso
    .datetime({ offset: true })
    .nullish()
    .describe('Only tasks whose state changed after this time'),
  includeArtifacts: z.boolean().nullish().describe('Whether tasks come with their answers'),
});
export const CreatePush10 = PushConfig10.extend({ taskId: TaskId }).describe(
  'Parameters of CreateTaskPushNotificationConfig',
);
export const PushById10 = described(
  'Parameters of GetTaskPushNotificationConfig and DeleteTaskPushNotificationConfig',
  { taskId: TaskId, id: StorableText(200).min(1).describe('Id of the configuration') },
);
export const ListPush10 = described('Parameters of ListTaskPushNotificationConfigs', { taskId: TaskId });

/** Source: decisions section 4. */
export const A2aRequest10 = described(
  'Body of POST /v1/external/agents/v2/{slug}/a2a: a call of JSON-RPC 2.0, in the form of A2A 1.0',
  {
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.int()]).describe('Of the call; repeated in the answer'),
    method: z
      .string()
      .describe(
        'SendMessage, SendStreamingMessage, GetTask, ListTasks, CancelTask, SubscribeToTask and those of push notifications',
      ),
    params: z.looseObject({}).describe('What the method takes, such as message of SendMessage'),
  },
);
