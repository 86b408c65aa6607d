import { z } from 'zod';
import { CallMetadata, Plain } from './v03.ts';

// Requests of A2A 1.0 over JSON-RPC: ProtoJSON of lf.a2a.v1. Null stands for what is left out, and unknown fields are ignored.

const Metadata = z.record(z.string(), z.unknown());

export const Part10 = z
  .object({
    text: z.string().nullish(),
    raw: z.string().nullish().describe('Bytes of a file in base64'),
    url: z.string().nullish(),
    data: z.unknown().optional(),
    filename: z.string().max(500).nullish(),
    mediaType: z.string().max(200).nullish(),
    metadata: Metadata.nullish(),
  })
  .refine(
    ({ text, raw, url, data }) => {
      const named = [text, raw, url].filter((one) => typeof one === 'string').length;
      return named === 1 ? data === undefined || data === null : named === 0 && data !== undefined;
    },
    { error: 'A part holds exactly one of text, raw, url and data' },
  );
export type Part10 = z.infer<typeof Part10>;

const UserMessage = z.object({
  role: z.literal('ROLE_USER'),
  messageId: Plain(200).min(1),
  parts: z.array(Part10).min(1).max(1_000),
  taskId: Plain(200).nullish(),
  contextId: Plain(200).nullish(),
  metadata: Metadata.nullish(),
});

export const PushConfig10 = z.object({
  id: Plain(200).nullish(),
  taskId: Plain(200).nullish(),
  url: Plain(2_000),
  token: Plain(2_000).nullish(),
  authentication: z.object({ scheme: z.string().max(100), credentials: z.string().max(8_000).nullish() }).nullish(),
});

const Count = z.int().min(0).max(1_000_000);

export const SendParams10 = z.object({
  message: UserMessage,
  configuration: z
    .object({
      returnImmediately: z.boolean().nullish(),
      historyLength: Count.nullish(),
      acceptedOutputModes: z.array(z.string().max(200)).max(100).nullish(),
      taskPushNotificationConfig: PushConfig10.nullish(),
    })
    .nullish(),
  metadata: CallMetadata.nullish(),
});

const TaskId = Plain(200).min(1);
export const GetTask10 = z.object({ id: TaskId, historyLength: Count.nullish() });
export const TaskById10 = z.object({ id: TaskId });

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
const otherStates = ['TASK_STATE_UNSPECIFIED', 'TASK_STATE_REJECTED', 'TASK_STATE_AUTH_REQUIRED'] as const;

export const ListTasks10 = z.object({
  contextId: Plain(200).nullish(),
  status: z.enum([...Object.values(taskStates10), ...otherStates]).nullish(),
  pageSize: z.int().min(1).max(100).nullish(),
  pageToken: z.string().max(500).nullish(),
  historyLength: Count.nullish(),
  statusTimestampAfter: z.iso.datetime({ offset: true }).nullish(),
  includeArtifacts: z.boolean().nullish(),
});
export const CreatePush10 = PushConfig10.extend({ taskId: TaskId });
export const PushById10 = z.object({ taskId: TaskId, id: Plain(200).min(1) });
export const ListPush10 = z.object({ taskId: TaskId });
