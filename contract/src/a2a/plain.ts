import { z } from 'zod';
import { described } from '../described.ts';
import { A2aQuery } from './v03.ts';
import { ErrorInfo } from './rpc.ts';
import { ListTasks10, PushConfig10, SendParams10, taskStates10 } from './v10.ts';

// What the doors of the card take and answer beyond the interface: events and tasks of plain A2A, and HTTP+JSON of 1.0.

const Metadata = z.record(z.string(), z.unknown());

const PlainPart = z.looseObject({
  text: z.string().optional().describe('The text'),
  data: z.unknown().optional().describe('Any JSON'),
  mediaType: z.string().optional().describe('Media type'),
});

const PlainMessage = z.looseObject({
  messageId: z.string().describe('Id of the message'),
  role: z.enum(['ROLE_USER', 'ROLE_AGENT']).describe('Who says it'),
  parts: z.array(PlainPart).describe('What it says'),
});

const Artifact = z.looseObject({
  artifactId: z.string().describe('Id of the artifact within the task'),
  parts: z.array(PlainPart).describe('Its content'),
});

const TaskStatus = described('How far a task is', {
  state: z.enum(Object.values(taskStates10)).describe('State of the task'),
  timestamp: z.iso.datetime().describe('Time of the last change of state, ISO 8601'),
  message: PlainMessage.optional().describe('The question of the agent, or why it failed'),
});

/** Source: lf.a2a.v1.Task. */
export const A2aTask10 = described('A task in the 1.0 form of A2A: one run of an agent', {
  id: z.string().describe('Id of the task, 32 lower-case hexadecimal digits'),
  contextId: z.string().describe('Id of the context, one for each chat session'),
  status: TaskStatus.describe('How far the task is'),
  artifacts: z.array(Artifact).optional().describe('The answer'),
  history: z.array(PlainMessage).optional().describe('Messages of the task'),
  metadata: Metadata.optional().describe('chat_session_id, and citations of the answer'),
});

/** Source: lf.a2a.v1.StreamResponse; by JSON-RPC it is the `result` of a reply. */
export const PlainA2aEvent = described('One event of a stream of plain A2A; it holds one of these', {
  task: A2aTask10.optional().describe('The task: as it stands at the beginning, whole at the end'),
  statusUpdate: z
    .looseObject({
      taskId: z.string().describe('Id of the task'),
      contextId: z.string().describe('Id of the context'),
      status: TaskStatus.describe('The state that the task has now'),
    })
    .optional()
    .describe('A change of state'),
  artifactUpdate: z
    .looseObject({
      taskId: z.string().describe('Id of the task'),
      contextId: z.string().describe('Id of the context'),
      artifact: Artifact.describe('A piece of the artifact'),
      append: z.boolean().describe('Whether the piece goes on with the artifact of this id'),
      lastChunk: z.boolean().describe('Whether it is the last piece'),
    })
    .optional()
    .describe('A piece of the answer'),
});

/** Source: lf.a2a.v1.SendMessageRequest. */
export const HttpSend10 = SendParams10.describe('A message to an agent, in the 1.0 form of A2A');
export const SendReply10 = described('Reply to a message', { task: A2aTask10.describe('The task') });

/** Source: A2A 1.0, section 11.6; AIP-193. */
export const A2aHttpError = described('A failure of A2A over HTTP+JSON', {
  error: described('What went wrong', {
    code: z.int().describe('Status of HTTP'),
    status: z.string().describe('Name of google.rpc.Code, such as NOT_FOUND'),
    message: z.string().describe('What went wrong, in a sentence'),
    details: z.array(ErrorInfo).describe('Which error of A2A it is'),
  }),
});

const numeric = (meaning: string) => z.string().regex(/^\d+$/).optional().describe(meaning);

export const TaskQuery10 = A2aQuery.extend({
  historyLength: numeric('Number of last messages of the history in the reply'),
}).describe('Parameters of the address of a task');

export const ListTasksQuery10 = TaskQuery10.extend({
  contextId: z.string().optional().describe('Only tasks of this context'),
  status: ListTasks10.shape.status.unwrap().unwrap().optional().describe('Only tasks in this state'),
  pageSize: numeric('Tasks of one page, 1 to 100'),
  pageToken: z.string().optional().describe('The nextPageToken of the page before'),
  statusTimestampAfter: z.string().optional().describe('Only tasks whose state changed after this time, ISO 8601'),
  includeArtifacts: z.enum(['true', 'false']).optional().describe('Whether tasks come with their answers'),
}).describe('Which tasks are listed');

export const TaskPage10 = described('A page of tasks', {
  tasks: z.array(A2aTask10).describe('The tasks, the one that changed last first'),
  nextPageToken: z.string().describe('For the next page; empty on the last'),
  pageSize: z.int().describe('Most tasks of a page'),
  totalSize: z.int().describe('Tasks on all pages'),
});

export const HttpPush10 = PushConfig10.describe('An address that is told of a task, in the 1.0 form of A2A');
export const HttpPushes10 = described('Addresses that are told of a task', {
  configs: z.array(HttpPush10).describe('The addresses, without credentials'),
  nextPageToken: z.string().describe('Always empty: there is one page'),
});

export const ExtendedCard10 = z
  .looseObject({
    name: z.string().describe('Name of the agent'),
    description: z.string().describe('What the agent does'),
    version: z.string().describe('Version of the agent'),
  })
  .describe('The card of an agent with examples and the greeting (A2A 1.0, section 4.4.1)');
